"""What the rules see of a question, as numbers beside each item and spot: evidence for the encoder, never a decision."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from planner.built_in_params import OPERATIONS
from planner.catalogue import FieldType
from planner.compact.lines import CompactPlan
from planner.encoder.items import Items
from planner.encoder.labels import FLAGS, ROLES, Labels, label
from planner.encoder.skeletons import MISSING
from planner.encoder.spots import Reading
from planner.errors import PlannerError
from planner.rules.choose import Evidence, score_table
from planner.rules.concepts import conceived
from planner.rules.free_values import attach
from planner.rules.intents import read_intents
from planner.rules.text import is_cjk

__all__ = ["DRAFTED", "GLOBAL", "ITEM", "PAIR", "SPOT", "Features", "features"]

Floats = npt.NDArray[np.float32]
_TYPES = get_args(FieldType)
_UNITS = ("day", "week", "month", "quarter", "half", "year")
_LEVEL = {"date": 0, "datetime": 0, "month": 2, "quarter": 3}
DRAFTED = (
    len(ROLES) + 2
)  # the first features of an item: what the draft decides of it, with first and second operand
ITEM = DRAFTED + 10 + len(_TYPES) + 4
SPOT = 5 + len(_UNITS) + 6
PAIR = 4
GLOBAL = 2 * len(OPERATIONS) + len(FLAGS) + 12


@dataclass(slots=True)
class Features:
    """`items` [N, ITEM], `spots` [S, SPOT], `pairs` [S, N, PAIR] (the first is 1 where the spot may fill the item),
    `whole` [GLOBAL], `links` [N] → stretches of the question that name the item, with weights."""

    items: Floats
    spots: Floats
    pairs: Floats
    whole: Floats
    links: list[tuple[int, int, int, float]]  # item, start, end, weight


def features(
    question: str, today: date, items: Items, reading: Reading, draft: CompactPlan | None
) -> Features:
    """`draft` is the rule planner's plan, None when it made none."""
    made = _Made(question, items, reading)
    made.drafted(draft)
    made.mentioned()
    made.described()
    made.paired()
    made.global_(draft)
    return Features(made.items_, made.spots, made.pairs, made.whole, made.links)


