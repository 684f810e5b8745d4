"""The grammar holds what people wrote, and nothing that cannot be read."""

import random
from datetime import date
from pathlib import Path

from planner.catalogue_text import read_catalogue
from planner.compact import CompactPlan, FetchLine
from planner.compact.tags import read_times, tag
from planner.errors import PlanError
from planner.grammar import PlanGrammar, trie
from planner.prompt import flat, read_flat
from planner.rules.lexicon import Lexicon
from planner.training.triples import read_worlds
from tests.planner.gbnf import Gbnf

DATA = Path(__file__).parents[2] / "planner" / "training" / "data"
TODAY = date(2026, 3, 18)
CATALOGUE = read_catalogue("""
@ ferry_board bi_dashboard 0.8 Harbour office
sailings Sailings by month : route,mth
  route text line {Alba|Brise|Cape "Far"}
  mth month month
  late_pct percent share late
@ tickets sql 0.9 Ticket office
claims Passengers' claims : claim_no
  claim_no text claim
  filed date filed on
  amt money amount claimed
! desk ticket_api 0.9 Claims desk
pay_out pay a claim : claim_no
  claim_no text claim
  amt money amount
# rules pdf_knowledge_base 0.7 Rules of carriage
""")
QUESTION = 'pay "C-77" of Ann Lee 42 if it was filed last month'
GRAMMAR = Gbnf(
    PlanGrammar(Lexicon(CATALOGUE).tables.values()).for_question(QUESTION, read_times(QUESTION, TODAY))
)


def holds(plan: str) -> bool:
    return GRAMMAR.holds(plan + "\n")


def test_plans_of_every_kind_are_in_it() -> None:
    for plan in (
        "claims amt | claim_no=C-77 filed=T1",
        'claims | claim_no="Ann Lee",C-77 amt=40..',
        'sailings late_pct | route=Alba,"Cape \\"Far\\"" mth=T1a,T1z',
        "sailings | mth=T0..T1 ; = rank 1.late_pct by mth:year top 3 asc",
        "claims filed | claim_no=C-77 ; !pay_out claim_no=C-77 amt=1.amt if 1.filed>=T1 and 1.amt<100",
        "#rules late sailings ; sailings ; > docx",
        "? nothing here; speaks of the weather",
    ):
        assert holds(plan), plan


def test_what_does_not_exist_is_not_in_it() -> None:
    for plan in (
        "sailing late_pct",  # no such dataset
        "sailings amt",  # no such column of it
        "sailings | amt=3",  # no such field of it
        "sailings | route=Delos",  # not listed
        "sailings | mth=T2",  # one time in the question
        "claims | claim_no=C-78",  # not in the question
        "claims | claim_no=77",  # the middle of a word of it
        "#manual late",  # no such source
        "claims ; = sum 2.amt",  # a step that is not there yet
        "claims ; = total 1.amt",
        "pay_out",
        "!claims claim_no=C-77",
    ):
        assert not holds(plan), plan


def test_behind_done_lines_only_the_rest_can_be_written() -> None:
    tables = Lexicon(CATALOGUE).tables.values()
    rest = Gbnf(PlanGrammar(tables).for_question(QUESTION, read_times(QUESTION, TODAY), done=2))
    for held in (
        " claims | filed=T1",
        " = sum 2.amt",
        " sailings ; = difference 2.amt 3.seats",
        " ? no more",
    ):
        assert rest.holds(held.replace("seats", "late_pct") + "\n"), held
    for other in ("claims | filed=T1", " = sum 3.amt", " sailing", ""):
        assert not rest.holds(other + "\n"), other


def test_whatever_it_makes_can_be_read_back() -> None:
    rng = random.Random(7)
    datasets = set()
    for _ in range(400):
        read = plan_or_fault(GRAMMAR.sentence(rng))
        if isinstance(read, CompactPlan):
            datasets |= {line.dataset for line in read.lines if isinstance(line, FetchLine)}
        else:
            assert "filtered twice" in read  # the grammar does not count
    assert datasets == {"sailings", "claims"}


def plan_or_fault(text: str) -> CompactPlan | str:
    try:
        return read_flat(text)
    except PlanError as error:
        return str(error)


def test_literals_share_their_beginnings() -> None:
    assert trie({"late": "a", "lane": "b", "la": ""}) == '"la" ("te" a | "ne" b | "")'


def test_authored_plans_are_in_the_grammar_of_their_catalogue() -> None:
    held = total = 0
    for world in list(read_worlds(DATA))[::16]:
        grammar = PlanGrammar(Lexicon(world.catalogue).tables.values())
        for triple in world.triples[::6]:
            spans = read_times(triple.question, triple.today)
            plan = flat(tag(triple.plan, spans, triple.today, world.catalogue)) + "\n"
            held += Gbnf(grammar.for_question(triple.question, spans)).holds(plan)
            total += 1
    assert held >= total * 0.97
