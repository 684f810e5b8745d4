"""Other questions of the same meaning: other listed values, ids, numbers and years in question and plan alike;
and other catalogues of the same meaning: fewer datasets and synonyms, another order.

A change is kept only when the changed plan expands on its catalogue and its times are still the same tags."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date
from random import Random

from planner.catalogue import Catalogue, Dataset, Field, Source
from planner.compact import (
    CompactPlan,
    DocumentLine,
    FetchLine,
    Line,
    Range,
    WriteLine,
    expand,
    read_plan,
    show_plan,
)
from planner.compact.tags import read_times, tag, tag_fields
from planner.errors import PlanError
from planner.prompt import flat
from planner.rules.lexicon import Lexicon
from planner.training.triples import Triple, World

__all__ = ["shown", "varied", "varied_world"]

_YEAR = re.compile(r"(?<!\d)20[12]\d(?!\d)")
_NUMBER = re.compile(r"[<>=]\s*(\d{2,})\b")
_TAGS = re.compile(r"\bT\d{1,2}[az]?\b")
Text = Callable[[str], str]


def varied(triple: Triple, catalogue: Catalogue, lexicon: Lexicon, rng: Random) -> Triple:
    """The triple with some of its values changed; itself where no change holds."""
    plan = read_plan(triple.plan)
    if plan.missing is not None:
        return triple
    swapped = {v: w for v, w in _others(plan, triple.question, catalogue, rng).items() if rng.random() < 0.7}
    found = _checked(_replaced(triple, plan, swapped), triple, catalogue, lexicon) if swapped else triple
    if _YEAR.search(found.question) and rng.random() < 0.5:
        found = _checked(_moved(found, rng.choice((-2, -1, 1, 2))), found, catalogue, lexicon)
    return found


def varied_world(world: World, seed: int) -> World:
    """The world with each triple varied; always the same for the same seed."""
    lexicon, rng = Lexicon(world.catalogue), Random(f"{seed} {world.name}")
    return replace(world, triples=tuple(varied(t, world.catalogue, lexicon, rng) for t in world.triples))


def _checked(new: Triple | None, old: Triple, catalogue: Catalogue, lexicon: Lexicon) -> Triple:
    if new is None:
        return old
    try:
        expand(read_plan(new.plan), new.question, catalogue, lexicon)
        same = _times(new, catalogue) == _times(old, catalogue)
    except (PlanError, ValueError):
        return old
    return new if same else old


def _times(triple: Triple, catalogue: Catalogue) -> list[str]:
    spans = read_times(triple.question, triple.today)
    return [str(len(spans)), *_TAGS.findall(flat(tag(triple.plan, spans, triple.today, catalogue)))]


def _others(plan: CompactPlan, question: str, catalogue: Catalogue, rng: Random) -> dict[str, str]:
    """What may stand for a value of the plan that the question holds verbatim."""
    chosen: dict[str, str] = {}
    for line in plan.lines:
        if line.when:
            for number in _NUMBER.findall(line.when):
                if _found(number, question) and number not in chosen:
                    chosen[number] = _digits(number, rng)
        if not isinstance(line, FetchLine | WriteLine):
            continue
        fields = _fields(line, catalogue)
        for name, values in _plain(line).items():
            field = fields.get(name)
            if field is None or tag_fields(field) or not all(_found(v, question) for v in values):
                continue
            for value in values:
                if value in chosen:
                    continue
                if field.values:
                    free = [w for w in field.values if w not in question and w not in chosen.values()]
                    if free and value in field.values:
                        chosen[value] = rng.choice(free)
                elif len(re.sub(r"\D", "", value)) > 2:
                    chosen[value] = _digits(value, rng)
    return chosen


def _plain(line: FetchLine | WriteLine) -> dict[str, tuple[str, ...]]:
    if isinstance(line, WriteLine):
        return {n: (v,) for n, v in line.values.items() if isinstance(v, str)}
    return {n: a for n, a in line.filters.items() if not isinstance(a, Range)}


def _fields(line: FetchLine | WriteLine, catalogue: Catalogue) -> dict[str, Field]:
    written = isinstance(line, WriteLine)
    held = [s.dataset(line.dataset) for s in catalogue.holders(line.dataset) if s.side_effect == written]
    return {f.name: f for dataset in held if dataset for f in dataset.fields}


def _found(value: str, question: str) -> bool:
    if len(value) < 2 and not value.isascii():
        return False
    return bool(_pattern([value]).search(question)) and not _YEAR.fullmatch(value)


def _pattern(values: Iterable[str]) -> re.Pattern[str]:
    longest = sorted(values, key=len, reverse=True)
    bounded = [
        (r"(?<![0-9A-Za-z])" if v[0].isascii() else "")
        + re.escape(v)
        + (r"(?![0-9A-Za-z])" if v[-1].isascii() else "")
        for v in longest
    ]
    return re.compile("|".join(bounded))


def _digits(text: str, rng: Random) -> str:
    """The same shape with other digits; leading zeros and a leading year stay."""
    year = _YEAR.match(text)
    kept = year.end() if year and len(text) > 4 else len(text) - len(text.lstrip("0"))
    changed = [
        rng.choice("123456789" if i == kept else "0123456789") if c.isdigit() and i >= kept else c
        for i, c in enumerate(text)
    ]
    return "".join(changed)


def _replaced(triple: Triple, plan: CompactPlan, swapped: dict[str, str]) -> Triple:
    pattern = _pattern(swapped)

    def text(value: str) -> str:
        return pattern.sub(lambda m: swapped[m[0]], value)

    lines = tuple(_line(line, text, lambda v: swapped.get(v, v)) for line in plan.lines)
    return replace(triple, question=text(triple.question), plan=show_plan(CompactPlan(lines)))


def _line(line: Line, text: Text, value: Text) -> Line:
    when = text(line.when) if line.when else None
    if isinstance(line, DocumentLine):
        return replace(line, query=text(line.query), when=when)
    if isinstance(line, FetchLine):
        filters = {n: a if isinstance(a, Range) else tuple(map(value, a)) for n, a in line.filters.items()}
        return replace(line, filters=filters, when=when)
    if isinstance(line, WriteLine):
        values = {n: value(v) if isinstance(v, str) else v for n, v in line.values.items()}
        return replace(line, values=values, when=when)
    return replace(line, when=when)


def _moved(triple: Triple, years: int) -> Triple | None:
    """The same `years` later; None on a leap day."""

    def later(text: str) -> str:
        return _YEAR.sub(lambda m: str(int(m[0]) + years), text)

    try:
        today = date(triple.today.year + years, triple.today.month, triple.today.day)
    except ValueError:
        return None
    return replace(triple, question=later(triple.question), plan=later(triple.plan), today=today)


def shown(catalogue: Catalogue, needs: frozenset[str], rng: Random, *, others: float) -> Catalogue:
    """The catalogue with the datasets of `needs` (as `samples.datasets_of` names them) and each other one with
    the chance `others`; order and synonyms vary."""
    sources: list[Source] = []
    kept: dict[str, bool] = {}
    words = {p: rng.random() < p for p in (0.15, 0.2, 0.25)}
    for source in catalogue.sources.values():
        datasets = []
        for dataset in source.datasets:
            key = f"#{source.name}" if dataset.name == "documents" else dataset.name
            key = f"!{key}" if source.side_effect else key
            if kept.setdefault(key, key in needs or rng.random() < others):
                datasets.append(_varied_dataset(dataset, words, rng))
        if datasets:
            rng.shuffle(datasets)
            sources.append(source.model_copy(update={"datasets": tuple(datasets)}))
    rng.shuffle(sources)
    return Catalogue(sources={s.name: s for s in sources})


def _varied_dataset(dataset: Dataset, words: dict[float, bool], rng: Random) -> Dataset:
    fields = list(dataset.fields)
    if words[0.25]:
        rng.shuffle(fields)
    if words[0.15]:
        fields = [
            f.model_copy(update={"synonyms": tuple(s for s in f.synonyms if rng.random() < 0.6)})
            for f in fields
        ]
    if words[0.2]:
        fields = [f.model_copy(update={"value_synonyms": {}}) for f in fields]
    return dataset.model_copy(update={"fields": tuple(fields)})
