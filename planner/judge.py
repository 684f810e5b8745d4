"""`Judge`: how likely each option of a pool is right, measured on questions that no model was trained on."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from planner.errors import ModelsMissing
from planner.pool import FEATURES

__all__ = ["WEIGHTS", "Judge"]

WEIGHTS = Path(__file__).parent / "weights" / "judge.json"


@dataclass(frozen=True, slots=True)
class Judge:
    """A logistic model over `pool.FEATURES`; `version` names the weights. `generator`: fitted on pools that held the
    generator's plans too; without, these would be judged by nothing."""

    bias: float
    weights: tuple[float, ...]
    version: str
    generator: bool = False

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> Judge:
        """Raises ModelsMissing when the file is not there or was made for other features."""
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            named = dict(found["weights"])
            weights = tuple(float(named[f]) for f in FEATURES)
            return cls(float(found["bias"]), weights, str(found["version"]), bool(found["generator"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelsMissing(f"{path.name}: {type(error).__name__}: {error}; train it again") from error

    def probability(self, features: Sequence[float]) -> float:
        """0..1: that a plan with these features is the right one."""
        total = self.bias + math.fsum(w * x for w, x in zip(self.weights, features, strict=True))
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))
