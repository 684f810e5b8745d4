"""`Generator`: the local language model, in this process (llama.cpp by xllamacpp), writing under a grammar.

A prompt is a prefix, which stays the same from question to question and whose state is kept, and a part of its own.
Both are cut into tokens as training cut them: line feeds at the prefix's end go to the part behind it.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planner.errors import ModelsMissing, PlannerError

__all__ = ["ADAPTER", "Generator", "Written"]

ADAPTER = Path(__file__).parent / "weights" / "planner-lora.gguf"
CONTEXT = 3072  # tokens of prefix, question and plan
_BEGIN = 2  # Gemma's token that stands before every prompt
_LONGEST = 160  # tokens of a plan; the longest that people wrote has 125
SLOTS = 4  # texts sampled side by side
_BATCH = 256  # prompt tokens at once


@dataclass(frozen=True, slots=True)
class Written:
    """What the model wrote before the line feed. `logprobs`: natural, one a token, of the model without grammar and
    temperature. `finished` is False where the text was cut at its longest."""

    text: str
    logprobs: tuple[float, ...]
    finished: bool

    @property
    def logprob(self) -> float:
        return math.fsum(self.logprobs)


class Generator:
    """Loads at once, about 1 s and 400 MB, of which 250 MB are the file's own pages. One call at a time; further
    threads wait."""

    def __init__(
        self, weights: Path, adapter: Path | None, *, threads: int = 2, context: int = CONTEXT
    ) -> None:
        """`adapter` None: the base model, which knows nothing of plans. Raises ModelsMissing."""
        try:
            import xllamacpp
        except ImportError as error:
            raise ModelsMissing("xllamacpp is missing; please run: pip install xllamacpp") from error
        for path in (weights, adapter):
            if path is not None and not path.is_file():
                raise ModelsMissing(f"{path} is missing")
        params = xllamacpp.CommonParams()
        params.model.path = str(weights)
        if adapter is not None:
            lora = xllamacpp.CommonAdapterLoraInfo()
            lora.path, lora.scale = str(adapter), 1.0
            params.lora_adapters = [lora]
        params.n_ctx, params.n_parallel, params.kv_unified = context, SLOTS, True
        params.n_batch = params.n_ubatch = _BATCH
        used = max(1, min(threads, os.cpu_count() or 1))
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = used
        params.swa_full = True  # keeps the prefix's state in layers that see 512 tokens only
        params.cache_ram_mib = params.n_ctx_checkpoints = 0
        params.warmup, params.verbosity, params.n_threads_http = False, -1, 1
        params.api_keys = [secrets.token_hex()]  # its HTTP port, of this machine only, answers nobody
        params.endpoint_slots = params.endpoint_props = params.ui = False
        try:
            self._server = xllamacpp.Server(params)
        except Exception as error:
            raise ModelsMissing(f"{weights} cannot be loaded: {error}") from error
        self.adapted = adapter is not None
        self.context = context
        self._lock = threading.Lock()

    def write(self, prefix: str, part: str, grammar: str, begun: str = "") -> Written:
        """What is likeliest at each token. `begun`: a text that counts as written already. Raises PlannerError where the
        prompt does not fit."""
        (one,) = self._written(prefix, part, begun, {"grammar": grammar, "temperature": 0.0})
        return one

    def sample(
        self, prefix: str, part: str, grammar: str, count: int, *, begun: str = "", seed: int = 1,
        temperature: float = 1.0,
    ) -> list[Written]:  # fmt: skip
        """Texts by chance, the same for the same seed. Raises PlannerError where the prompt does not fit."""
        chance = {
            "grammar": grammar,
            "temperature": temperature,
            "samplers": ["top_p", "temperature"],
            "top_p": 0.98,
        }
        found: list[Written] = []
        while len(found) < count:
            n = min(SLOTS, count - len(found))
            found += self._written(prefix, part, begun, {**chance, "n": n, "seed": seed + len(found)})
        return found

    def score(self, prefix: str, part: str, text: str) -> Written:
        """How likely the model finds a text, cut into tokens as it would write it; costs as much as writing it."""
        return self.write(prefix, part, f'root ::= {json.dumps(text, ensure_ascii=False)} "\\n"\n')

    def _written(self, prefix: str, part: str, begun: str, options: Mapping[str, Any]) -> list[Written]:
        shared = prefix.rstrip("\n")
        request = {
            "prompt": [_BEGIN, shared, prefix[len(shared) :] + part, *([begun] if begun else [])],
            "n_predict": _LONGEST,
            "stop": ["\n"],
            "n_probs": 1,
            "cache_prompt": True,
            **options,
        }
        with self._lock:
            answer = self._server.handle_completions(request)
            _give_back()
        if "choices" not in answer:
            error = answer.get("error", answer)
            raise PlannerError(f"the planning model: {error.get('message', error)}")
        return [_read(choice) for choice in answer["choices"]]


def _read(choice: Mapping[str, Any]) -> Written:
    tokens = (choice.get("logprobs") or {}).get("content") or []
    return Written(choice["text"], tuple(t["logprob"] for t in tokens), choice["finish_reason"] == "stop")


def _give_back() -> None:
    """A grammar's walk over 262,000 tokens leaves 150 MB of freed memory with glibc; a few ms."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
