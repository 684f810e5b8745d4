"""Each source's own validation: ask it for a little, as a run would, and look at what comes back."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from adapters.base import Evidence, Query, Resources
from adapters.errors import SourceError
from executor.attempts import ask
from executor.settings import ExecutorSettings
from executor.sources import OpenSource, Sources
from planner.catalogue import Catalogue, Source
from planner.validation import parse_validation

__all__ = ["SourceCheck", "check_sources"]


@dataclass(frozen=True, slots=True)
class SourceCheck:
    """One dataset's check; `dataset` is "" for a source with side effects, which is only pinged."""

    source: str
    kind: str
    dataset: str
    ok: bool
    rows: int | None
    seconds: float
    message: str


def check_sources(
    catalogue: Catalogue, resources: Resources, names: Iterable[str] | None = None
) -> list[SourceCheck]:
    """Checks the named sources (all without names), several at a time, in the catalogue's order.

    Timeouts and retries are the source's own, so that a check finds what a run would.
    """
    wanted = [s for s in catalogue.sources.values() if names is None or s.name in set(names)]
    sources = Sources(catalogue, resources, ExecutorSettings(), {})
    try:
        with ThreadPoolExecutor(max_workers=4) as pool:
            return [
                result for results in pool.map(lambda s: _check(s, sources), wanted) for result in results
            ]
    finally:
        sources.close()


def _check(source: Source, sources: Sources) -> list[SourceCheck]:
    begun = time.monotonic()
    try:
        opened = sources.open(source.name, source.access or ())
        if source.side_effect:
            opened.adapter().ping(source.timeout_s)
            return [_result(source, "", begun, "reachable; nothing was written", ok=True)]
        queries = opened.adapter().probe()
    except SourceError as e:
        return [_result(source, "", begun, e.message)]
    except Exception as e:  # outside code; the other sources are still to be checked
        return [_result(source, "", begun, f"source {source.name}: a bug: {type(e).__name__}: {e}")]
    return [_probe(source, opened, replace(q, timeout_s=source.timeout_s)) for q in queries]


def _probe(source: Source, opened: OpenSource, query: Query) -> SourceCheck:
    begun = time.monotonic()
    outcome = ask(
        opened, query, retries=source.max_retries, settings=ExecutorSettings(), emit=lambda _: None,
        goal_id=f"check {source.name}", stop=threading.Event(),
    )  # fmt: skip
    evidence = outcome.evidence
    if evidence is None:
        return _result(source, query.dataset, begun, outcome.error.message if outcome.error else "no reply")
    missing = _missing(source, query.dataset, evidence)
    return _result(
        source, query.dataset, begun, missing or evidence.summary, ok=not missing, rows=len(evidence.rows)
    )


def _missing(source: Source, dataset: str, evidence: Evidence) -> str:
    """What the evidence lacks of the dataset's fields and of at least one row; "" when nothing."""
    fields = () if evidence.kind == "text" else source.dataset(dataset).fields  # type: ignore[union-attr]
    named = ", ".join(f'"{f.name}"' for f in fields)
    columns = f"has_columns: [{named}] AND " if fields else ""
    verdict = parse_validation(f"{columns}rows >= 1").check(evidence)
    return "; ".join(f"{c.clause}: {c.measured}" for c in verdict.failed())


def _result(
    source: Source, dataset: str, begun: float, message: str, *, ok: bool = False, rows: int | None = None
) -> SourceCheck:
    return SourceCheck(source.name, source.kind, dataset, ok, rows, time.monotonic() - begun, message)
