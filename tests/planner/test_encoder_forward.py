"""The shipped weights: numpy computes what torch does, and a catalogue is encoded once."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import pytest

from kb_index.model import lay_out
from planner.catalogue_text import read_catalogue
from planner.encoder.assemble import assemble
from planner.encoder.forward import Network, text_vectors
from planner.encoder.items import KINDS
from planner.encoder.predict import WEIGHTS, Encoder, networks
from planner.encoder.relations import item_relations, token_links, token_spots
from planner.encoder.tokens import tokenize
from planner.training.triples import Triple, World

pytestmark = pytest.mark.slow
TODAY = date(2026, 3, 18)
CATALOGUE = read_catalogue("""\
@ board bi_dashboard 0.8 水厂看板 / waterworks board
supply 各厂月度供水 : plant,month
  plant text 水厂/plant {东厂=east works|西厂=west works}
  month month 月份
  volume number 供水量/volume
  loss percent 漏损率/loss
@ crm ticket_api 0.9 报修系统
leaks 漏水报修 : leak_no
  leak_no text 报修号
  seen date 发现日期
  state text 状态 {待修|已修=fixed}
""")
QUESTIONS = [
    "东厂上个月供水量多少",
    "What was the loss at the west works in February?",
    "报修号LK-2207修好了吗",
]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with e5: the installation's, else laid out here."""
    home = Path(".assay")
    if not (home / "models" / "e5" / "model.safetensors").is_file():
        home = tmp_path_factory.mktemp("home")
    return lay_out(home).parent


def test_numpy_computes_what_torch_does(models: Path) -> None:
    torch = pytest.importorskip("torch")
    from safetensors.torch import load_file

    from planner.training.encoder_batches import Prepared
    from planner.training.encoder_network import Head, TopLayers
    from planner.training.encoder_samples import made
    from planner.training.encoder_states import Base

    weights = networks(WEIGHTS)[0]
    network = Network.load(models / "e5", weights)
    triples = tuple(Triple(q, "zh", TODAY, "? nothing", 1) for q in QUESTIONS)
    world = made(World("waterworks", CATALOGUE, triples))
    base = Base(models / "e5", network.size.layer)
    top = TopLayers(base.weights, list(range(network.size.layer, base.total)), network.size.rank)
    head = Head(network.size, torch.zeros(network.size.shapes, 1)).eval()
    kept = {n: t.float() for n, t in load_file(weights).items()}
    top.load_state_dict({n.removeprefix("top."): t for n, t in kept.items() if n.startswith("top.")})
    own = {n.removeprefix("head."): t for n, t in kept.items() if n.startswith("head.")}
    head.load_state_dict({**head.state_dict(), **own})
    prepared = Prepared(world, base, None, network.names)
    own_items = text_vectors([network], [t.ids for t in tokenize(world.texts, models / "e5")])[0]
    with torch.no_grad():
        x, mask = prepared.texts.padded(prepared.full)
        states = top(x, mask)
        items = (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        for row, sample in enumerate(world.samples):
            x, mask = prepared.questions.padded([row])
            out = head(prepared.batch([row], top(x, mask), mask, items, None))
            (tokens,) = tokenize([sample.question], models / "e5")
            mine = network.decide(
                network.states([tokens.ids])[0][0],
                own_items,
                np.array([KINDS.index(i.kind) for i in world.items.all]),
                np.array([i.parent for i in world.items.all]),
                sample.features,
                token_spots(tokens.offsets, sample.spots),
                token_links(tokens.offsets, sample.features, len(world.texts)),
                item_relations(world.items),
            )
            for name in ("roles", "pointers", "tags", "flags", "shapes"):
                assert np.abs(getattr(mine, name) - getattr(out, name)[0].numpy()).max() < 1e-4, name
            if sample.spots:
                assert np.abs(mine.pairs - out.pairs[0].numpy()).max() < 1e-4


def test_a_catalogue_is_encoded_once_by_each_network(models: Path, tmp_path: Path) -> None:
    first = Encoder(CATALOGUE, models, tmp_path)
    kept = sorted(tmp_path.glob("items-*.npy"))
    assert len(kept) == len(networks(WEIGHTS))
    written = [k.stat().st_mtime_ns for k in kept]
    again = Encoder(CATALOGUE, models, tmp_path)
    assert [k.stat().st_mtime_ns for k in kept] == written
    question = QUESTIONS[0]
    assert np.array_equal(first.read(question, TODAY).roles, again.read(question, TODAY).roles)
    assert assemble(again.read(question, TODAY))


def test_missing_weights_are_an_os_error(models: Path, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        Encoder(CATALOGUE, models, tmp_path, tmp_path / "nowhere")
