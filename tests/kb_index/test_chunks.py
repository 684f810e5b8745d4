from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kb_index.blocks import Block, Document, Heading, Paragraph, TableBlock, table_id
from kb_index.chunks import Chunk, chunks_of
from kb_index.language import width


def test_sections_bound_chunks_and_carry_their_path() -> None:
    document = Document(
        "Manual",
        [
            Heading("1 Safety", 1, 1),
            Paragraph("Read this first.", 1, 1),
            Heading("1.1 Power", 2, 2),
            Paragraph("Unplug before cleaning.", 2, 3),
            Heading("2 Care", 1, 4),
            Paragraph("Wipe with a cloth.", 4, 4),
        ],
    )
    chunks = chunks_of(document, 1000)
    assert [(c.section_path, c.page_from, c.page_to) for c in chunks] == [
        (("1 Safety",), 1, 1),
        (("1 Safety", "1.1 Power"), 2, 3),
        (("2 Care",), 4, 4),
    ]
    assert chunks[1].text == "1.1 Power\nUnplug before cleaning."
    assert chunks[1].context("Manual").startswith("Manual > 1 Safety\n")


def test_a_long_table_is_cut_between_rows_with_its_header() -> None:
    rows = (("Code", "Name"), *((f"C{i}", f"part number {i}") for i in range(40)))
    block = TableBlock(rows, 3, 4, "p3-t1-x", "Table 2: Parts")
    chunks = chunks_of(Document("d", [block]), 200)
    assert len(chunks) > 2
    for chunk in chunks:
        assert chunk.text.startswith("Table 2: Parts\nCode | Name\n")
        assert (chunk.kind, chunk.table_id, chunk.page_from, chunk.page_to) == ("table", "p3-t1-x", 3, 4)
    body = [line for c in chunks for line in c.text.splitlines()[2:]]
    assert body == [f"C{i} | part number {i}" for i in range(40)]


def test_table_ids_follow_content_and_place() -> None:
    rows = (("a", "b"), ("1", "2"))
    assert table_id(17, 1, rows) == table_id(17, 1, rows)
    assert table_id(17, 1, rows).startswith("p17-t1-")
    assert len({table_id(17, 1, rows), table_id(17, 2, rows), table_id(17, 1, (*rows, ("3", "4")))}) == 3


def test_a_paragraph_that_repeats_its_heading_is_not_taken_for_it() -> None:
    blocks: list[Block] = [Heading("aa", 1, 1), Paragraph("aa", 1, 1), Heading("b", 1, 1)]
    assert [c.text for c in chunks_of(Document("title", blocks), 200)] == ["aa\naa"]


texts = st.text(alphabet="ab 中文。.|", min_size=1, max_size=400).filter(str.strip)
blocks = st.one_of(
    st.builds(Heading, texts, st.integers(1, 4), st.just(1)),
    st.builds(lambda t, p: Paragraph(t, p, p), texts, st.integers(1, 9)),
    st.builds(
        lambda rows: TableBlock(tuple(rows), 2, 2, "p2-t1-h"),
        st.lists(st.tuples(texts, texts), min_size=1, max_size=6),
    ),
)


@settings(deadline=None)
@given(st.lists(blocks, max_size=12), st.integers(200, 800))
def test_nothing_is_lost_and_pages_are_in_order(parts: list[Block], limit: int) -> None:
    chunks = chunks_of(Document("title", list(parts)), limit)
    everything = "".join("".join(c.text.split()) for c in chunks)
    for part in parts:
        if isinstance(part, Paragraph):
            for word in part.text.split():
                assert word[:20] in everything
    for chunk in chunks:
        assert chunk.page_from <= chunk.page_to
        assert Chunk.from_dict(chunk.as_dict()) == chunk
        if chunk.kind == "text":
            assert width(chunk.text) <= 1.3 * limit + 400  # headings and small rests ride along
