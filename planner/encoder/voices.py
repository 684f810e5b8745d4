"""Several trained networks heard as one: the mean of what each says, as logits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from planner.encoder.forward import Outputs
from planner.encoder.skeletons import OTHER

__all__ = ["heard"]

Floats = npt.NDArray[np.float32]


def heard(outputs: Sequence[Outputs], names: Sequence[list[str]]) -> tuple[Outputs, list[str]]:
    """The mean, and the names of its shapes: all that any network knows. A shape unknown to one is its `other`."""
    if len(outputs) == 1:
        return outputs[0], names[0]
    known = list(dict.fromkeys(n for own in names for n in own))
    shapes = [
        _log_softmax(out.shapes)[[own.index(n) if n in own else own.index(OTHER) for n in known]]
        for out, own in zip(outputs, names, strict=True)
    ]
    several = {
        part: _mean([_log_softmax(getattr(out, part)) for out in outputs])
        for part in ("pointers", "signs", "endings")
    }
    single = {
        part: _mean([getattr(out, part) for out in outputs])
        for part in ("roles", "pairs", "tops", "tags", "flags")
    }
    return Outputs(**single, **several, shapes=_mean(shapes)), known


def _mean(parts: Sequence[Floats]) -> Floats:
    made: Floats = np.mean(np.stack(parts), axis=0, dtype=np.float32)
    return made


def _log_softmax(x: Floats) -> Floats:
    if not x.size:
        return x
    shifted = x - x.max(-1, keepdims=True)
    made: Floats = (shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))).astype(np.float32)
    return made
