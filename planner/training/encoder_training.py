"""Train the encoder on authored worlds: `python -m planner.training.encoder_training --data DIR… --out DIR --minutes N`.

Resumes from `--out` where it holds a checkpoint. Uses one thread unless OMP_NUM_THREADS says otherwise."""

from __future__ import annotations

import argparse
import json
import logging
import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from planner.compact import read_plan
from planner.encoder.shape import Dimensions
from planner.encoder.skeletons import MISSING, OTHER, attributes, skeleton
from planner.training.augment import varied_world
from planner.training.encoder_batches import Prepared
from planner.training.encoder_loss import losses, total
from planner.training.encoder_network import Batch, Head, TopLayers
from planner.training.encoder_samples import samples
from planner.training.encoder_states import Base
from planner.training.split import split
from planner.training.triples import World

log = logging.getLogger("encoder_training")
QUESTIONS = 21  # of one world in a step
VARIANTS = 2  # of each world with other values, ids and years; half of the steps take one of these
LEARNT = 0.25  # of the steps also learn from the items' side, which is most of the work
WARMUP = 40
AVERAGED = 0.99  # of the weights' moving average


class Training:
    """Network, averaged network and optimiser; `save` and `load` keep all three."""

    def __init__(self, base: Base, size: Dimensions, shapes: list[str]) -> None:
        self.size, self.shapes = size, shapes
        self.top = TopLayers(base.weights, list(range(size.layer, base.total)), size.rank)
        self.head = Head(size, torch.tensor(attributes(shapes)))
        lora = [p for p in self.top.parameters() if p.requires_grad]
        plain = [p for n, p in self.head.named_parameters() if p.dim() < 2 or "relation" in n]
        decayed = [p for n, p in self.head.named_parameters() if not (p.dim() < 2 or "relation" in n)]
        self.optimiser = torch.optim.AdamW(
            [
                {"params": decayed, "lr": 8e-4, "weight_decay": 0.05},
                {"params": plain, "lr": 8e-4, "weight_decay": 0.0},
                {"params": lora, "lr": 8e-4, "weight_decay": 0.01},
            ],
            betas=(0.9, 0.98),
        )
        self.rates = [g["lr"] for g in self.optimiser.param_groups]
        self.parameters = [*lora, *decayed, *plain]
        self.average = {n: p.detach().clone() for n, p in self.named()}
        self.steps = self.begun = 0

    def named(self) -> list[tuple[str, Tensor]]:
        return [
            *((f"top.{n}", p) for n, p in self.top.named_parameters()),
            *((f"head.{n}", p) for n, p in self.head.named_parameters()),
        ]

    def forward(
        self, world: Prepared, which: list[int], chance: np.random.Generator | None
    ) -> tuple[Batch, Tensor]:
        """The batch and its item vectors' texts encoded; the mask is of all tokens."""
        texts = [
            lean if chance is not None and chance.random() < 0.35 else full
            for full, lean in zip(world.full, world.lean, strict=True)
        ]
        unique = sorted(set(texts), key=lambda i: world.texts.lengths[i])
        vectors = []
        learn = chance is not None and chance.random() < LEARNT
        with torch.set_grad_enabled(learn):
            for at in range(0, len(unique), 30):
                x, mask = world.texts.padded(unique[at : at + 30])
                states = self.top(x, mask)
                weights = mask.float()[..., None]
                vectors.append((states * weights).sum(1) / weights.sum(1))
        place = {t: i for i, t in enumerate(unique)}
        items = torch.cat(vectors)[torch.tensor([place[t] for t in texts])]
        x, mask = world.questions.padded(which)
        return world.batch(which, self.top(x, mask), mask, items, chance), mask

    def step(
        self, world: Prepared, which: list[int], chance: np.random.Generator, rate: float
    ) -> dict[str, float]:
        """One update at this share of the learning rates."""
        self.head.train()
        batch, mask = self.forward(world, which, chance)
        parts = losses(self.head(batch), world.targets(which, mask.shape[1], batch.item_mask), mask)
        loss = total(parts)
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.parameters, 2.0)
        for group, own in zip(self.optimiser.param_groups, self.rates, strict=True):
            group["lr"] = own * rate * min(1.0, (self.steps - self.begun + 1) / WARMUP)
        self.optimiser.step()
        self.steps += 1
        kept = min(AVERAGED, self.steps / (self.steps + 10))
        with torch.no_grad():
            for name, p in self.named():
                self.average[name].lerp_(p, 1 - kept)
        return {n: float(p.detach()) for n, p in parts.items()} | {"total": float(loss.detach())}

    def use_average(self) -> dict[str, Tensor]:
        """The averaged weights take over; gives the others back for `restore`."""
        others = {n: p.detach().clone() for n, p in self.named()}
        self.restore(self.average)
        return others

    def restore(self, weights: dict[str, Tensor]) -> None:
        with torch.no_grad():
            for name, p in self.named():
                p.copy_(weights[name])

    def save(self, out: Path) -> None:
        out.mkdir(parents=True, exist_ok=True)
        kept = {
            "weights": {n: p.detach() for n, p in self.named()}, "average": self.average,
            "optimiser": self.optimiser.state_dict(), "steps": self.steps, "shapes": self.shapes,
            "size": asdict(self.size),
        }  # fmt: skip
        torch.save(kept, out / "checkpoint.part")
        os.replace(out / "checkpoint.part", out / "checkpoint.pt")

    def load(self, out: Path) -> None:
        """Shapes that the checkpoint lacks begin anew; the optimiser too, then."""
        kept = torch.load(out / "checkpoint.pt")
        rows = {s: i for i, s in enumerate(kept["shapes"])}
        own = dict(self.named())
        same = kept["shapes"] == self.shapes and kept["weights"].keys() == own.keys()
        for name in ("weights", "average"):
            found = kept[name]
            for key in ("head.shapes.2.weight", "head.shapes.2.bias"):
                fresh = own[key].detach().clone()
                for i, shape in enumerate(self.shapes):
                    if shape in rows:
                        fresh[i] = found[key][rows[shape]]
                found[key] = fresh
            for key, p in own.items():
                found.setdefault(key, p.detach().clone())
        self.restore(kept["weights"])
        self.average, self.steps = kept["average"], kept["steps"]
        if same:
            self.optimiser.load_state_dict(kept["optimiser"])
        self.begun = self.steps


