"""Trains the adapter on authored triples, within a time; goes on where it stopped.

    python -m planner.training.base .assay/training/base
    python -m planner.training.lora --data FOLDER… --base .assay/training/base --out DIR --minutes 80 --seed 1

DIR gets `checkpoint.pt` and `adapter.gguf` every few minutes, and `log.jsonl`. The learning rate falls to nothing
at the end of `--minutes`, which count over all resumptions. CUDA and bf16 are used where a probe works."""

from __future__ import annotations

import argparse
import json
import math
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from planner.training.adapter_file import read_adapter
from planner.training.base import load_tokenizer, load_weights
from planner.training.batches import Batch, Stream, held_batches, read_data
from planner.training.export import export
from planner.training.gemma import Gemma
from planner.training.pack import Encoder

__all__ = ["Trainer", "probed_device"]

RATE, WARM, CLIP = 1.5e-3, 10, 1.0
SAVE_EVERY, LOOK_EVERY = 300.0, 1200.0  # seconds


def probed_device() -> str:
    """cuda where a bf16 product really works there, else cpu."""
    if not torch.cuda.is_available():
        return "cpu"
    try:
        square = torch.ones(8, 8, device="cuda", dtype=torch.bfloat16)
        return "cuda" if float((square @ square).sum()) == 512.0 else "cpu"
    except RuntimeError:
        return "cpu"


class Trainer:
    """The model, its optimiser and how far it is: `step`, `seconds` of training, `samples`, `seen` worlds."""

    def __init__(self, base: Path, out: Path, *, seed: int, device: str) -> None:
        self.out, self.seed, self.device = out, seed, device
        self.model = Gemma(load_weights(base), seed=seed, device=device)
        self.encoder = Encoder(load_tokenizer(base))
        self.vocabulary = self.encoder.basic()
        self.optimiser = torch.optim.AdamW(
            self.model.parameters(), lr=RATE, betas=(0.9, 0.99), weight_decay=0.01
        )
        self.step, self.samples, self.seconds = 0, 0, 0.0
        self.seen: dict[str, int] = {}
        out.mkdir(parents=True, exist_ok=True)

    def loss(self, batch: Batch) -> tuple[Tensor, int]:
        """Weighted mean over the tokens of the plans, and how many tokens went in. Against the tokens that spell anything,
        that plans have used, and that stand in this batch."""
        pack = self.encoder.pack(batch.prefix, batch.pairs)
        self.vocabulary = torch.unique(torch.cat([self.vocabulary, pack.targets]))
        against = torch.unique(torch.cat([self.vocabulary, pack.tokens]))
        hidden = self.model.hidden(pack.tokens.to(self.device), pack.layout, pack.wanted.to(self.device))
        logits = self.model.logits(hidden, against.to(self.device)).float()
        labels = torch.searchsorted(against, pack.targets).to(self.device)
        each = functional.cross_entropy(logits, labels, reduction="none")
        weights = pack.weights.to(self.device)
        return (each * weights).sum() / weights.sum(), len(pack.tokens)

    def update(self, batch: Batch, progress: float) -> dict[str, float]:
        """One step; `progress` is the share of the time that is spent."""
        begun = time.monotonic()
        rate = RATE * min(1.0, (self.step + 1) / WARM) * 0.5 * (1 + math.cos(math.pi * min(1.0, progress)))
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        loss, tokens = self.loss(batch)
        loss.backward()  # type: ignore[no-untyped-call]
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.model.merge()
        self.step += 1
        self.samples += len(batch.pairs)
        took = time.monotonic() - begun
        return {
            "loss": float(loss.detach()),
            "lr": rate,
            "norm": float(norm),
            "tokens": tokens,
            "took_s": took,
        }

    @torch.no_grad()
    def held_loss(self, batches: Sequence[Batch]) -> float:
        losses = [(float(self.loss(b)[0]), sum(len(t) for _, t in b.pairs)) for b in batches]
        return sum(loss * n for loss, n in losses) / sum(n for _, n in losses)

    def save(self) -> None:
        state: dict[str, Any] = {
            "adapter": {n: p.detach().cpu() for n, p in self.model.adapter.items()},
            "optimiser": self.optimiser.state_dict(),
            "facts": self.facts(),
            "seen": self.seen,
            "vocabulary": self.vocabulary,
        }
        part = self.out / "checkpoint.part"
        torch.save(state, part)
        part.replace(self.out / "checkpoint.pt")
        export(state["adapter"], self.out / "adapter.gguf")

    def resume(self) -> None:
        """From the checkpoint of DIR, where there is one."""
        path = self.out / "checkpoint.pt"
        if not path.is_file():
            return
        state = torch.load(path, weights_only=True)
        with torch.no_grad():
            for name, value in state["adapter"].items():
                self.model.adapter[name].copy_(value)
        self.optimiser.load_state_dict(state["optimiser"])
        facts = state["facts"]
        self.step, self.samples, self.seconds = facts["step"], facts["samples"], facts["seconds"]
        self.seen.update(state["seen"])
        self.vocabulary = state["vocabulary"]
        self.model.merge()

    def begin(self, adapter: Path) -> None:
        """With the weights of this GGUF file, counting from nothing. Raises PlannerError."""
        with torch.no_grad():
            for name, value in read_adapter(adapter).items():
                self.model.adapter[name].copy_(value)
        self.model.merge()

    def facts(self) -> dict[str, Any]:
        return {"step": self.step, "samples": self.samples, "seconds": self.seconds, "seed": self.seed}

    def log(self, **what: Any) -> None:
        with (self.out / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps({**self.facts(), **what}) + "\n")


def train(trainer: Trainer, folders: Sequence[Path], minutes: float) -> None:
    """Until the time is spent, or SIGTERM: then a checkpoint is written too."""
    stopped: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: stopped.append(number))
    worlds, held = read_data(folders)
    watched = held_batches(held, 3, 10)
    trainer.log(worlds=len(worlds), triples=sum(len(w.triples) for w in worlds.values()), minutes=minutes)
    stream = iter(Stream(worlds, Random(f"{trainer.seed} {trainer.step}"), trainer.seen))
    last = saved = looked = time.monotonic()
    while trainer.seconds < minutes * 60 and not stopped:
        batch = next(stream)
        trainer.log(**trainer.update(batch, trainer.seconds / (minutes * 60)), branches=len(batch.pairs))
        now = time.monotonic()
        trainer.seconds += now - last
        last = now
        if now - saved > SAVE_EVERY:
            trainer.save()
            saved = now
        if now - looked > LOOK_EVERY:
            trainer.log(held=trainer.held_loss(watched))
            looked = time.monotonic()
    trainer.save()
    trainer.log(held=trainer.held_loss(watched), ended=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the local planner's adapter.")
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--begin", type=Path, help="an adapter to begin with where DIR holds no checkpoint")
    given = parser.parse_args()
    torch.set_flush_denormal(True)
    torch.manual_seed(given.seed)
    trainer = Trainer(given.base, given.out, seed=given.seed, device=probed_device())
    if given.begin is not None and not (given.out / "checkpoint.pt").is_file():
        trainer.begin(given.begin)
    trainer.resume()
    train(trainer, given.data, given.minutes)


if __name__ == "__main__":
    main()
