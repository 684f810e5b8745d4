"""The HTML report of a run, and the object of `--json`: whole, self-contained, escaped."""

from __future__ import annotations

import json
import re
from pathlib import Path

from lxml import html as parser

from planner.proposal import Proposal
from reflector.answer import refusal
from reflector.answer_json import to_json
from reflector.report import html, write_html
from reflector.report_view import blocks
from tests.reflector.world import World, derive, fetch

KEYS = ["run_id", "status", "route", "planner", "plan", "steps", "answer", "prompt", "seconds"]
ANSWER = ["text", "findings", "citations", "conflicts", "relaxations", "gaps"]


def ask(world: World):  # type: ignore[no-untyped-def]
    return world.run(
        "A产品华东与B产品华北2024年1月退货率<b>对比</b>",
        fetch(
            "g1",
            "sales",
            "returns",
            {"product": "A", "region": "华东", "month": "2024-01"},
            description="查A <script>",
        ),
        fetch("g2", "sales", "returns", {"product": "B", "region": "华北", "month": "2024-02"}),
        derive("g3", "difference", "g1", "g2", value="return_rate"),
    )


def test_the_object_has_the_promised_keys_in_order(two_boards: World) -> None:
    told = to_json(ask(two_boards).answer)
    assert list(told) == KEYS
    assert list(told["answer"]) == ANSWER
    assert json.loads(json.dumps(told, ensure_ascii=False)) == told
    for step in told["steps"]:
        assert list(step) == ["id", "status", "data_source", "attempts", "failure", "seconds"]
    (conflict,) = told["answer"]["conflicts"]
    assert list(conflict) == ["key", "measure", "values", "kept", "rule"]
    assert all(list(v) == ["source", "value", "weight"] for v in conflict["values"])
    assert all(list(c) == ["id", "source", "dataset", "locator"] for c in told["answer"]["citations"])
    assert all(list(f) == ["statement", "value", "unit", "evidence"] for f in told["answer"]["findings"])


def test_the_report_needs_no_other_file_and_every_link_leads_somewhere(
    two_boards: World, tmp_path: Path
) -> None:
    out = ask(two_boards)
    path = tmp_path / "report.html"
    write_html(out.answer, out.state, path, out.decisions)
    text = path.read_text(encoding="utf-8")
    page = parser.fromstring(text)
    assert not page.xpath("//script | //link | //img | //iframe")
    assert not re.search(r"""(?:src=|url\((?!#)|@import)""", text)
    ids = set(page.xpath("//@id"))
    assert len(ids) == len(page.xpath("//@id"))
    links = [h for h in page.xpath("//a/@href") if h.startswith("#")]
    assert len(links) > 20
    assert {h[1:] for h in links} <= ids
    for goal in out.state.goals:
        assert f"step-{goal}" in ids
    assert len(page.xpath("//svg//rect")) == len(out.state.goals)
    assert page.xpath("//td[contains(@class, 'cited')]")
    for c in out.answer.citations:
        assert page.xpath(f"//tr[@id='{c.id}']//a[starts-with(@href, '#e-')]"), c
    assert "<script>" not in text
    assert "<b>对比</b>" not in text


def test_conflicts_as_a_person_reads_them(two_boards: World) -> None:
    out = ask(two_boards)
    page = parser.fromstring(html(out.answer, out.state, out.decisions))
    (table,) = page.xpath("//section[@id='conflicts']//table")
    text = " ".join(table.text_content().split())
    for shown in ("退货率", "5.2%", "6.1%", "5.62%", "按可信度加权平均"):
        assert shown in text
    assert "0.052" not in text
    assert "return_rate" not in text
    assert "复核" in page.xpath("string(//svg)")
    assert page.xpath("//th[@class='n'][text()='return_rate']")


def test_a_report_without_a_plan() -> None:
    proposal = Proposal(
        None, "rules", "1", 0.0, missing=("没有数据集谈到天气",), reason="no dataset speaks of 天气"
    )
    answer = refusal("明天天气如何", proposal, run_id="r9")
    assert answer.text == "数据不足，无法判断：没有数据集谈到天气。"
    assert (answer.status, answer.findings, answer.citations) == ("insufficient", (), ())
    assert answer.gaps[0].what == "没有数据集谈到天气"
    page = html(answer, None)
    assert "没有数据集谈到天气" in page
    assert list(to_json(answer)) == KEYS


def test_an_answer_without_a_plan_in_english() -> None:
    proposal = Proposal(None, "rules", "1", 0.0, reason="no dataset speaks of weather")
    assert refusal("What is the weather?", proposal, run_id="r").text.startswith("Insufficient data")


def test_the_text_in_blocks() -> None:
    (block,) = blocks("结论：\n- 高 1 [c1][c3–c5]\n  · 行")
    assert block["heading"] == [("结论：", "")]
    assert block["items"] == [[[("高 1 ", ""), ("c1", "c1"), ("c3–c5", "c3")], [("· 行", "")]]]
