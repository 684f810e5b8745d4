"""Augmented triples stay true; packed branches see only their prefix; the adapter's file is what llama.cpp reads."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from planner.catalogue_text import read_catalogue
from planner.compact import expand, read_plan
from planner.rules.lexicon import Lexicon
from planner.rules.planner import RulePlanner
from planner.training.augment import shown, varied
from planner.training.batches import Stream
from planner.training.samples import asked, samples
from planner.training.triples import World, read_triples

CATALOGUE = """\
@ board bi_dashboard 0.8 Shop board
sales monthly sales : shop,month
  shop text shop/store {Leeds|York|Hull|Bath}
  month month month
  revenue money revenue/takings
returns monthly returns : shop,month
  shop text shop/store {Leeds|York|Hull|Bath}
  month month month
  return_rate percent return rate
@ desk ticket_api 0.8 Service desk
orders orders : order_id
  order_id text order number
  status text status {open|paid|cancelled}
! refunds ticket_api 0.9 Refunds
refund pay an order back : order_id
  order_id text order number
  amount money amount
# handbook pdf_knowledge_base 0.7 Handbook
"""
TRIPLES = """\
today 2026-03-18

Q en takings in Leeds last month
sales revenue | shop=Leeds month=2026-02

Q en return rate of York versus Hull in May 2025
returns return_rate | shop=York,Hull month=2025-05
= difference 1.return_rate by shop

Q en refund order 88231 with 45 if it is cancelled
orders status | order_id=88231
!refund order_id=88231 amount=45 if 1.status=cancelled

Q en what does the handbook say on returns
#handbook returns policy