class _Made:
    def __init__(self, question: str, items: Items, reading: Reading) -> None:
        self.question, self.items, self.reading = question, items, reading
        n, s = len(items.all), len(reading.spots)
        self.items_: Floats = np.zeros((n, ITEM), np.float32)
        self.spots: Floats = np.zeros((s, SPOT), np.float32)
        self.pairs: Floats = np.zeros((s, n, PAIR), np.float32)
        self.whole: Floats = np.zeros(GLOBAL, np.float32)
        self.links: list[tuple[int, int, int, float]] = []
        self.evidence = Evidence(
            reading.text, reading.mentions, reading.frees, reading.spans, [(0, len(reading.text.folded))]
        )

    def drafted(self, draft: CompactPlan | None) -> None:
        labels = self._labels(draft)
        for r, role in enumerate(ROLES):
            for at, holds in labels.roles[role].items():
                self.items_[at, r] = holds
        for k, operand in enumerate((labels.first, labels.second)):
            if operand is not None:
                self.items_[operand, len(ROLES) + k] = 1
        for (s, at), holds in labels.fills.items():
            self.pairs[s, at, 1] = holds
            self.spots[s, 0] = max(self.spots[s, 0], holds)
        for s, holds in labels.tops.items():
            self.spots[s, 1] = holds
        for i, flag in enumerate(FLAGS):
            self.whole[i] = labels.flags.get(flag, False)
        for i, operation in enumerate(OPERATIONS):
            self.whole[len(FLAGS) + i] = f" {operation} " in f" {labels.shape} "
        at = len(FLAGS) + 2 * len(OPERATIONS)
        self.whole[at] = labels.shape == MISSING
        self.whole[at + 1] = labels.shape[:1].isdigit() and int(labels.shape[0]) / 3
        self.whole[at + 2] = "!" in labels.shape
        self.whole[at + 3] = draft is None

    def _labels(self, draft: CompactPlan | None) -> Labels:
        try:
            return label(
                draft or CompactPlan((), "nothing drafted"), self.question, self.items, self.reading.spots
            )
        except (KeyError, PlannerError):
            return Labels(MISSING)

    def mentioned(self) -> None:
        items, at = self.items, DRAFTED
        length = max(1, len(self.question))
        for m in self.reading.mentions:
            for kind, key, name, value in m.targets:
                found = {
                    "field": items.fields.get((key, name)),
                    "value": items.values.get((name, value)),
                    "dataset": items.tables.get(key),
                    "source": items.sources.get((key, name), items.tables.get(key)),
                }[kind]
                if found is None:
                    continue
                row = self.items_[found]
                if row[at] < m.weight:
                    row[at] = m.weight
                    row[at + 2] = m.start / length
                row[at + 1] = max(row[at + 1], m.weight / len(m.targets))
                row[at + 3] = min(3, row[at + 3] + 1)
                row[at + 4] = max(row[at + 4], m.weight >= 0.95)
                self.links.append((found, m.start, m.end, float(m.weight)))

    def described(self) -> None:
        items, at = self.items, DRAFTED + 5
        scores = {}
        for key, table in items.lexicon.tables.items():
            if table.readable:
                scores[key] = score_table(table, self.evidence, self.evidence.active, first=True)
        best = max(scores.values(), default=0.0)
        for key, score in scores.items():
            self.items_[items.tables[key], at : at + 2] = score / 3, (score - best) / 3
        folded = self.reading.text.folded
        for key, i in items.tables.items():
            table = items.lexicon.tables[key]
            self.items_[i, at + 2] = table.record
            self.items_[i, at + 3] = bool(table.time_fields)
            self.items_[i, at + 4] = len(table.holders) > 1
        for (key, name), i in items.fields.items():
            table = items.lexicon.tables[key]
            row = self.items_[i]
            f = table.fields[name]
            row[at] = name in table.dataset.grain
            row[at + 1] = table.record
            row[at + 2] = name in (conceived(folded, table) if table.readable else ())
            row[at + 3] = len(table.measures) / 5
            row[at + 4] = len(f.values) / 10
            row[DRAFTED + 10 + _TYPES.index(f.type)] = 1

    def paired(self) -> None:
        reading = self.reading
        end = DRAFTED + 10 + len(_TYPES)
        for s, spot in enumerate(reading.spots):
            row = self.spots[s]
            if spot.span is not None:
                row[2] = 1
                row[5 + _UNITS.index(spot.span.unit)] = 1
                row[11] = spot.span.running
                row[12] = spot.span.kind != "span"
                row[13] = spot.span.first is None or spot.span.last is None
            elif spot.number is not None:
                row[3] = 1
                row[14] = {"": 0.0, ">": 1.0, "<": -1.0}[spot.sign[:1]]
                row[15] = spot.percent
                row[16] = spot.number < 11
            else:
                row[4] = 1
                row[11] = spot.kind == "quoted"
                row[12] = spot.kind == "id"
        free = {f.start: f for f in reading.frees}
        for (key, name), i in self.items.fields.items():
            table = self.items.lexicon.tables[key]
            f = table.fields[name]
            for s, spot in enumerate(reading.spots):
                if spot.fills(f) is None:
                    continue
                self.pairs[s, i, 0] = 1
                if spot.span is not None:
                    level = _LEVEL.get(f.type, 5)
                    unit = _LEVEL.get(
                        spot.span.unit,
                        {"day": 0, "week": 0, "month": 2, "half": 3, "year": 5}.get(spot.span.unit, 3),
                    )
                    self.pairs[s, i, 2] = level == unit
                    self.pairs[s, i, 3] = level > unit
                    self.items_[i, end] = 1
        for key, table in self.items.lexicon.tables.items():
            for s, spot in enumerate(reading.spots):
                if spot.text and spot.start in free and not table.document:
                    place = attach(free[spot.start], table, reading.mentions, reading.text)
                    if place is not None:
                        i = self.items.fields[key, place[0]]
                        self.pairs[s, i, 2] = place[1]
                        self.items_[i, end + 1] = max(self.items_[i, end + 1], place[1])
                        at = self.items.tables[key]
                        self.items_[at, end + 2] = max(self.items_[at, end + 2], place[1])

    def global_(self, draft: CompactPlan | None) -> None:
        intents = read_intents(self.evidence)
        at = len(FLAGS) + len(OPERATIONS)
        for i, operation in enumerate(OPERATIONS):
            self.whole[at + i] = operation in intents
        at += len(OPERATIONS) + 4
        spans = [s for s in self.reading.spots if s.span is not None]
        told: list[Any] = [
            is_cjk(self.question),
            len(spans) == 0,
            len(spans) == 1,
            len(spans) > 1,
            intents.order == "asc",
            intents.top is not None,
            intents.which_time,
            min(1.0, len(self.question) / 80),
        ]
        self.whole[at : at + len(told)] = told
