"""Looking things up in a catalogue, and what a reader of given roles sees of it."""

from __future__ import annotations

from planner.catalogue import Catalogue


def test_reads_sources_by_file_name(catalogue: Catalogue) -> None:
    assert sorted(catalogue.sources) == ["board", "desk", "ledger", "manual"]
    board = catalogue.sources["board"]
    assert (board.name, board.kind, board.trust, board.timeout_s) == ("board", "bi_dashboard", 0.8, 30)
    assert board.alternatives == ("ledger",)
    assert catalogue.sources["desk"].side_effect is True


def test_datasets_and_fields(catalogue: Catalogue) -> None:
    energy = catalogue.dataset("board", "energy")
    assert energy is not None
    room = energy.field("room")
    assert room is not None
    assert (room.type, room.values, room.synonyms) == ("text", ("R1", "R2"), ("机房",))
    assert energy.field("floor") is None
    assert catalogue.dataset("board", "repairs") is None
    assert catalogue.dataset("nowhere", "energy") is None


def test_holders_most_trusted_first(catalogue: Catalogue) -> None:
    assert [s.name for s in catalogue.holders("energy")] == ["ledger", "board"]
    assert catalogue.holders("weather") == []


def test_roles_hide_sources_and_the_ways_to_them(catalogue: Catalogue) -> None:
    assert sorted(catalogue.for_roles([]).sources) == ["board", "desk", "ledger"]
    assert sorted(catalogue.for_roles(["engineer", "x"]).sources) == ["board", "desk", "ledger", "manual"]
    restricted = Catalogue(
        sources={
            **catalogue.sources,
            "ledger": catalogue.sources["ledger"].model_copy(update={"access": ("finance",)}),
        }
    )
    assert restricted.for_roles(["analyst"]).sources["board"].alternatives == ()
    assert restricted.for_roles(["finance"]).sources["board"].alternatives == ("ledger",)
    assert restricted.sources["board"].alternatives == ("ledger",)
