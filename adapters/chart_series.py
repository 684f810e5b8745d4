"""Tells the series of a chart apart: by the colour of the mark under a label and of the swatch beside a name in the
legend, else by their order from left to right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from adapters.ocr import TextBox

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["assign_series", "colour_in"]

COLOURED = 40  # between the strongest and the weakest channel, of 255; text and grid lines are grey
NEAR = 60.0  # distance in RGB below which two colours are one series'
REACH = 1.6  # of the text's height: how far a swatch or a mark is from its text

Colour = tuple[float, float, float]


def assign_series(
    labels: Sequence[TextBox], legend: Sequence[TextBox], pixels: NDArray[np.uint8] | None
) -> Mapping[str, TextBox] | None:
    """Series name → its label, for the labels of one category; None when they cannot be told apart."""
    if len(labels) != len(legend):
        return None
    by_colour = _bycolour_in(labels, legend, pixels) if pixels is not None else None
    if by_colour is not None:
        return by_colour
    ordered = sorted(labels, key=lambda b: b.x)
    apart = all(b.x - a.x > 0.5 * a.height for a, b in pairwise(ordered))
    return {name.text: label for name, label in zip(legend, ordered, strict=True)} if apart else None


def _bycolour_in(
    labels: Sequence[TextBox], legend: Sequence[TextBox], pixels: NDArray[np.uint8]
) -> Mapping[str, TextBox] | None:
    swatches = [
        colour_in(pixels, n.left - REACH * 1.6 * n.height, n.top, n.left - 1, n.bottom) for n in legend
    ]
    out: dict[str, TextBox] = {}
    for label in labels:
        mark = colour_in(pixels, label.left, label.bottom, label.right, label.bottom + REACH * label.height)
        if mark is None:
            return None
        distances = [(_distance(mark, s), i) for i, s in enumerate(swatches) if s is not None]
        if len(distances) != len(legend):
            return None
        distance, index = min(distances)
        name = legend[index].text
        if distance > NEAR or name in out:
            return None
        out[name] = label
    return out


def colour_in(
    pixels: NDArray[np.uint8], left: float, top: float, right: float, bottom: float
) -> Colour | None:
    """The median of the coloured pixels in the area; None when there are hardly any."""
    import numpy as np

    area = pixels[max(int(top), 0) : max(int(bottom), 0), max(int(left), 0) : max(int(right), 0)]
    if area.size == 0:
        return None
    flat = area.reshape(-1, 3).astype(int)
    coloured = flat[(flat.max(axis=1) - flat.min(axis=1)) >= COLOURED]
    if len(coloured) < 8:
        return None
    b, g, r = np.median(coloured, axis=0)
    return float(b), float(g), float(r)


def _distance(a: Colour, b: Colour) -> float:
    return float(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5)
