"""OCR on a real picture, and the layout of its models."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import yaml

from adapters.errors import FormatError, Timeout
from adapters.ocr import TextBox, read_text
from kb_index.ocr_models import DETECTION, RECOGNITION, lay_out

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
LINES = ["42.2%", "1,599", "2024Q1", "-3.75", "VIP"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def png() -> bytes:
    import cv2

    pixels = np.full((300, 420, 3), 255, np.uint8)
    for i, text in enumerate(LINES):
        cv2.putText(
            pixels, text, (40, 50 + 52 * i), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (40, 40, 40), 2, cv2.LINE_AA
        )
    return bytes(cv2.imencode(".png", pixels)[1].tobytes())


def test_models_are_laid_out_once(home: Path) -> None:
    with ThreadPoolExecutor(2) as pool:  # two at once do no harm
        first, second = pool.map(lay_out, [home, home])
    assert first == second
    stamps = {p: p.stat().st_mtime_ns for p in first.rglob("*")}
    assert lay_out(home) == first
    assert stamps == {p: p.stat().st_mtime_ns for p in first.rglob("*")}
    assert {p.name for p in first.iterdir()} == {DETECTION, RECOGNITION}
    content = yaml.safe_load((first / RECOGNITION / "inference.yml").read_text(encoding="utf-8"))
    characters = content["PostProcess"]["character_dict"]
    assert len(characters) == 18_708
    assert {"0", "%", "率"} <= set(characters)


def test_lines_are_read_with_place_and_score(home: Path, png: bytes) -> None:
    boxes = read_text(png, home)
    assert [b.text for b in boxes] == LINES
    assert all(b.score > 0.8 for b in boxes)
    assert all(30 < b.left < 60 and b.right < 260 for b in boxes)
    assert boxes == sorted(boxes, key=lambda b: b.y)


def test_several_threads_share_the_engine(home: Path, png: bytes) -> None:
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda _: read_text(png, home), range(3)))
    assert [[b.text for b in boxes] for boxes in found] == [LINES] * 3


def test_empty_picture_has_no_text(home: Path) -> None:
    import cv2

    assert read_text(cv2.imencode(".png", np.full((80, 80, 3), 255, np.uint8))[1].tobytes(), home) == []


def test_no_picture_is_a_format_error(home: Path) -> None:
    with pytest.raises(FormatError, match="cannot be decoded"):
        read_text(b"no picture", home)


def test_too_little_time_is_a_timeout(home: Path, png: bytes) -> None:
    with pytest.raises(Timeout, match="not through within"):
        read_text(png, home, timeout_s=0)


def test_box_has_its_middle() -> None:
    box = TextBox("a", 1.0, 10, 20, 30, 60)
    assert (box.x, box.y, box.height) == (20, 40, 40)


def test_nothing_goes_to_the_network(home: Path, png: bytes, tmp_path: Path) -> None:
    """In a process of its own, where the engine is loaded for the first time."""
    picture = tmp_path / "lines.png"
    picture.write_bytes(png)
    script = """
import socket, sys
asked = []
def refused(*arguments, **named):
    asked.append(arguments)
    raise OSError("no network here")
socket.getaddrinfo = socket.create_connection = socket.socket.connect = refused
from pathlib import Path
from adapters.ocr import read_text
boxes = read_text(Path(sys.argv[1]).read_bytes(), Path(sys.argv[2]))
print(len(boxes), asked)
"""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("PADDLE")}
    done = subprocess.run(
        [sys.executable, "-c", script, str(picture), str(home)],
        env=clean, cwd=ROOT, capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines()[-1] == f"{len(LINES)} []"
