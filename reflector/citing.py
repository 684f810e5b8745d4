"""Citations: each place is cited once, under the id that the text shows."""

from __future__ import annotations

from collections.abc import Iterable

from adapters.base import Locator
from reflector.decision import Citation

__all__ = ["Citations"]


class Citations:
    """Gives ids c1, c2, … in the order in which places are first cited."""

    def __init__(self) -> None:
        self._ids: dict[Locator, str] = {}
        self._steps: dict[Locator, str] = {}

    def cite(self, places: Iterable[Locator], step: str = "") -> tuple[str, ...]:
        """The ids of these places, each once, in their order. `step` is the sub-goal that read them."""
        out: list[str] = []
        for place in places:
            if place not in self._ids:
                self._ids[place] = f"c{len(self._ids) + 1}"
                self._steps[place] = step
            if self._ids[place] not in out:
                out.append(self._ids[place])
        return tuple(out)

    def all(self) -> tuple[Citation, ...]:
        return tuple(
            Citation(name, place.source, place.dataset, place, self._steps[place])
            for place, name in self._ids.items()
        )
