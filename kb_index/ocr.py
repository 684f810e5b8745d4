"""Reads the words in a picture with PaddleOCR on onnxruntime, offline.

One engine a process, made at first use (import and load take about 12 s, once) and used by one thread at a time:
it holds some 600 MB and is not made for concurrent calls.
"""

from __future__ import annotations

import concurrent.futures
import logging
import os
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kb_index.errors import BadPicture
from kb_index.ocr_models import DETECTION, RECOGNITION, lay_out

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["TextBox", "pixels_of", "read_text", "warm_up"]

LONGEST_SIDE = 1920  # of what detection sees; bounds its memory (3.4 GB without, at twice the scale)

_guard = threading.Lock()
_worker: ThreadPoolExecutor | None = None
_engine: Any = None  # touched by the worker's one thread only


@dataclass(frozen=True, slots=True)
class TextBox:
    """One line of text and where it stands, in pixels of the picture from its top left; `score` is 0 to 1."""

    text: str
    score: float
    left: float
    top: float
    right: float
    bottom: float

    @property
    def x(self) -> float:
        return (self.left + self.right) / 2

    @property
    def y(self) -> float:
        return (self.top + self.bottom) / 2

    @property
    def height(self) -> float:
        return self.bottom - self.top


def read_text(pixels: NDArray[np.uint8], home: Path, timeout_s: float = 120.0) -> list[TextBox]:
    """The lines of text in a picture (see `pixels_of`), from top to bottom. `home` holds the models.

    Raises TimeoutError when the engine is not through after `timeout_s`, NoModel when its weights are not installed.
    """
    try:
        boxes: list[TextBox] = _submit(_read, pixels, home).result(max(timeout_s, 0.0))
    except concurrent.futures.TimeoutError:
        raise TimeoutError(f"OCR was not through within {timeout_s:.1f} s") from None
    return boxes


def warm_up(home: Path) -> None:
    """Begins to load the engine, so that it is there when the first picture is."""
    if _engine is None:
        _submit(_loaded, home)


def pixels_of(png: bytes) -> NDArray[np.uint8]:
    """Height × width × 3, in OpenCV's order blue, green, red. Raises BadPicture."""
    import cv2
    import numpy as np

    pixels = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR) if png else None
    if pixels is None:
        raise BadPicture("the picture cannot be decoded")
    return pixels.astype(np.uint8)


def _submit(work: Any, *arguments: Any) -> Future[Any]:
    global _worker
    with _guard:
        if _worker is None:
            _worker = ThreadPoolExecutor(1, thread_name_prefix="assay-ocr")
        return _worker.submit(work, *arguments)


def _read(pixels: NDArray[np.uint8], home: Path) -> list[TextBox]:
    found = _loaded(home).predict(pixels)[0]
    boxes = [
        TextBox(str(text), float(score), *(float(side) for side in box))
        for text, score, box in zip(found["rec_texts"], found["rec_scores"], found["rec_boxes"], strict=True)
        if str(text).strip()
    ]
    return sorted(boxes, key=lambda b: (b.y, b.x))


def _loaded(home: Path) -> Any:
    global _engine
    if _engine is None:
        models = lay_out(home)
        os.environ.setdefault("PADDLE_PDX_DISABLE_MODEL_SOURCE_CHECK", "True")  # it would ask model hosts
        os.environ.setdefault("PADDLE_PDX_CACHE_HOME", str(home / "cache" / "paddlex"))
        from paddleocr import PaddleOCR

        logging.getLogger("paddlex").setLevel(logging.ERROR)  # it writes "Creating model" to the terminal
        _engine = PaddleOCR(
            engine="onnxruntime",
            engine_config={"enable_cpu_mem_arena": False},  # peak memory 770 instead of 1181 MB
            text_detection_model_name=DETECTION,
            text_detection_model_dir=str(models / DETECTION),
            text_recognition_model_name=RECOGNITION,
            text_recognition_model_dir=str(models / RECOGNITION),
            use_doc_orientation_classify=False,  # each of the three would be downloaded
            use_doc_unwarping=False,
            use_textline_orientation=False,
            text_det_limit_side_len=LONGEST_SIDE,
            text_det_limit_type="max",
        )
    return _engine
