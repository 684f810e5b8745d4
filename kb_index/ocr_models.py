"""Lays out the PP-OCRv6 small weights that the rapidocr wheel carries (Apache-2.0) as PaddleOCR wants them: one
folder a model with `inference.onnx` and `inference.yml`. Nothing is downloaded."""

from __future__ import annotations

import importlib.util
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from kb_index.errors import NoModel

__all__ = ["DETECTION", "RECOGNITION", "lay_out"]

DETECTION = "PP-OCRv6_small_det"
RECOGNITION = "PP-OCRv6_small_rec"

_WEIGHTS = {DETECTION: "PP-OCRv6_det_small.onnx", RECOGNITION: "PP-OCRv6_rec_small.onnx"}
# the wheel has no inference.yml; these are the values that PaddleOCR publishes with the same weights
_DECODE = {"DecodeImage": {"channel_first": False, "img_mode": "BGR"}}
_DETECTION_YML: dict[str, Any] = {
    "Global": {"model_name": DETECTION},
    "PreProcess": {
        "transform_ops": [
            _DECODE,
            {"DetResizeForTest": {"resize_long": 960}},
            {
                "NormalizeImage": {
                    "mean": [0.485, 0.456, 0.406],  # ImageNet's
                    "std": [0.229, 0.224, 0.225],
                    "scale": "1./255.",
                    "order": "hwc",
                }
            },
            {"ToCHWImage": None},
        ]
    },
    "PostProcess": {
        "name": "DBPostProcess",
        "thresh": 0.3,
        "box_thresh": 0.6,
        "max_candidates": 1000,
        "unclip_ratio": 1.5,
    },
}


def lay_out(home: Path) -> Path:
    """The folder with both models, made at the first call, about 2 s and 32 MB. Idempotent, and safe when several
    processes do it at once. Raises NoModel when the wheel is not installed."""
    root = home / "models" / "pp-ocrv6-small"
    if all((root / name / "inference.yml").is_file() for name in _WEIGHTS):
        return root
    wheel = _wheel()
    root.mkdir(parents=True, exist_ok=True)
    for name, weights in _WEIGHTS.items():
        target = root / name
        if (target / "inference.yml").is_file():
            continue
        with tempfile.TemporaryDirectory(dir=root, prefix=f".{name}-") as scratch:
            folder = Path(scratch) / name
            folder.mkdir()
            shutil.copyfile(wheel / weights, folder / "inference.onnx")
            _write_yml(folder / "inference.yml", name, folder / "inference.onnx")
            try:
                os.rename(folder, target)
            except OSError:
                if not (target / "inference.yml").is_file():
                    raise
    return root


def _wheel() -> Path:
    try:
        spec = importlib.util.find_spec("rapidocr")
    except (ImportError, ValueError):
        spec = None
    folder = Path(spec.origin).parent / "models" if spec and spec.origin else None
    if folder is None or not all((folder / weights).is_file() for weights in _WEIGHTS.values()):
        raise NoModel("OCR's weights are missing; please run: pip install --no-deps rapidocr==3.10.0")
    return folder


def _write_yml(path: Path, name: str, weights: Path) -> None:
    import yaml

    content = _DETECTION_YML if name == DETECTION else _recognition_yml(weights)
    path.write_text(yaml.safe_dump(content, allow_unicode=True, sort_keys=False), encoding="utf-8")


def _recognition_yml(weights: Path) -> dict[str, Any]:
    """The 18,708 characters that the model knows, in its own order, stand in the ONNX file's metadata."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(weights), providers=["CPUExecutionProvider"])
    characters = session.get_modelmeta().custom_metadata_map["character"].split("\n")
    return {
        "Global": {"model_name": RECOGNITION},
        "PreProcess": {"transform_ops": [_DECODE, {"RecResizeImg": {"image_shape": [3, 48, 320]}}]},
        "PostProcess": {"name": "CTCLabelDecode", "character_dict": characters},
    }
