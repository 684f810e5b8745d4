"""Tags for times, the flat form of a plan, and what the local model reads."""

from datetime import date
from pathlib import Path

import pytest

from planner.catalogue_text import read_catalogue
from planner.compact import read_plan, show_plan
from planner.compact.tags import read_times, tag, untag
from planner.errors import PlanError
from planner.prompt import catalogue_prefix, flat, question_part, read_flat, rule_draft
from planner.rules import RulePlanner
from planner.training.triples import read_worlds

CATALOGUE = read_catalogue("""
@ ferry_board bi_dashboard 0.8 Harbour office
sailings Sailings by month : route,mth
  route text line/crossing {Alba|Brise=the breeze}
  mth month month
  late_pct percent share late/delays
  seats number seats sold
@ old_cube sql 0.5 Former ledger
sailings Sailings by month : route,mth
  route text line/crossing {Alba|Brise=the breeze}
  mth month month
  late_pct percent share late/delays
  seats number seats sold
@ tickets sql 0.9 Ticket office
claims Passengers' claims : claim_no
  claim_no text claim
  route text line/crossing {Alba|Brise=the breeze}
  filed date filed on
  vintage integer model year
  amt money amount claimed
! desk ticket_api 0.9 Claims desk
pay_out pay a claim : claim_no
  claim_no text claim
  due date by when
# rules pdf_knowledge_base 0.7 Rules of carriage
""")
TODAY = date(2026, 3, 18)


def tagged(question: str, plan: str) -> str:
    spans = read_times(question, TODAY)
    found = tag(plan, spans, TODAY, CATALOGUE)
    assert untag(found, spans, TODAY, CATALOGUE) == read_plan(plan)
    assert read_flat(flat(found)) == found
    return show_plan(found)


@pytest.mark.parametrize(
    ("question", "plan", "expected"),
    [
        ("delays last month", "sailings late_pct | mth=2026-02", "sailings late_pct | mth=T1"),
        ("claims filed last month", "claims amt | filed=2026-02-01..2026-02-28", "claims amt | filed=T1"),
        (
            "delays in February 2026 vs February 2025",
            "sailings late_pct | mth=2025-02,2026-02",
            "sailings late_pct | mth=T2,T1",
        ),
        (
            "delays: how far from January 2025 to March 2025",
            "sailings late_pct | mth=2025-01,2025-03",
            "sailings late_pct | mth=T1a,T1z",
        ),
        ("claims since February 2026", "claims amt | filed=2026-02-01..", "claims amt | filed=T1"),
        ("claims filed until today", "claims amt | filed=..2026-03-18", "claims amt | filed=T1"),
        ("claims outstanding", "claims amt | filed=..2026-03-18", "claims amt | filed=..T0"),
        (
            "claims of last month to date",
            "claims amt | filed=2026-02-01..2026-03-18",
            "claims amt | filed=T1..T0",
        ),
        ("claims on boats of 2019", "claims amt | vintage=2019", "claims amt | vintage=T1"),
        (
            "pay C-7 today if it was filed last month",
            "claims filed | claim_no=C-7\n!pay_out claim_no=C-7 due=2026-03-18 if 1.filed>=2026-02-01",
            "claims filed | claim_no=C-7\n!pay_out claim_no=C-7 due=T1 if 1.filed>=T2a",
        ),
        ("claim T1 of last month", "claims amt | claim_no=T1", "claims amt | claim_no=T1"),
        ("delays in the old days", "sailings late_pct | mth=1999-01", "sailings late_pct | mth=1999-01"),
    ],
)
def test_times_become_tags_and_come_back(question: str, plan: str, expected: str) -> None:
    assert tagged(question, plan) == expected


@pytest.mark.parametrize("plan", ["sailings | mth=T2", "claims | filed=T1,T0", "!pay_out claim_no=C due=T1"])
def test_a_tag_that_the_question_does_not_give_is_refused(plan: str) -> None:
    spans = read_times("claims of last month", TODAY)
    with pytest.raises(PlanError, match=r"T[12]"):
        untag(plan, spans, TODAY, CATALOGUE)


def test_an_unreadable_time_gives_no_tags() -> None:
    assert read_times("claims of 30 February 2026", TODAY) == ()


def test_the_prefix_puts_words_before_names_and_explains_a_field_once() -> None:
    assert catalogue_prefix(CATALOGUE) == (
        "@ferry_board Harbour office\n"
        "@old_cube Former ledger\n"
        "sailings@ferry_board,old_cube Sailings by month: line/crossing=route{Alba|Brise=the breeze} "
        "month=mth:m share late/delays=sailings.late_pct:% "
        "seats sold=sailings.seats:n\n"
        "claims@tickets Passengers' claims: claim=claim_no route filed on=filed:d model year=vintage:n "
        "amount claimed=claims.amt:$\n"
        "!pay_out pay a claim: claim_no by when=due:d\n"
        "#rules Rules of carriage\n"
    )


def test_the_question_carries_its_tags_and_the_rules_draft() -> None:
    question = "share late on Alba last month"
    spans = read_times(question, TODAY)
    draft = rule_draft(RulePlanner(CATALOGUE), question, TODAY, spans, CATALOGUE)
    assert question_part(question, spans, draft) == (
        "\nQ: share late on Alba last month[T1m]\nD: sailings late_pct | route=Alba mth=T1\nP: "
    )
    assert question_part("hello\nthere", (), None) == "\nQ: hello there\nD: -\nP: "


def test_a_flat_plan_keeps_separators_inside_quotes() -> None:
    plan = read_plan('claims amt | claim_no="a ; b"\n#rules lost; found\n= sum 1.amt')
    assert read_flat(flat(plan)) == plan
    assert flat(read_plan("? nothing speaks of the weather")) == "? nothing speaks of the weather"


def test_every_authored_plan_comes_back_from_its_tags() -> None:
    folder = Path(__file__).parents[2] / "planner" / "training" / "data"
    for world in read_worlds(folder):
        for triple in world.triples[::8]:
            spans = read_times(triple.question, triple.today)
            plan = read_plan(triple.plan)
            found = tag(plan, spans, triple.today, world.catalogue)
            assert untag(found, spans, triple.today, world.catalogue) == plan