def begun_at(out: Path) -> int | None:
    """The first layer that the checkpoint there trains; None without one."""
    path = out / "checkpoint.pt"
    return int(torch.load(path, mmap=True)["size"]["layer"]) if path.is_file() else None


Lazy = Callable[[], Prepared]  # what a world is made into when it is first needed


def shapes_of(worlds: list[World]) -> list[str]:
    counted = Counter(skeleton(read_plan(t.plan)) for w in worlds for t in w.triples)
    return [MISSING, OTHER, *(s for s, c in counted.most_common() if c > 1 and s not in (MISSING, OTHER))]


def evaluate(training: Training, worlds: Sequence[Lazy]) -> dict[str, float]:
    """Losses and accuracies of the averaged weights over all questions of the worlds."""
    training.head.eval()
    others = training.use_average()
    sums: dict[str, float] = defaultdict(float)
    with torch.no_grad():
        for lazy in worlds:
            world = lazy()
            which = list(range(len(world.world.samples)))
            batch, mask = training.forward(world, which, None)
            out = training.head(batch)
            want = world.targets(which, mask.shape[1], batch.item_mask)
            for name, part in losses(out, want, mask).items():
                sums[name] += float(part) * len(which)
            wrong = ((out.roles > 0) != (want.roles > 0.5)) & (want.roles_mask > 0)
            sums["tables right"] += int((~wrong[..., 0].any(1)).sum())
            sums["filters right"] += int((~wrong[..., 2].any(1)).sum())
            sums["wanted right"] += int((~wrong[..., 3].any(1)).sum())
            sums["grouped right"] += int((~wrong[..., 4].any(1)).sum())
            sums["shapes right"] += int((out.shapes.argmax(-1) == want.shapes).sum())
            pairs = (((out.pairs > 0) != (want.pairs > 0.5)) & (want.pairs_mask > 0)).any(2).any(1)
            sums["pairs right"] += int((~pairs).sum())
            sums["all"] += len(which)
    training.restore(others)
    count = sums.pop("all")
    return {n: round(v / count, 3) for n, v in sums.items()}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--model", type=Path, default=Path(".assay/models/e5"))
    parser.add_argument("--out", type=Path, default=Path(".assay/training/encoder"))
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--layer", type=int, default=Dimensions().layer, help="the first layer of e5 that learns, 0..11"
    )
    parser.add_argument("--everything", action="store_true", help="train on the held-out worlds too")
    asked = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    torch.manual_seed(asked.seed)
    chance = np.random.default_rng(asked.seed)
    cache = asked.out / "cache"
    pairs = [split(folder) for folder in asked.data]
    train = [w for own, _ in pairs for w in own]
    held = [w for _, other in pairs for w in other]
    if asked.everything:
        train = [*train, *held]
    shapes = shapes_of(train)
    size = Dimensions(shapes=len(shapes), layer=begun_at(asked.out) or asked.layer)
    base = Base(asked.model, size.layer)

    def made(world: World, variant: int | None = None) -> Prepared:
        shown = world if variant is None else varied_world(world, variant)
        return Prepared(samples(shown, cache), base, cache, shapes)

    ready = [[lru_cache(partial(made, w, v)) for v in (None, *range(VARIANTS))] for w in train]
    kept = [lru_cache(partial(made, w)) for w in held]
    training = Training(base, size, shapes)
    if (asked.out / "checkpoint.pt").is_file():
        training.load(asked.out)
    log.info("%d worlds, %d held out, %d shapes", len(ready), len(kept), len(shapes))
    run(training, ready, kept, chance, asked.minutes, asked.out)


def run(
    training: Training,
    ready: Sequence[Sequence[Lazy]],
    held: Sequence[Lazy],
    chance: np.random.Generator,
    minutes: float,
    out: Path,
) -> None:
    """Until the time is over, the learning rate falling to nothing with it. Of each world its variants, the first as written."""
    begun = saved = time.monotonic()
    window: Counter[str] = Counter()
    while (passed := (time.monotonic() - begun) / 60 / minutes) < 1:
        for w in chance.permutation(len(ready)):
            written, *others = ready[w]
            world = (others[chance.integers(len(others))] if others and chance.random() < 0.5 else written)()
            order = chance.permutation(len(world.world.samples))[:QUESTIONS]
            passed = (time.monotonic() - begun) / 60 / minutes
            if passed >= 1:
                break
            rate = min(1.0, 1.6 * (1 - passed))
            window.update(training.step(world, [int(i) for i in order], chance, rate))
            window["steps"] += 1
            if training.steps % 50 == 0:
                count = window.pop("steps")
                log.info("%d %s", training.steps, {n: round(v / count, 2) for n, v in window.items()})
                window.clear()
            if time.monotonic() - saved > 420:
                training.save(out)
                log.info("held out: %s", json.dumps(evaluate(training, held)))
                saved = time.monotonic()
    training.save(out)
    log.info("held out: %s", json.dumps(evaluate(training, held)))


if __name__ == "__main__":
    main()
