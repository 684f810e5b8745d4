"""Filings: does a question find the page that holds its evidence.

    python -m benchmarks.index_filings [--folder DIR] [--home DIR] [--each]

DIR holds `pdfs/` and `questions.jsonl` (question, document, pages counted from 1); by default the shared set, where there
is one. The index is built under HOME once, with the settings that a user has. Prints the share of questions one of whose
evidence pages is among the first 5 pages when asked within the document, and among the first 10 over all documents: by words
alone, and by words and vectors; then pages parsed and chunked per CPU second.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from kb_index.build import build
from kb_index.search import Hit, Index
from kb_index.settings import IndexSettings

SHARED = Path(__file__).resolve().parents[2] / "shared"
HOME = Path(__file__).resolve().parents[1] / ".assay"
HITS = 60  # passages asked for, of which the pages are taken


def pages_of(hits: Sequence[Hit], limit: int) -> list[tuple[str, int]]:
    """The first `limit` pages, best first; a passage over two pages stands for both."""
    found = dict.fromkeys((h.document, n) for h in hits for n in range(h.page_from, h.page_to + 1))
    return list(found)[:limit]


def share(
    questions: Sequence[dict[str, Any]], ask: Callable[[dict[str, Any]], list[tuple[str, int]]], each: bool
) -> float:
    right = 0
    for q in questions:
        pages = ask(q)
        found = any((q["document"], n) in pages for n in q["pages"])
        right += found
        if each and not found:
            print("  missed:", q["question"][:100], q["pages"], [n for _, n in pages])
    return right / len(questions)


def parsing(folder: Path) -> tuple[int, float]:
    """Pages, and CPU seconds of parsing and chunking them."""
    from kb_index.parse import parse

    pages, begun = 0, time.process_time()
    for path in sorted(folder.glob("*.pdf")):
        pages += len(parse(path, IndexSettings().chunk).pages)
    return pages, time.process_time() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=SHARED / "data" / "filings")
    parser.add_argument("--home", type=Path, default=HOME)
    parser.add_argument("--each", action="store_true", help="name the questions that miss")
    asked = parser.parse_args()
    if not (asked.folder / "questions.jsonl").is_file():
        print("the filings with questions are not here: ../shared/data/filings")
        return
    pages, seconds = parsing(asked.folder / "pdfs")
    print(f"{pages} pages, {pages / seconds:.1f} pages a CPU second (parse and chunk)")
    lines = (asked.folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    settings = IndexSettings(home=str(asked.home))
    place = asked.home / "index" / "bench-filings"
    begun = time.process_time()
    print(build([asked.folder / "pdfs"], place, settings=settings))
    print(f"build: {time.process_time() - begun:.0f} CPU seconds")
    plain = replace(
        settings, floor=0
    )  # a long question asked by words alone would often stay below the floor
    with Index.open(place, settings) as index, Index.open(place, plain) as all_words:
        ways: dict[Literal["words", "both"], Index] = {"words": all_words, "both": index}
        for by in ways:

            def within(q: dict[str, Any], by: Literal["words", "both"] = by) -> list[tuple[str, int]]:
                hits = ways[by].search(q["question"], limit=HITS, filters={"doc": q["document"]}, by=by)
                return pages_of(hits, 5)

            def overall(q: dict[str, Any], by: Literal["words", "both"] = by) -> list[tuple[str, int]]:
                return pages_of(ways[by].search(q["question"], limit=HITS, by=by), 10)

            print(
                f"{by:5s} page in the first 5 of its document {share(questions, within, asked.each):.3f}, "
                f"in the first 10 of all documents {share(questions, overall, False):.3f} ({len(questions)} questions)"
            )


if __name__ == "__main__":
    main()
