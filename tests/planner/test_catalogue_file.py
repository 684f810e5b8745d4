"""Every fault in a source's YAML is told with file, line and key."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.catalogue import Catalogue
from planner.catalogue_file import load_source
from planner.errors import CatalogueError

GOOD = """\
kind: sql
description: 台账 / ledger
trust: 0.9
timeout_s: 20
max_retries: 1
alternatives: []
side_effect: false
auth: {username: env:DB_USER, password: env:DB_PASSWORD}
access: [analyst]
connection: {url: "sqlite:///x.db"}
datasets:
  - name: energy
    description: by room
    grain: [room, month]
    fields:
      - {name: room, type: text, synonyms: [机房, room], values: [R1, R2]}
      - {name: month, type: month}
      - name: usage
        type: number
        tolerance: 0.1
        value_synonyms: {}
    locate: {table: energy}
"""


def fault(tmp_path: Path, text: str | bytes) -> CatalogueError:
    path = tmp_path / "ledger.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(CatalogueError) as e:
        load_source(path)
    assert e.value.file == str(path)
    assert "\n" not in str(e.value)
    return e.value


def test_every_key_is_read(tmp_path: Path) -> None:
    path = tmp_path / "ledger.yaml"
    path.write_text(GOOD, encoding="utf-8")
    source = load_source(path)
    assert (source.timeout_s, source.max_retries, source.access) == (20.0, 1, ("analyst",))
    assert source.auth["password"] == "env:DB_PASSWORD"
    assert source.connection == {"url": "sqlite:///x.db"}
    (energy,) = source.datasets
    assert energy.locate == {"table": "energy"}
    assert [f.tolerance for f in energy.fields] == [None, None, 0.1]


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "says"),
    [
        # unknown and missing keys
        ("trust: 0.9", "trust: 0.9\ntrsut: 0.8", 4, "trsut", "unknown key; did you mean trust?"),
        ("trust: 0.9\n", "", 1, "trust", "missing key"),
        ("kind: sql\n", "", 1, "kind", "missing key"),
        ("  - name: energy\n    desc", "  - desc", 12, "datasets[0].name", "missing key"),
        (
            "      - {name: month, type: month}",
            "      - {name: month}",
            17,
            "datasets[0].fields[1].type",
            "missing key",
        ),
        (
            "        tolerance",
            "        tolerence",
            20,
            "datasets[0].fields[2].tolerence",
            "did you mean tolerance?",
        ),
        ("    locate:", "    location:", 22, "datasets[0].location", "unknown key"),
        ("kind: sql", "name: ledger\nkind: sql", 1, "name", "the file's name is the source's name"),
        # wrong types
        ("trust: 0.9", "trust: high", 3, "trust", "number, not 'high'"),
        ("trust: 0.9", 'trust: "0.9"', 3, "trust", "number"),
        ("trust: 0.9", "trust: 1.5", 3, "trust", "less than or equal to 1"),
        ("trust: 0.9", "trust: .nan", 3, "trust", "number"),
        ("trust: 0.9", "trust: [0.9]", 3, "trust", "number"),
        ("trust: 0.9", "trust:", 3, "trust", "number"),
        ("timeout_s: 20", "timeout_s: 0", 4, "timeout_s", "greater than 0"),
        ("timeout_s: 20", "timeout_s: .inf", 4, "timeout_s", "finite"),
        ("max_retries: 1", "max_retries: 1.5", 5, "max_retries", "integer"),
        ("side_effect: false", "side_effect: 'no'", 7, "side_effect", "boolean, not 'no'"),
        ("side_effect: false", "side_effect: 1", 7, "side_effect", "boolean"),
        ("alternatives: []", "alternatives: ledger2", 6, "alternatives", "array"),
        ("access: [analyst]", "access: [3]", 9, "access[0]", "string, not '3'"),
        ("type: number", "type: numeric", 19, "datasets[0].fields[2].type", "'text'"),
        ("grain: [room, month]", "grain: room", 14, "datasets[0].grain", "array"),
        ("  - name: energy", "  - name: 5", 12, "datasets[0].name", "string, not '5'"),
        ("  - name: energy", "  - name: ''", 12, "datasets[0].name", "at least 1 character"),
        ("password: env:DB_PASSWORD", "password: hunter2", 8, "auth.password", "env:NAME"),
        # names
        (
            "{name: month, type: month}",
            "{name: room, type: month}",
            17,
            "datasets[0].fields[1].name",
            "second field",
        ),
        ("grain: [room, month]", "grain: [room, day]", 14, "datasets[0].grain[1]", "no field day"),
        (
            "    locate: {table: energy}",
            "  - {name: energy, fields: [{name: a, type: text}]}",
            22,
            "datasets[1].name",
            "second dataset energy",
        ),
        (
            "values: [R1, R2]}",
            "values: [R1, R2], value_synonyms: {R3: [三号]}}",
            16,
            "datasets[0].fields[0].value_synonyms.R3",
            "not among the values",
        ),
        # YAML
        ("trust: 0.9", "trust: 0.9\ntrust: 0.8", 4, "trust", "given twice, first in line 3"),
        ("trust: 0.9", "trust: [0.9", 4, "", "broken YAML"),
        ("trust: 0.9", "\ttrust: 0.9", 3, "", "broken YAML"),
        ("trust: 0.9", "trust: !!python/object:os.system x", 3, "trust", "not accepted"),
        ("trust: 0.9", "trust: !!int x", 3, "trust", "not what its tag says"),
        ("trust: 0.9", "trust: !!bool x", 3, "trust", "not what its tag says"),
        ("trust: 0.9", "? [trust]\n: 0.9", 3, "", "plain word"),
        ("trust: 0.9", "trust: *nowhere", 3, "", "broken YAML"),
        ("trust: 0.9", "trust: 0.9\n---\nkind: sql", 4, "", "broken YAML"),
    ],
)
def test_fault_is_placed(tmp_path: Path, old: str, new: str, line: int, key: str, says: str) -> None:
    assert GOOD.count(old) == 1
    error = fault(tmp_path, GOOD.replace(old, new))
    assert (error.line, error.key) == (line, key), error
    assert says in str(error)
    place = f"{error.file}:{line}: {key}: " if key else f"{error.file}:{line}: "
    assert str(error).startswith(place)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("# nothing\n", "empty"),
        ("- kind: sql", "a mapping is needed"),
        ("sql", "a mapping is needed"),
        ("kind: sql\ntrust: 0.5\ndatasets: []", "must not be empty"),
        ("kind: sql\ntrust: 0.5\ndatasets:\n  - {name: a, fields: []}", "must not be empty"),
        (b"kind: \xff\xfe", "not UTF-8"),
        ("kind: a\x07b", "does not allow"),
        ("[" * 600, "nested"),
        ("a: &a [*a]", "nested"),
        ("a: &a [x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\n" + "\n".join(
            f"{c}: &{c} [{','.join([f'*{p}'] * 8)}]" for p, c in zip("bcdefg", "cdefgh", strict=True)
        ), "too large"),
        ('kind: "\\ud800"\ntrust: 0.5\ndatasets: []', "not Unicode"),
        ("trust: " + "9" * 5_000, "tag"),
    ],
)  # fmt: skip
def test_bad_files(tmp_path: Path, text: str | bytes, says: str) -> None:
    assert says in str(fault(tmp_path, text))


def test_words_mean_what_is_written(tmp_path: Path) -> None:
    path = tmp_path / "ledger.yaml"
    words = "values: [NO, 2024-01-01, 1.10, 007, true], synonyms: [12], value_synonyms: {NO: [off]}"
    path.write_text(GOOD.replace("synonyms: [机房, room], values: [R1, R2]", words), encoding="utf-8")
    room = load_source(path).datasets[0].field("room")
    assert room is not None
    assert room.values == ("NO", "2024-01-01", "1.10", "007", "true")
    assert (room.synonyms, dict(room.value_synonyms)) == (("12",), {"NO": ("off",)})


def test_synonyms_of_values_that_are_not_listed(tmp_path: Path) -> None:
    """Only a field that lists its values can say that a synonym's value is not among them."""
    path = tmp_path / "ledger.yaml"
    path.write_text(GOOD.replace("value_synonyms: {}", "value_synonyms: {R9: [九号]}"), encoding="utf-8")
    usage = load_source(path).datasets[0].field("usage")
    assert usage is not None
    assert dict(usage.value_synonyms) == {"R9": ("九号",)}


