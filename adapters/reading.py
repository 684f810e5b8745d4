"""A value as it stands on a board, before it is understood."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from adapters.base import Value
from adapters.errors import FormatError
from adapters.values import canonical

__all__ = ["Reading"]

_PER_CENT = re.compile(r"[%％]")
_CUT = re.compile(r"(…|\.\.\.)$")
CLOSE = 0.1  # a shown "136k" and its exact 135,623 differ by less than this share


@dataclass(frozen=True, slots=True)
class Reading:
    """`text` is what is shown; `exact` what its `title` attribute says, often the value before rounding; `raw` the
    value itself where a reply of the page gave it. `column` is the header as shown, `path` a JSONPath within the
    reply, `score` the OCR's confidence, 0 to 1, `unit` what the board leaves out ("%")."""

    text: str
    raw: Any = None
    exact: str | None = None
    column: str | None = None
    path: str | None = None
    score: float | None = None
    unit: str = ""

    def understood(self, field_type: str) -> tuple[Value, str]:
        """The canonical value and the words that it was read from. Raises FormatError.

        The exact value is preferred where it is one and agrees with what is shown. A percent sign in the header
        holds for the whole column.
        """
        if self.path is not None:
            return canonical(self.raw, field_type), self.text
        shown = self._with_unit(self.text, field_type)
        exact = (self.exact or "").strip()
        if not exact or exact == self.text:
            return canonical(shown, field_type), self.text
        if field_type == "text":
            words = exact if _CUT.search(self.text) else self.text
            return canonical(words, field_type), words
        try:
            value = canonical(self._with_unit(exact, field_type), field_type)
        except FormatError:
            return canonical(shown, field_type), self.text  # a tooltip, not a value
        try:
            rounded = canonical(shown, field_type)
        except FormatError:
            return value, exact
        return (value, exact) if _agree(value, rounded) else (rounded, self.text)

    def _with_unit(self, text: str, field_type: str) -> str:
        per_cent = field_type == "percent" and self.column and _PER_CENT.search(self.column)
        unit = self.unit or ("%" if per_cent else "")
        return f"{text.strip()}{unit}" if unit and re.search(r"\d\s*$", text) else text


def _agree(exact: Value, rounded: Value) -> bool:
    if isinstance(exact, int | float) and isinstance(rounded, int | float):
        return abs(exact - rounded) <= CLOSE * max(abs(exact), abs(rounded))
    return exact == rounded
