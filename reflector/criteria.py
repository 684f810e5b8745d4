"""Rules found in the documents, checked on what was measured: met or not, each with both citations.

The conclusion is about the rules that were found and could be checked, nothing else; a person decides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from adapters.base import Evidence
from adapters.dates import granularity, time_after
from executor.state import Goal
from reflector.decision import Finding
from reflector.labels import amount, percent
from reflector.lines import standing
from reflector.measured import Measured, measured_values
from reflector.rule_text import RuleText, find_rules
from reflector.writing import MAX_CITED, Writing

__all__ = ["criteria_findings"]


@dataclass(frozen=True, slots=True)
class _Check:
    measured: Measured
    name: str
    rule: RuleText
    met: bool
    shown: str
    rows: tuple[int, ...]  # those that decide
    place: tuple[Goal, Evidence, int]
    missing: tuple[str, ...] = ()  # months without a value, of those that should have one


def criteria_findings(writing: Writing) -> list[Finding]:
    """The overall result first, then each criterion; empty where the documents hold no rule on what was measured."""
    checks, unchecked = _checks(writing)
    if not checks:
        return []
    each = [_finding(writing, c) for c in checks]
    bad = [c for c in checks if not c.met]
    names = writing.say("list").join(dict.fromkeys(_label(c) for c in bad or checks))
    phrase = "some_failed" if bad else "part_met" if unchecked else "all_met"
    open_ones = writing.say("list").join(dict.fromkeys(rule.subject for rule, _ in unchecked))
    statement = writing.say(phrase, names=names, failed=names, unchecked=open_ones)
    ends = (i for f in each for i in (f.evidence[0], f.evidence[-1]))  # a value and the rule of each
    cited = tuple(dict.fromkeys(ends))[:MAX_CITED]
    whole = None if unchecked and not bad else not bad
    return [Finding(statement, whole, "", cited), *each, *(_unchecked(writing, *u) for u in unchecked)]


def _unchecked(writing: Writing, rule: RuleText, place: tuple[Goal, Evidence, int]) -> Finding:
    goal, evidence, n = place
    found = evidence.locate(n, "text") or evidence.locate(n)
    cited = writing.citations.cite([replace(found, text=rule.text)], goal.id) if found else ()
    return Finding(writing.say("criterion_open", rule=_rule_in_short(rule.text)), None, "", cited)


def _checks(writing: Writing) -> tuple[list[_Check], list[tuple[RuleText, tuple[Goal, Evidence, int]]]]:
    """The rules that could be checked, and those beside them in the same passage that could not."""
    measured = measured_values(writing)
    found: dict[tuple[str, str, str, float], _Check] = {}
    unchecked: dict[str, tuple[RuleText, tuple[Goal, Evidence, int]]] = {}
    for goal, result in standing(writing.state):
        evidence = result.evidence
        if result.status != "success" or evidence is None or evidence.kind != "text":
            continue
        for n, row in enumerate(evidence.rows):
            rules = find_rules(str(row.get("text") or ""))
            each = [_check(measured, rule, (goal, evidence, n)) for rule in rules]
            for rule, check in zip(rules, each, strict=True):
                if check is None and any(each):
                    unchecked.setdefault(rule.text, (rule, (goal, evidence, n)))
                if check is not None:
                    key = (check.measured.goal_id, check.measured.field, rule.comparator, rule.number)
                    found.setdefault(key, check)
    done = {c.rule.text for c in found.values()}
    return list(found.values()), [u for text, u in unchecked.items() if text not in done]


def _check(measured: list[Measured], rule: RuleText, place: tuple[Goal, Evidence, int]) -> _Check | None:
    """The rule on the measure that its subject names best; None when none fits in kind."""
    named = [(m.name_in(rule.subject), m) for m in measured]
    best = max((len(name) for name, _ in named), default=0)
    if best == 0:
        return None
    for name, m in named:
        if len(name) != best:
            continue
        if rule.comparator == "unbroken":
            check = _unbroken(m, name, rule, place)
        elif rule.percent == (m.type in ("percent", "ratio")) or (
            m.type == "ratio" and not rule.percent and rule.number <= 1
        ):
            check = _compare(m, name, rule, place)
        else:
            check = None
        if check is not None:
            return check
    return None


def _compare(m: Measured, name: str, rule: RuleText, place: tuple[Goal, Evidence, int]) -> _Check | None:
    """Every value must hold; the one told is the least favourable."""
    pairs = [(float(v), row) for v, row in zip(m.values, m.rows, strict=True) if isinstance(v, int | float)]
    if not pairs:
        return None
    pick = min if rule.comparator in (">=", ">") else max
    value, row = pick(pairs, key=lambda p: p[0])
    shown = percent(value) if m.type == "ratio" else amount(m.values[m.rows.index(row)], m.type)
    return _Check(m, name, rule, rule.holds(value), shown, (row,), place)


def _unbroken(m: Measured, name: str, rule: RuleText, place: tuple[Goal, Evidence, int]) -> _Check | None:
    """Do the last so many months each have a value above zero?"""
    grains = {granularity(t) for t in m.times}
    if grains != {"month"}:
        return None
    there = {t for t, v in zip(m.times, m.values, strict=True) if isinstance(v, int | float) and v > 0}
    last, months = max(m.times), int(rule.number)
    wanted = [time_after(last, "month", -k) for k in range(months)]
    missing = sorted(t for t in wanted if t not in there)
    rows = tuple(row for row, t in zip(m.rows, m.times, strict=True) if t in wanted)
    shown = f"{wanted[-1]} – {wanted[0]}"
    return _Check(m, name, rule, not missing, shown, rows, place, tuple(missing))


def _label(check: _Check) -> str:
    """The rule's own word for the measure."""
    return check.name or check.measured.label


def _rule_in_short(text: str) -> str:
    """A table's row up to the cell with the figure; what stands behind it (whose data, since when) is no rule."""
    told: list[str] = []
    for cell in filter(None, (c.strip() for c in text.split("|"))):
        told.append(cell)
        if any(c.isdigit() for c in cell):
            break
    return " ".join(" ".join(told).split())


def _finding(writing: Writing, check: _Check) -> Finding:
    m, (goal, evidence, n) = check.measured, check.place
    own = writing.cite(m.goal_id, check.rows, m.field)
    own = own if len(own) < MAX_CITED else (*own[: MAX_CITED - 2], own[-1])  # the rule's place is one of them
    place = evidence.locate(n, "text") or evidence.locate(n)
    cited = writing.citations.cite([replace(place, text=check.rule.text)], goal.id) if place else ()
    months = writing.say("list").join(check.missing)
    shown = check.shown
    if check.rule.comparator == "unbroken":
        shown += writing.say("lacking", months=months) if months else writing.say("each_there")
    phrase = "criterion_met" if check.met else "criterion_failed"
    rule = _rule_in_short(check.rule.text)
    statement = writing.say(phrase, label=_label(check), value=shown, rule=rule)
    value = months or check.met  # what is absent can be cited by nothing else
    return Finding(statement, value, "", (*own, *(c for c in cited if c not in own)))