class TestFolder:
    def test_alternatives_exist(self, sources: Path) -> None:
        board = sources / "board.yaml"
        good = board.read_text(encoding="utf-8")
        for written, says in [
            ("[ledgr]", "there is no source ledgr; did you mean ledger?"),
            ("[board]", "its own alternative"),
            ("[ledger, ledger]", "listed twice"),
        ]:
            board.write_text(good.replace("[ledger]", written), encoding="utf-8")
            with pytest.raises(CatalogueError, match=says) as e:
                Catalogue.load(sources)
            assert (e.value.file, e.value.line) == (str(board), 4)
            assert e.value.key.startswith("alternatives[")

    def test_no_folder(self, tmp_path: Path) -> None:
        with pytest.raises(CatalogueError, match="no such folder"):
            Catalogue.load(tmp_path / "nowhere")

    def test_empty_folder(self, tmp_path: Path) -> None:
        with pytest.raises(CatalogueError, match=r"holds no \*.yaml"):
            Catalogue.load(tmp_path)

    def test_a_file_that_would_be_overlooked(self, sources: Path) -> None:
        (sources / "more.yml").write_text("kind: sql", encoding="utf-8")
        with pytest.raises(CatalogueError, match=r"rename it to more\.yaml"):
            Catalogue.load(sources)

    @pytest.mark.parametrize("name", ["derive", "report", "a b", "-x", "a.b"])
    def test_names_that_a_plan_could_not_use(self, sources: Path, name: str) -> None:
        (sources / f"{name}.yaml").write_text(GOOD, encoding="utf-8")
        with pytest.raises(CatalogueError, match="rename the file"):
            Catalogue.load(sources)

    def test_a_folder_in_place_of_a_file(self, sources: Path) -> None:
        (sources / "x.yaml").mkdir()
        with pytest.raises(CatalogueError, match="cannot be read"):
            Catalogue.load(sources)


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_no_mutation_raises_anything_else(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Cuts, repeats and foreign pieces anywhere in a good file: read, or a CatalogueError with a line."""
    text = GOOD
    pieces = st.sampled_from(
        ["*a", "&a ", "!!int ", "!!binary ", "? ", "- ", ": ", "[", "}", "'", '"', "<<: ", "|\n", "%", "@", "~",
         "2024-01-01", "\t", "\n  ", "\x00", "\ud7ff", "\u2028", "1_000", "0x1F", "1:30", ".inf", "null", "---\n", "# "]
    )  # fmt: skip
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        to = data.draw(st.integers(at, min(at + 12, len(text))))
        text = text[:at] + data.draw(pieces | st.text(max_size=3)) + text[to:]
    path = tmp_path_factory.getbasetemp() / "mutated.yaml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        source = load_source(path)
    except CatalogueError as e:
        refused = e
    else:
        assert source.name == "mutated"
        return
    assert refused.line >= 1 or "UTF-8" in str(refused)
    assert "\n" not in str(refused)