Q en how many cats do we have
? no dataset speaks of cats
"""


@pytest.fixture(scope="module")
def world() -> World:
    return World("shop", read_catalogue(CATALOGUE), tuple(read_triples(TRIPLES)))


def test_values_change_in_question_and_plan_alike(world: World) -> None:
    lexicon = Lexicon(world.catalogue)
    seen = set()
    for seed in range(12):
        for triple in world.triples:
            new = varied(triple, world.catalogue, lexicon, Random(seed))
            plan = read_plan(new.plan)
            if plan.missing is None:
                expand(plan, new.question, world.catalogue, lexicon)
            seen.add((new.question, new.plan))
    assert ("takings in Bath last month", "sales revenue | shop=Bath month=2026-02") in seen
    orders = [(q, p) for q, p in seen if q.startswith("refund order")]
    assert len(orders) > 3
    for question, written in orders:
        number = question.split()[2]
        assert written.count(f"order_id={number}") == 2
        assert f"amount={question.split()[4]} " in written
    years = {q.split()[-1] for q, _ in seen if q.startswith("return rate")}
    assert len(years) > 2
    assert all(f"month={q.split()[-1]}-05" in p for q, p in seen if q.startswith("return rate"))


def test_sample_is_read_as_it_is_served(world: World) -> None:
    one = next(samples(world))
    assert one.branch.startswith("\nQ: takings in Leeds last month[T1m]\nD: ")
    assert one.branch.endswith("\nP: ")
    assert one.target == "sales revenue | shop=Leeds month=T1\n"


def test_shown_catalogue_keeps_what_is_needed(world: World) -> None:
    rules = RulePlanner(world.catalogue)
    for seed, triple in enumerate(world.triples[:4]):
        one = asked(triple, world.catalogue, rules)
        small = shown(world.catalogue, one.needs, Random(seed), others=0.0)
        expand(read_plan(triple.plan), triple.question, small)
    whole = shown(world.catalogue, frozenset(), Random(1), others=1.0)
    assert {s: {d.name for d in v.datasets} for s, v in whole.sources.items()} == {
        s: {d.name for d in v.datasets} for s, v in world.catalogue.sources.items()
    }


def test_stream_goes_on_with_the_least_seen(world: World) -> None:
    other = World("other", world.catalogue, world.triples)
    stream = Stream({"a/shop": world, "b/other": other}, Random(3), {"a/shop": 1})
    batches = iter(stream)
    for _ in range(3):
        batch = next(batches)
        assert len(batch.pairs) == len(world.triples)
        assert "\n" in batch.prefix
    assert sum(stream.seen.values()) >= 3


def test_pack_counts_free_text_for_less() -> None:
    tokenizers = pytest.importorskip("tokenizers")
    pytest.importorskip("torch")
    from planner.training.pack import BEGIN, FREE, Encoder

    spelled = {chr(n): n for n in range(32, 127)} | {"\n": 10}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(spelled, unk_token=" "))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Split("", "isolated")
    pairs = [("\nQ: a\nP: ", "d c | f=1 ; #kb of it ; > html\n"), ("\nQ: b\nP: ", "? of it\n")]
    pack = Encoder(tokenizer).pack("cat\n", pairs)
    targets = "".join(map(chr, pack.targets.tolist()))
    assert targets == "".join(target for _, target in pairs)
    lighter = "".join(c for c, w in zip(targets, pack.weights.tolist(), strict=True) if w < 1)
    assert lighter == " of it of it"
    assert min(pack.weights.tolist()) == pytest.approx(FREE)
    assert pack.tokens[: pack.layout.prefix].tolist() == [BEGIN, *map(ord, "cat")]
    first = pack.layout.prefix + pack.layout.lengths[0]
    assert (
        "".join(map(chr, pack.tokens[pack.layout.prefix : first].tolist()))
        == "\n\nQ: a\nP: " + pairs[0][1][:-1]
    )
    read = pack.tokens[pack.wanted].tolist()
    assert "".join(map(chr, read)) == " " + pairs[0][1][:-1] + " " + pairs[1][1][:-1]


@pytest.mark.slow
def test_branches_see_the_prefix_and_themselves() -> None:
    torch = pytest.importorskip("torch")
    from planner.training.gemma import ADAPTED, WIDTH, WINDOW, Gemma, Layout

    torch.manual_seed(0)
    inputs = {"qkv": WIDTH, "out": 1024, "gate_up": WIDTH, "down": 2048}
    weights = {"token_embd.weight": torch.randn(50, WIDTH) * 0.04, "output_norm.weight": torch.ones(WIDTH)}
    for layer in range(6):
        for group, members in ADAPTED.items():
            for member, size in members:
                weights[f"blk.{layer}.{member}.weight"] = torch.randn(size, inputs[group]) * 0.03
        for norm, size in (("attn", WIDTH), ("ffn", WIDTH), ("post_attention", WIDTH), ("post_ffw", WIDTH)):
            weights[f"blk.{layer}.{norm}_norm.weight"] = torch.ones(size)
        for norm in ("q", "k"):
            weights[f"blk.{layer}.attn_{norm}_norm.weight"] = torch.ones(256)
    model = Gemma(weights, seed=1, layers=6)
    with torch.no_grad():
        for value in model.parameters():
            value.add_(torch.randn_like(value) * 0.01)
    model.merge()
    prefix = torch.randint(0, 50, (WINDOW + 8,))
    first, second = torch.randint(0, 50, (5,)), torch.randint(0, 50, (9,))
    p = len(prefix)
    with torch.no_grad():
        packed = model.hidden(
            torch.cat([prefix, first, second]), Layout(p, (5, 9)), torch.tensor([p + 4, p + 13])
        )
        alone = model.hidden(torch.cat([prefix, second]), Layout(p, (9,)), torch.tensor([p + 8]))
        shifted = model.hidden(
            torch.cat([prefix, first, second]), Layout(p - 3, (8, 9)), torch.tensor([p + 4])
        )
    torch.testing.assert_close(packed[1:], alone, rtol=1e-3, atol=1e-4)
    torch.testing.assert_close(packed[:1], shifted, rtol=1e-3, atol=1e-4)


def test_adapter_file(tmp_path: Path) -> None:
    gguf = pytest.importorskip("gguf")
    torch = pytest.importorskip("torch")
    from planner.training.export import export
    from planner.training.gemma import ADAPTED, LAYERS, RANK

    adapter = {}
    for layer in range(LAYERS):
        for group, members in ADAPTED.items():
            adapter[f"blk.{layer}.{group}.down"] = torch.full((RANK * len(members), 4), float(layer))
            adapter[f"blk.{layer}.{group}.up"] = torch.arange(sum(n for _, n in members)).repeat(RANK, 1).T
    export(adapter, tmp_path / "adapter.gguf")
    read = gguf.GGUFReader(tmp_path / "adapter.gguf")
    assert read.fields["adapter.type"].contents() == "lora"
    assert read.fields["adapter.lora.alpha"].contents() == 32.0
    tensors = {t.name: t for t in read.tensors}
    assert len(tensors) == LAYERS * 7 * 2
    assert list(tensors["blk.3.attn_v.weight.lora_a"].shape) == [4, RANK]
    assert tensors["blk.3.attn_v.weight.lora_b"].data[0, 0] == 1280.0
    assert not (tmp_path / "adapter.part").exists()
