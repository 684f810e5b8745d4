"""The answer's text in sections: which finding goes where, headings, citation marks."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.base import Evidence
from executor.state import Goal, StepResult
from reflector.decision import AnswerStatus, Finding
from reflector.findings_derived import MAX_ROWS, derived_findings
from reflector.findings_effects import effect_findings, report_findings
from reflector.findings_passages import passage_findings
from reflector.findings_records import record_findings
from reflector.findings_values import value_findings
from reflector.lines import line, roots
from reflector.notes import remark
from reflector.titles import own_word
from reflector.tracing import operands, rows_behind
from reflector.writing import Writing

__all__ = ["SECTIONS", "Sections", "findings_by_section", "marks"]

SECTIONS = ("conclusion", "facts", "record_heading", "passages", "done")
# these state the values that they are computed from, so that the text need not say them twice
_STATES_INPUTS = frozenset({"difference", "growth", "share", "ratio", "product"})


def findings_by_section(writing: Writing) -> dict[str, list[Finding]]:
    """All findings of the steps that succeeded, in the plan's order within each section."""
    out: dict[str, list[Finding]] = {s: [] for s in SECTIONS}
    for root in roots(writing.state):
        goal = writing.state.goals[writing.state.resolve(root)]
        result = writing.state.results.get(goal.id)
        if result is None or result.status != "success" or result.evidence is None:
            continue
        section, found = _findings(writing, goal, result)
        out[section] += found
    return out


def _findings(writing: Writing, goal: Goal, result: StepResult) -> tuple[str, list[Finding]]:
    evidence = result.evidence
    assert evidence is not None
    asked = writing.state.goals[goal.root].sub_goal
    source = writing.catalogue.sources.get(asked.data_source)
    if asked.data_source == "report":
        return "done", report_findings(writing, goal, result)
    if source is not None and source.side_effect:
        return "done", effect_findings(writing, goal, result)
    if asked.data_source == "derive":
        return "conclusion", derived_findings(writing, goal, evidence)
    if evidence.kind == "text":
        return "passages", passage_findings(writing, goal, evidence)
    if evidence.kind == "records":
        return "record_heading", record_findings(writing, goal, evidence)
    return "facts", value_findings(writing, goal, evidence)


def marks(ids: Sequence[str]) -> str:
    """Citation marks behind a statement; three or more in a row are drawn together: [c4–c7]."""
    numbers = sorted(int(i[1:]) for i in ids)
    out, start = [], 0
    for n in range(1, len(numbers) + 1):
        if n < len(numbers) and numbers[n] == numbers[n - 1] + 1:
            continue
        run = numbers[start:n]
        out += [f"[c{run[0]}–c{run[-1]}]"] if len(run) > 2 else [f"[c{k}]" for k in run]
        start = n
    return f" {''.join(out)}" if out else ""


class Sections:
    """Findings and lines under their headings, in the order in which they are added."""

    def __init__(self, writing: Writing) -> None:
        self._writing = writing
        self._findings: list[Finding] = []
        self._lines: dict[str, list[str]] = {}

    def add_findings(self, by_section: dict[str, list[Finding]]) -> None:
        silent = _told_by_others(self._writing) if by_section["conclusion"] else frozenset()
        for section in SECTIONS:
            found = by_section[section]
            # a computed value is told once; a source's own value stays a finding even where the text need not repeat it
            self._findings += [f for f in found if section != "conclusion" or f.statement not in silent]
            told = [self._marked(f) for f in found if f.statement not in silent]
            self.add_lines(section, told)

    def _marked(self, finding: Finding) -> str:
        more = finding.places > len(finding.evidence)
        rest = self._writing.say("of_places", n=finding.places) if more else ""
        return finding.statement + marks(finding.evidence) + rest

    def add_lines(self, section: str, lines: Sequence[str]) -> None:
        if lines:
            self._lines.setdefault(section, []).extend(dict.fromkeys(lines))

    def findings(self) -> tuple[Finding, ...]:
        return tuple(self._findings)

    def notes(self) -> list[str]:
        """What the adapters say of how they read, and which sources answered that they have nothing."""
        writing, out = self._writing, []
        for root in roots(writing.state):
            for goal in line(writing.state, root):
                result = writing.state.results.get(goal.id)
                evidence = result.evidence if result is not None and result.status == "success" else None
                if evidence is None or result is None:
                    continue
                if (
                    goal.relation != "reconcile" and evidence.dataset != "trend"
                ):  # told as conflict and as trend
                    title = _titled(writing, goal, evidence)
                    title = f"{title}{writing.say('colon')}" if title else ""
                    out += [f"{title}{remark(writing.labels, n)}" for n in evidence.notes]
                if not evidence.rows and goal.sub_goal.data_source in writing.catalogue.sources:
                    out.append(
                        f"{writing.name_of(goal)}{writing.say('colon')}{writing.say('no_rows', source=evidence.source)}"
                    )
        return list(dict.fromkeys(out))

    def text(self, status: AnswerStatus, head: str = "") -> str:
        """One line where there is but one thing to say, else a list under each heading. `head` stands above all."""
        head = head or (self._writing.say(status) if status != "answered" else "")
        if not head and len(self._lines) == 1:
            ((_, lines),) = self._lines.items()
            return lines[0] if len(lines) == 1 else "\n".join(f"- {n}" for n in lines)
        parts = [head] if head else []
        for section, lines in self._lines.items():
            parts.append("\n".join([self._writing.say(section), *(f"- {n}" for n in lines)]))
        return "\n\n".join(parts)


def _titled(writing: Writing, goal: Goal, evidence: Evidence) -> str:
    """A source by its name, a computation by the plan's own word for it, if there is one."""
    if evidence.source == "derive":
        return own_word(goal.sub_goal.description)
    return f"{evidence.source} {evidence.dataset}"


def _told_by_others(writing: Writing) -> frozenset[str]:
    """Statements of steps whose values a computed step states in full."""
    out: set[str] = set()
    for root in roots(writing.state):
        goal = writing.state.goals[writing.state.resolve(root)]
        result = writing.state.results.get(goal.id)
        readers = [r for r in writing.readers(root) if r.sub_goal.data_source == "derive"]
        if result is None or result.status != "success" or result.evidence is None or not readers:
            continue
        covers = any(_states(writing, r, goal) for r in readers)
        if covers:
            out |= {f.statement for f in _findings(writing, goal, result)[1]}
    return frozenset(out)


def _states(writing: Writing, reader: Goal, read: Goal) -> bool:
    """Do the reader's own findings say all that the step's findings say, for every one of its rows?"""
    params, done = reader.sub_goal.params, writing.state.results.get(reader.id)
    operation = params.get("operation")
    if operation == "rank" and read.sub_goal.data_source == "derive" and params.get("top"):
        return True  # only the first few were asked for
    if operation == "rank":
        fits = read.sub_goal.data_source == "derive"
    elif operation == "count":
        fits = not params.get("by")
    else:
        fits = operation in _STATES_INPUTS
    if not fits or done is None or done.status != "success" or done.evidence is None:
        return False
    told, there = set[int](), 0
    for n, given in enumerate(operands(writing.state, reader)):
        if given.goal_id == read.id:
            there = len(given.evidence.rows)
            for row in range(min(len(done.evidence.rows), MAX_ROWS)):
                behind = rows_behind(reader, done.evidence, row, given, n)
                told |= (
                    set(behind) if len(behind) <= 2 or operation == "count" else set()
                )  # a sum hides its parts
    return told >= set(range(there))
