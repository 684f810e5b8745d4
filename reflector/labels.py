"""How fields, values and keys are called in the answer's language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from adapters.base import Value
from adapters.values import show
from planner.catalogue import Catalogue, Field
from reflector.phrases import Language, say

__all__ = ["Labels", "amount", "percent", "points", "unit_of"]

_CJK = re.compile(r"[\u3400-\u9fff]")
_CODE = re.compile(r"[\w.#/-]{1,24}", re.ASCII)
_TIME = re.compile(r"\d{4}(-\d{2}(-\d{2}.*)?|-Q\d|-W\d\d)")


class Labels:
    """`preferred` are the datasets that the plan reads, as (source, dataset): their words for a field come first."""

    def __init__(
        self, catalogue: Catalogue, language: Language, preferred: Sequence[tuple[str, str]]
    ) -> None:
        self.language = language
        self._fields: dict[str, Field] = {}
        for source, dataset in preferred:
            found = catalogue.dataset(source, dataset)
            for f in found.fields if found else ():
                self._fields.setdefault(f.name, f)
        for s in catalogue.sources.values():
            for d in s.datasets:
                for f in d.fields:
                    self._fields.setdefault(f.name, f)

    def field(self, name: str) -> str:
        """The first synonym in the answer's language, else the field's name."""
        base, _, grain = name.partition(":")
        known = self._fields.get(base)
        words = known.synonyms if known else ()
        chinese = self.language == "zh"
        label = next(
            (w for w in words if bool(_CJK.search(w)) == chinese), base if chinese else base.replace("_", " ")
        )
        return f"{label}:{grain}" if grain else label

    def words(self, name: str) -> tuple[str, ...]:
        """All words for a field, its name included, longest first."""
        known = self._fields.get(name)
        return tuple(sorted({name, *(known.synonyms if known else ())}, key=len, reverse=True))

    def value(self, field: str, value: Value, types: Mapping[str, str]) -> str:
        """A key's value by which a reader knows what it is: A → A产品, "product A"; 华东 stays 华东."""
        text = amount(value, types.get(field, "text"))
        if (
            not isinstance(value, str)
            or _CJK.search(text)
            or not _CODE.fullmatch(text)
            or _TIME.fullmatch(text)
        ):
            return text
        label = self.field(field)
        if label.casefold() in text.casefold():
            return text
        if self.language == "zh" and len(text) <= 2 and text.isalpha():
            return f"{text}{label}"
        return f"{label} {text}"

    def key(self, row: Mapping[str, Value], fields: Sequence[str], types: Mapping[str, str]) -> str:
        """The row's place among others: "A产品 华东 2024-01"."""
        parts = [self.value(f, row[f], types) for f in fields if row.get(f) is not None]
        return (" " if self.language == "zh" else ", ").join(parts)


def amount(value: Value, field_type: str) -> str:
    """As `adapters.values.show`, but a percentage keeps one decimal at least, so that a column reads evenly."""
    if field_type == "percent" and isinstance(value, int | float) and not isinstance(value, bool):
        text = f"{value * 100:,.2f}"
        return f"{text[:-1] if text.endswith('0') else text}%"
    return show(value, field_type)


def percent(value: float) -> str:
    """A share or a growth: one decimal. 0.25 → "25.0%" """
    return f"{value * 100:,.1f}%"


def points(value: float, language: Language) -> str:
    """A difference of two percentages, without its sign: 0.0185 → "1.85 个百分点", "1.85 pp"."""
    text = f"{abs(value) * 100:,.2f}".rstrip("0").rstrip(".")
    return say(language, "points", value=text)


def unit_of(field_type: str) -> str:
    return "%" if field_type == "percent" else ""
