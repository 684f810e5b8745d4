"""Reads the words in a chart's picture. The engine is the knowledge index's own, one a process; the errors are the adapters'."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from adapters.errors import FormatError, Timeout, Unavailable
from kb_index import ocr
from kb_index.errors import BadPicture, NoModel
from kb_index.ocr import TextBox, warm_up

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["TextBox", "pixels_of", "read_text", "warm_up"]


def read_text(png: bytes, home: Path, timeout_s: float = 120.0) -> list[TextBox]:
    """The lines of text in a picture, from top to bottom.

    Raises Timeout when the engine is not through after `timeout_s`, FormatError when the bytes are no picture, Unavailable
    when its weights are not installed.
    """
    pixels = pixels_of(png)
    try:
        return ocr.read_text(pixels, home, timeout_s)
    except TimeoutError as e:
        raise Timeout(str(e)) from None
    except NoModel as e:
        raise Unavailable(e.message) from None


def pixels_of(png: bytes) -> NDArray[np.uint8]:
    """Height × width × 3, in OpenCV's order blue, green, red. Raises FormatError."""
    try:
        return ocr.pixels_of(png)
    except BadPicture:
        raise FormatError("the chart's picture cannot be decoded") from None
