"""How often the datasets that a question needs are in the shortlist of a large catalogue.

    python -m benchmarks.shortlist_recall [--embed] [--questions 300]

Authored catalogues are merged into one of 50 and one of 500 datasets. Asked are the held-out worlds' questions, each with the
datasets of its authored plan; the shortlist sees the question, its times and the rules' draft, as in `LocalPlanner`.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from planner.catalogue import Catalogue, Dataset, Source
from planner.compact import CompactPlan, DocumentLine, FetchLine, WriteLine, read_plan
from planner.compact.tags import read_times
from planner.prompt import rule_draft
from planner.rules import RulePlanner
from planner.rules.lexicon import Lexicon
from planner.shortlist import Embed, Shortlist
from planner.training.split import split
from planner.training.triples import Triple, World

DATA = Path(__file__).parents[1] / "planner" / "training" / "data"


def merged(worlds: Iterable[World], most: int) -> tuple[Catalogue, dict[tuple[int, str], str]]:
    """One catalogue of at most `most` datasets, whole worlds only, and (the world's id, old name) → new name of its datasets
    and document sources."""
    sources: dict[str, Source] = {}
    names: dict[tuple[int, str], str] = {}
    taken: set[str] = set()
    for number, world in enumerate(worlds):
        own = {d.name for s in world.catalogue.sources.values() for d in s.datasets if d.name != "documents"}
        if len(taken) + len(own) > most:
            continue
        renamed = {n: n if n not in taken else f"{n}_{number}" for n in own}
        taken |= set(renamed.values())
        for source in world.catalogue.sources.values():
            name = source.name if source.name not in sources else f"{source.name}_{number}"
            held = tuple(_renamed(d, renamed) for d in source.datasets)
            sources[name] = source.model_copy(update={"name": name, "datasets": held, "alternatives": ()})
            if any(d.name == "documents" for d in source.datasets):
                names[id(world), source.name] = name
        names |= {(id(world), old): new for old, new in renamed.items()}
    return Catalogue(sources=sources), names


def _renamed(dataset: Dataset, names: dict[str, str]) -> Dataset:
    return dataset.model_copy(update={"name": names.get(dataset.name, dataset.name)})


def needed(plan: CompactPlan) -> set[str]:
    found = {line.dataset for line in plan.lines if isinstance(line, FetchLine | WriteLine)}
    return found | {line.source for line in plan.lines if isinstance(line, DocumentLine)}


def measure(
    catalogue: Catalogue, asked: list[tuple[Triple, set[str]]], embed: Embed | None
) -> tuple[float, float, float, float]:
    """Shares of questions with all, of datasets; datasets in a shortlist; seconds a question, median."""
    lexicon, rules = Lexicon(catalogue), RulePlanner(catalogue)
    shortlist = Shortlist(lexicon, embed)
    whole, held, total, sizes, seconds = 0, 0, 0, [], []
    for triple, wanted in asked:
        spans = read_times(triple.question, triple.today)
        draft = rule_draft(rules, triple.question, triple.today, spans, catalogue)
        start = time.perf_counter()
        tables = shortlist.tables(
            triple.question, [(s.start, s.end) for s in spans], needed(draft) if draft else ()
        )
        seconds.append(time.perf_counter() - start)
        kept = {n for t in tables for n in ([s.name for s in t.holders] if t.document else [t.dataset.name])}
        whole += wanted <= kept
        held += len(wanted & kept)
        total += len(wanted)
        sizes.append(len(tables))
    return whole / len(asked), held / total, statistics.mean(sizes), statistics.median(seconds)


def e5() -> Embed:
    """The index's embedding model."""
    from sentence_transformers import SentenceTransformer

    from kb_index.model import lay_out

    model = SentenceTransformer(str(lay_out(Path(".assay"))))

    def embed(texts: Any, questions: bool) -> Any:
        mark = "query: " if questions else "passage: "
        return model.encode([mark + t for t in texts], normalize_embeddings=True, show_progress_bar=False)

    return embed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embed", action="store_true", help="rank by e5 embeddings too")
    parser.add_argument("--questions", type=int, default=300)
    arguments = parser.parse_args()
    train, held = split(DATA)
    embed = e5() if arguments.embed else None
    for most in (50, 500):
        catalogue, names = merged([*held, *train], most)
        asked = [
            (triple, {names[id(world), n] for n in needed(read_plan(triple.plan))})
            for world in held
            if any(w == id(world) for w, _ in names)
            for triple in world.triples
            if needed(read_plan(triple.plan))
        ]
        step = max(1, len(asked) // arguments.questions)
        whole, share, size, seconds = measure(catalogue, asked[::step], embed)
        datasets = sum(len(s.datasets) for s in catalogue.sources.values())
        print(
            f"{datasets} datasets, {len(asked[::step])} questions: all needed {whole:.3f}, of datasets {share:.3f}, "
            f"{size:.1f} shown, {seconds * 1000:.0f} ms"
        )


if __name__ == "__main__":
    main()
