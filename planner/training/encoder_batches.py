"""Samples of one world as tensors: inputs, targets and which targets are decided, with what augmentation changes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from planner.built_in_params import OPERATIONS
from planner.encoder.features import DRAFTED, PAIR, SPOT
from planner.encoder.items import KINDS
from planner.encoder.labels import ENDINGS, FLAGS, ROLES, SIGNS
from planner.encoder.relations import item_relations, token_links, token_spots
from planner.encoder.skeletons import OTHER
from planner.training.encoder_network import Batch
from planner.training.encoder_samples import WorldSamples
from planner.training.encoder_states import Base, States

__all__ = ["Prepared", "Targets"]

DRAFT_WHOLE = len(FLAGS) + len(OPERATIONS)  # the first features of the whole are the draft's


@dataclass(slots=True)
class Targets:
    """As `Outputs`; a decision counts where its mask is 1. Indexes are -1 where undecided."""

    roles: Tensor
    roles_mask: Tensor
    pointers: Tensor
    pairs: Tensor
    pairs_mask: Tensor
    tops: Tensor
    tops_mask: Tensor
    signs: Tensor
    endings: Tensor
    tags: Tensor
    flags: Tensor
    flags_mask: Tensor
    shapes: Tensor


class Prepared:
    """A world ready for training: `batch` gives some of its questions as tensors."""

    def __init__(self, world: WorldSamples, base: Base, cache: Path | None, shapes: list[str]) -> None:
        self.world = world
        self.shapes = {s: i for i, s in enumerate(shapes)}
        items = world.items
        n = len(items.all)
        texts = list(dict.fromkeys([*world.texts, *world.leaner]))
        index = {t: i for i, t in enumerate(texts)}
        self.full = [index[t] for t in world.texts]
        self.lean = [index[t] for t in world.leaner]
        self.texts: States = base.states(texts, cache)
        self.questions: States = base.states([s.question for s in world.samples], cache)
        self.kinds = torch.tensor([KINDS.index(i.kind) for i in items.all])
        self.parents = torch.tensor([i.parent for i in items.all])
        self.relations = torch.from_numpy(item_relations(items))
        self.table_of = np.array([items.tables.get(i.table, -1) for i in items.all])
        self.links, self.within = [], []
        for i, sample in enumerate(world.samples):
            self.links.append(token_links(self.questions.offsets[i], sample.features, n))
            self.within.append(token_spots(self.questions.offsets[i], sample.spots))

    def batch(
        self,
        which: list[int],
        tokens: Tensor,
        mask: Tensor,
        items: Tensor,
        chance: np.random.Generator | None,
    ) -> Batch:
        """`tokens` [B, T, 384] and `items` [N, 384] come out of the top layers; `chance` None changes nothing."""
        samples = [self.world.samples[i] for i in which]
        b, t, n = len(which), tokens.shape[1], len(items)
        s = max(1, max(len(x.spots) for x in samples))
        facts = np.stack([x.features.items for x in samples])
        spots = np.zeros((b, s, SPOT), np.float32)
        pairs = np.zeros((b, s, n, PAIR), np.float32)
        spot_mask = np.zeros((b, s), bool)
        within = np.zeros((b, s, t), np.float32)
        links = np.zeros((b, t, n), np.float32)
        whole = np.stack([x.features.whole for x in samples])
        item_mask = np.ones((b, n), bool)
        for row, (i, x) in enumerate(zip(which, samples, strict=True)):
            k, length = len(x.spots), self.questions.lengths[i]
            spots[row, :k], pairs[row, :k], spot_mask[row, :k] = x.features.spots, x.features.pairs, True
            within[row, :k, :length] = self.within[i]
            links[row, :length] = self.links[i]
            if chance is not None:
                if chance.random() < 0.3:
                    facts[row, :, :DRAFTED] = 0
                    pairs[row, :, :, 1] = 0
                    spots[row, :, :2] = 0
                    whole[row, :DRAFT_WHOLE] = 0
                    whole[row, DRAFT_WHOLE + len(OPERATIONS) : DRAFT_WHOLE + len(OPERATIONS) + 4] = 0
                if chance.random() < 0.15:
                    facts[row, :, DRAFTED : DRAFTED + 5] = 0
                    links[row] = 0
                used = {at for at, holds in x.labels.roles["used"].items() if holds}
                for at in self.world.items.tables.values():
                    if at not in used and chance.random() < 0.15:
                        item_mask[row, self.table_of == at] = False
        if chance is not None:
            dropped = torch.from_numpy(chance.random((b, t)) < 0.07)
            dropped[:, 0] = False
            mask = mask & ~dropped
        return Batch(
            tokens, mask, items, self.kinds, self.parents, torch.from_numpy(facts), torch.from_numpy(spots),
            torch.from_numpy(spot_mask), torch.from_numpy(within), torch.from_numpy(pairs), torch.from_numpy(whole),
            torch.from_numpy(links), self.relations, torch.from_numpy(item_mask),
        )  # fmt: skip

    def targets(self, which: list[int], t: int, item_mask: Tensor) -> Targets:
        samples = [self.world.samples[i] for i in which]
        b, n = len(which), len(self.world.items.all)
        s = max(1, max(len(x.spots) for x in samples))
        made = Targets(
            torch.zeros(b, n, len(ROLES)), torch.zeros(b, n, len(ROLES)), torch.full((b, 2), -1), torch.zeros(b, s, n),
            torch.zeros(b, s, n), torch.zeros(b, s), torch.zeros(b, s), torch.full((b, s), -1), torch.full((b, s), -1),
            torch.zeros(b, t), torch.zeros(b, len(FLAGS)), torch.zeros(b, len(FLAGS)), torch.zeros(b, dtype=torch.long),
        )  # fmt: skip
        for row, (i, x) in enumerate(zip(which, samples, strict=True)):
            labels = x.labels
            for r, role in enumerate(ROLES):
                for at, holds in labels.roles[role].items():
                    made.roles[row, at, r] = holds
                    made.roles_mask[row, at, r] = 1
            made.roles_mask[row] *= item_mask[row, :, None]
            for (spot, at), holds in labels.fills.items():
                made.pairs[row, spot, at] = holds
                made.pairs_mask[row, spot, at] = 1
            for spot, holds in labels.tops.items():
                made.tops[row, spot] = holds
                made.tops_mask[row, spot] = 1
            for spot, sign in labels.signs.items():
                made.signs[row, spot] = SIGNS.index(sign)
            for spot, ending in labels.endings.items():
                made.endings[row, spot] = ENDINGS.index(ending)
            for start, end in labels.tagged:
                for k, (a, z) in enumerate(self.questions.offsets[i]):
                    made.tags[row, k] = max(float(made.tags[row, k]), float(a < end and start < z))
            for k, flag in enumerate(FLAGS):
                if flag in labels.flags:
                    made.flags[row, k] = labels.flags[flag]
                    made.flags_mask[row, k] = 1
            made.shapes[row] = self.shapes.get(labels.shape, self.shapes[OTHER])
            if labels.flags and labels.shape != "?":
                for k, pointed in enumerate((labels.first, labels.second)):
                    made.pointers[row, k] = n if pointed is None else pointed
        return made
