"""Several networks heard as one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from planner.encoder.forward import Outputs
from planner.encoder.predict import networks
from planner.encoder.skeletons import OTHER
from planner.encoder.voices import heard


def _said(shapes: list[float], role: float) -> Outputs:
    few = np.zeros((1, 3), np.float32)
    return Outputs(
        np.full((2, 8), role, np.float32), few, few, few[0], few, np.zeros((0, 4), np.float32), few[0], few[0],
        np.array(shapes, np.float32),
    )  # fmt: skip


def test_one_network_is_heard_as_it_is() -> None:
    out = _said([1, 2], 3)
    assert heard([out], [["a", OTHER]]) == (out, ["a", OTHER])


def test_decisions_are_the_mean_of_all() -> None:
    both, names = heard([_said([0, 0], 4), _said([0, 0], -2)], [["a", OTHER], ["a", OTHER]])
    assert names == ["a", OTHER]
    assert np.allclose(both.roles, 1)
    assert both.endings.shape == (0, 4)


def test_the_scale_of_a_network_does_not_make_it_louder() -> None:
    # a softmax is the same with 100 added to each logit
    plain, _ = heard([_said([3, 0], 0), _said([0, 3], 0)], [["a", OTHER]] * 2)
    moved, _ = heard([_said([103, 100], 0), _said([0, 3], 0)], [["a", OTHER]] * 2)
    assert np.allclose(plain.shapes, moved.shapes, atol=1e-5)


def test_a_shape_that_one_does_not_know_is_its_other() -> None:
    both, names = heard([_said([0, 5], 0), _said([0, 0, 0], 0)], [["a", OTHER], ["a", "b", OTHER]])
    assert names == ["a", OTHER, "b"]
    first = np.log(np.exp([0, 5]) / np.exp([0, 5]).sum())
    second = np.log(1 / 3)
    assert np.allclose(
        both.shapes, [(first[0] + second) / 2, (first[1] + second) / 2, (first[1] + second) / 2]
    )


def test_a_folder_without_networks_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="encoder"):
        networks(tmp_path)
