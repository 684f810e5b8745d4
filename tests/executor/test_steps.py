"""The steps that ask no source: computed from real results, written to real files."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.base import Evidence
from executor.headings import headings
from executor.settings import ExecutorSettings
from executor.state import Goal
from planner.catalogue import Catalogue, Source
from tests.executor.conftest import Bench, step

A = {"dataset": "returns", "filters": {"product": "A"}}
B = {"dataset": "returns", "filters": {"product": "B"}}


def test_a_difference_of_two_results(bench: Bench) -> None:
    bench.source("board")
    params = {"operation": "difference", "inputs": ["{{g1.result}}", "{{g2.result}}"], "value": "return_rate"}
    state = bench.run(
        step("g1", "board", params=A),
        step("g2", "board", params=B),
        step("g3", "derive", "g1", "g2", params=params),
        step("g4", "board", "g3", when="g3.value > 0.02"),
        step("g5", "board", "g3", when="g3.value > 0.03"),
    )
    result = state.results["g3"]
    assert (result.status, result.attempts) == ("success", ())
    assert result.evidence is not None
    (row,) = result.evidence.rows
    assert row["value"] == pytest.approx(0.021)
    place = result.evidence.locate(0, "value")
    assert place is not None
    assert (place.kind, place.inputs) == ("derived", ("g1", "g2"))
    assert result.evidence.summary
    assert state.results["g4"].status == "success"
    assert (state.results["g5"].status, state.results["g5"].failure) == ("skipped", None)


def test_single_rows_and_single_fields_are_operands(bench: Bench) -> None:
    bench.source("board")
    inputs = ["{{g1.rows[0].return_rate}}", "{{g1.rows[1].return_rate}}"]
    state = bench.run(
        step("g1", "board"), step("g2", "derive", "g1", params={"operation": "difference", "inputs": inputs})
    )
    evidence = state.evidence("g2")
    assert evidence is not None
    assert evidence.rows[0]["value"] == pytest.approx(0.021)


@pytest.mark.parametrize(
    ("params", "status", "message"),
    [
        ({"operation": "difference", "inputs": ["{{g1.result.colour}}"]}, "skipped", "no colour"),
        ({"operation": "difference", "inputs": [3]}, "skipped", "input 3 of g2 is no reference"),
        ({"operation": "magic", "inputs": ["{{g1.result}}"]}, "failed_fatal", "magic"),
    ],
)
def test_what_cannot_be_computed_says_why(
    bench: Bench, params: dict[str, object], status: str, message: str
) -> None:
    bench.source("board")
    state = bench.run(step("g1", "board"), step("g2", "derive", "g1", params=params))
    assert state.results["g2"].status == status
    assert message in state.results["g2"].message


def test_reconcile_reads_the_very_steps_that_it_names(bench: Bench) -> None:
    """g1.3 stands in for g1 and compares g1 with g1.2: `{{g1.result}}` in it is g1's own result."""
    bench.source("board", "/rows", trust=0.9)
    bench.source("other", "/rows", trust=0.3)
    state = bench.state(
        step("g1", "board", params=A),
        step(
            "g2", "board", "g1", params={"dataset": "returns", "filters": {"region": "{{g1.rows[0].region}}"}}
        ),
    )
    with bench.executor() as executor:
        executor.run(state)
        second = state.goals["g1"].sub_goal.model_copy(
            update={"id": "g1.2", "data_source": "other", "required": False}
        )
        state.add(Goal(second, "g1", "second_opinion"), stands_in=False)
        bench.board.rows = [{**bench.board.rows[0], "return_rate": 0.062}]
        executor.run(state)
        params = {"operation": "reconcile", "inputs": ["{{g1.result}}", "{{g1.2.result}}"]}
        state.add(
            Goal(step("g1.3", "derive", "g1", "g1.2", params=params), "g1", "reconcile"), stands_in=True
        )
        again = state.goals["g2"].sub_goal.model_copy(update={"id": "g2.2"})
        state.add(Goal(again, "g2", "recompute"), stands_in=True)
        executor.run(state)
    kept = state.evidence("g1")
    assert kept is not None
    assert state.resolve("g1") == "g1.3"
    assert kept.rows[0]["return_rate"] == pytest.approx((0.052 * 0.9 + 0.062 * 0.3) / 1.2)
    assert kept.rows[0]["region"] == "华东"
    place = kept.locate(0, "return_rate")
    assert place is not None
    assert set(place.inputs) == {"g1", "g1.2"}
    assert state.results["g2.2"].status == "success"


@pytest.mark.parametrize("kind", ["docx", "html"])
def test_a_report_is_written_where_the_settings_say(bench: Bench, tmp_path: Path, kind: str) -> None:
    bench.source("board")
    params = {"format": kind, "title": "退货率", "inputs": ["{{g1.result}}", "{{g1.result.return_rate}}"]}
    state = bench.run(
        step("g1", "board"),
        step("g2", "report", "g1", params=params),
        settings=ExecutorSettings(output_dir=tmp_path / "out"),
    )
    result = state.results["g2"]
    assert result.status == "success", result.message
    path = Path(result.artefact)
    assert path == tmp_path / "out" / state.run_id / f"g2.{kind}"
    assert path.stat().st_size > 500
    (kept,) = [r for g, r in bench.store.results(state.run_id) if g.id == "g2"]
    assert kept.artefact == str(path)


def test_a_report_of_a_failed_step_is_not_written(bench: Bench, tmp_path: Path) -> None:
    bench.source("down", "/rows?fail=9&status=503", max_retries=0)
    params = {"format": "html", "title": "t", "inputs": ["{{g1.result}}"]}
    state = bench.run(step("g1", "down"), step("g2", "report", "g1", params=params))
    assert state.results["g2"].failure == "skipped_input"
    assert not (tmp_path / "reports").exists()


def test_an_unknown_report_format_is_one_line(bench: Bench, tmp_path: Path) -> None:
    bench.source("board")
    params = {"format": "../../x", "title": "t", "inputs": ["{{g1.result}}"]}
    result = bench.run(step("g1", "board"), step("g2", "report", "g1", params=params)).results["g2"]
    assert result.status == "failed_fatal"
    assert "docx or html" in result.message


def test_columns_are_called_in_the_question_s_language(bench: Bench) -> None:
    bench.source("board")
    fields = [
        {"name": "product", "type": "text", "synonyms": ["product line", "产品线"]},
        {"name": "month", "type": "month", "synonyms": ["月份"]},
    ]
    given = bench.sources["board"].model_dump()
    given["datasets"][0]["fields"] = fields
    catalogue = Catalogue(sources={"board": Source.model_validate(given)})
    table = Evidence("table", "derive", "growth", ("product", "month:quarter", "value", "left"), ())
    assert headings(catalogue, table, "营收增长?") == {
        "product": "产品线", "month:quarter": "月份:quarter", "value": "增长率", "left": "前者",
    }  # fmt: skip
    assert headings(catalogue, table, "growth?") == {
        "product": "product line",
        "value": "growth",
        "left": "first",
    }
