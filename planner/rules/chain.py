"""The derive steps on one fetch: totals first where several rows fall together, then the operation asked for."""

from __future__ import annotations

import re

from planner.rules.fetch import Derive, Fetch, Operands
from planner.rules.intents import Intents
from planner.rules.lexicon import Table

__all__ = ["Chain", "main_measure", "subject_field"]

_ADDITIVE = ("integer", "money", "number")
_NO_SUM = re.compile(
    r"avg|average|mean|rate|score|index|price|\bper\b|_per_|ratio|均|率|分$|单价|指数|得分|评分|满意"
)


FREQUENT = 5  # how many of the commonest are shown when the question gives no number
# text that says what a record is about, best first
_SUBJECT = [
    re.compile(r"summary|subject|title|headline|摘要|标题|主题|主旨|概述"),
    re.compile(
        r"issue|problem|topic|reason|cause|symptom|fault|complaint|问题|事由|原因|故障|缘由|症状|诉求"
    ),
    re.compile(r"description|descr\b|content|detail|text|remark|note|comment|描述|内容|详情|说明|备注"),
]


def subject_field(table: Table) -> str | None:
    """The free-text field that says what a record is about."""
    free = [
        f
        for f in table.fields.values()
        if f.type == "text"
        and not f.values
        and f not in table.identities
        and f.name not in table.dataset.grain
    ]
    for words in _SUBJECT:
        for f in free:
            if any(words.search(n.lower()) for n in (f.name, *f.synonyms)):
                return f.name
    return None


_EXTREME = re.compile(r"how (?:low|high)|at its")


def main_measure(fetch: Fetch) -> str | None:
    """The measure asked for; the table's first when the question names nothing of it."""
    if fetch.measures or fetch.wanted:
        return next(iter(fetch.measures), None)
    return next(iter(fetch.table.measures), None)


class Chain:
    """`derives` tries the operations from the most to the least particular; the first that applies wins."""

    def __init__(self, fetch: Fetch, intents: Intents, offset: int) -> None:
        self.fetch, self.intents, self.offset = fetch, intents, offset
        self.out: list[Derive] = []
        self.counting = fetch.table.record and not fetch.measures
        self.measure = None if self.counting else main_measure(fetch)
        self.groups = [g for g in fetch.groups if g != fetch.time]
        if intents.which_time and fetch.time and fetch.periods() < 2:
            self.groups = [*(g for g in self.groups if g in fetch.filters[0]), self._bucketed()]
        self.time_by = [fetch.time] if fetch.time else []
        self.two_periods = fetch.periods() == 2
        self.compared = self.two_periods or len(fetch.ids) == 2 or fetch.listed() is not None

    def derives(self) -> list[Derive]:
        if self.measure is None and not self.counting:
            return []
        if (
            self.counting
            and not self.compared
            and any(f.name in self.fetch.filters[0] for f in self.fetch.table.identities[:1])
        ):
            return []  # one record: nothing to count or rank
        for attempt in (
            self._spread_of_records,
            self._share,
            self._growth,
            self._difference,
            self._trend,
            self._frequent,
            self._rank,
            self._count,
            self._total,
        ):
            if attempt():
                break
        return self.out

    def trend(self) -> list[Derive]:
        """The trend alone, where one is asked for beside another operation."""
        if self.measure is not None:
            self._trend()
        return self.out

    def _share(self) -> bool:
        by = [self.fetch.part] if self.fetch.part else self.groups
        growing = self.two_periods and "growth" in self.intents
        if "share" not in self.intents or not by or growing:
            return False
        inputs, value = self._values(by)
        self._add("share", inputs, value, by=by)
        if "rank" in self.intents and not self.fetch.part:
            self._ranked()
        return True

    def _growth(self) -> bool:
        baseline = any(
            a.time is not None and a.time.kind in ("compared", "yoy", "pop") for a in self.fetch.atoms
        )
        growing = "growth" in self.intents or (baseline and "difference" not in self.intents)
        pair = self.two_periods or len(self.fetch.ids) == 2
        if not (self.compared and growing and (pair or "difference" not in self.intents)):
            return False
        by = self.groups if len(self.fetch.ids) == 2 else [*self.groups, *self.time_by]
        inputs, value = self._totalled(by)
        self._add("growth", inputs, value, by=self.groups)
        if "rank" in self.intents:
            self._ranked()
        return True

    def _spread_of_records(self) -> bool:
        """关联 with a field of the records: how many there are for each of its values, in each period."""
        if not (self.counting and "correlate" in self.intents and self.groups):
            return False
        self._counted([*(self.time_by if self.compared else []), *self.groups])
        self._most_frequent()
        return True

    def _most_frequent(self) -> bool:
        """高频问题, top complaints: what the records are about, the commonest first."""
        table = self.fetch.table
        if not (self.counting and self.intents.frequent):
            return False
        subject = subject_field(table)
        if subject is None or subject in self.groups:
            return False
        first = self.fetch.ids[0]
        order = "asc" if self.intents.order == "asc" else "desc"
        self._add("count", [(first, None)], None, by=[subject], order=order, top=self.intents.top or FREQUENT)
        return True

    def _difference(self) -> bool:
        asked = (
            "difference" in self.intents
            or "growth" in self.intents
            or ("trend" in self.intents and self.two_periods)
        )
        if not (self.compared and asked):
            return False
        one = len(self.fetch.ids) == 1
        split = self.fetch.listed() if one and not self.two_periods else None
        by = [split] if split else self.groups
        inputs, value = self._totalled([*by, *self.time_by] if one and self.two_periods else by)
        self._add("difference", inputs, value, by=by)
        return True

    def _trend(self) -> bool:
        if "trend" not in self.intents or not self.fetch.time or not self._runs():
            return False
        inputs, value = self._values([*self.groups, self._bucketed()])
        self._add("trend", inputs, value, by=self.groups)
        if "rank" in self.intents and self.groups:
            self._ranked()
        return True

    def _frequent(self) -> bool:
        return not self.groups and self._most_frequent()

    def _rank(self) -> bool:
        if not self.groups and any(_EXTREME.match(self.intents.words.get(o, "")) for o in ("min", "max")):
            return False
        single = not self.fetch.spread([]) and not self.groups
        by = self.groups or self._open()
        if "rank" not in self.intents or single or not (by or not self.counting or "count" in self.intents):
            return False
        inputs, value = self._totalled(by)
        keep = [] if value == "value" or not self.fetch.groups else by
        self._add("rank", inputs, value, by=keep, order=self.intents.order, top=self.intents.top)
        return True

    def _count(self) -> bool:
        if self.fetch.table.record and self.measure and "count" in self.intents and "sum" in self.intents:
            self._counted(self.groups)
        if self.counting and "count" in self.intents:
            bucket = (
                [self._bucketed()]
                if self.intents.bucket and self.fetch.time and not self.intents.which_time
                else []
            )
            self._counted([*self.groups, *bucket])
        return self.counting

    def _total(self) -> bool:
        grouped = self.groups + (self.time_by if self.intents.bucket else [])
        for operation in ("mean", "max", "min", "sum"):
            if operation in self.intents and self.fetch.spread(grouped):
                self._add(operation, [(self.fetch.ids[0], None)], self.measure, by=self.groups)
                return True
        return False

    def _add(
        self,
        operation: str,
        inputs: Operands,
        value: str | None,
        *,
        by: list[str] | None = None,
        order: str | None = None,
        top: int | None = None,
    ) -> None:
        self.out.append(Derive(operation, inputs, value, by or [], order, top))

    def _last(self) -> str:
        return f"d{self.offset + len(self.out) - 1}"

    def _ranked(self) -> None:
        self._add("rank", [(self._last(), None)], "value", order=self.intents.order, top=self.intents.top)

    def _counted(self, by: list[str]) -> Operands:
        """Rows as numbers: one count for each sub-goal."""
        made: Operands = []
        for step in self.fetch.ids:
            self._add("count", [(step, None)], None, by=by)
            made.append((self._last(), None))
        return made

    def _values(self, by: list[str]) -> tuple[Operands, str | None]:
        """The measure of the first fetch as it is, or counts of its records."""
        return (self._counted(by), "value") if self.counting else ([(self.fetch.ids[0], None)], self.measure)

    def _totalled(self, by: list[str]) -> tuple[Operands, str | None]:
        """Each sub-goal's rows brought down to one value per group."""
        if self.counting:
            return self._counted(by), "value"
        if self.measure is None or not self.fetch.spread(by):
            return [(step, None) for step in self.fetch.ids], self.measure
        operation = "sum" if self._adds_up(self.measure) and "mean" not in self.intents else "mean"
        made: Operands = []
        for step in self.fetch.ids:
            self._add(operation, [(step, None)], self.measure, by=by)
            made.append((self._last(), None))
        return made, "value"

    def _adds_up(self, measure: str) -> bool:
        f = self.fetch.table.fields[measure]
        return f.type in _ADDITIVE and not any(_NO_SUM.search(n.lower()) for n in (f.name, *f.synonyms))

    def _bucketed(self) -> str:
        f = self.fetch.table.fields[self.fetch.time or ""]
        if f.type not in ("date", "datetime"):
            return f.name
        bucket = (
            self.intents.bucket if self.intents.bucket in ("week", "month", "quarter", "year") else "month"
        )
        return f"{f.name}:{bucket}"

    def _runs(self) -> bool:
        """Time is fetched as a run of several periods."""
        value = self.fetch.filters[0].get(self.fetch.time or "")
        return value is None or isinstance(value, dict) or (isinstance(value, list) and len(value) > 2)

    def _open(self) -> list[str]:
        """Grain fields that no filter fixes; neither time nor the ids of records."""
        table, fixed = self.fetch.table, self.fetch.filters[0]
        fields = [table.fields[n] for n in table.dataset.grain if n in table.fields and n not in fixed]
        return [
            f.name
            for f in fields
            if f not in table.time_fields and not (table.record and f in table.identities)
        ]
