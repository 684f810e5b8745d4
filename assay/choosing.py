"""When the planner may well be wrong, a person chooses: what each plan would fetch, and which words it leaves out."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

from assay.errors import UsageError
from assay.progress import printable
from planner.plan import Plan
from planner.proposal import Alternative, Proposal

if TYPE_CHECKING:
    from rich.console import Console

    from planner.catalogue import Catalogue

__all__ = ["candidates", "pick", "unsure_json"]

_SHOWN = 5  # candidates that a person is shown


def candidates(proposal: Proposal) -> list[Alternative]:
    """The proposed plan and the others, the likeliest first."""
    first = proposal.plan and Alternative(
        proposal.plan, proposal.planner, proposal.confidence, proposal.unused
    )
    return [*([first] if first else []), *proposal.alternatives][:_SHOWN]


def unsure_json(question: str, proposal: Proposal, threshold: float) -> dict[str, Any]:
    """What a script gets in place of an answer; a candidate's `plan` can be given back with --plan."""
    return {
        "status": "unsure",
        "question": question,
        "confidence": round(proposal.confidence, 4),
        "threshold": threshold,
        "reason": proposal.reason,
        "missing": list(proposal.missing),
        "candidates": [
            {
                "confidence": round(c.confidence, 4),
                "planner": c.planner,
                "unused": list(c.unused),
                "fetches": fetches(c.plan),
                "plan": c.plan.model_dump(mode="json"),
            }
            for c in candidates(proposal)
        ],
    }


def fetches(plan: Plan) -> list[str]:
    """A line a step, in the words of the question's language."""
    return [
        f"{g.id} {g.data_source}: {g.description}" + (f" [{g.when}]" if g.when else "")
        for g in plan.sub_goals
    ]


def pick(proposal: Proposal, catalogue: Catalogue, console: Console) -> Proposal | None:
    """Asks on the terminal; None when the person wants none of them. Raises UsageError, PlanError on an edited plan."""
    import typer

    found = candidates(proposal)
    console.print(f"I am not sure of the plan ({proposal.confidence:.0%}). Which one do you mean?")
    for line in proposal.missing:
        console.print(f"missing, as far as I can see: {printable(line)}", markup=False)
    for number, one in enumerate(found, 1):
        console.print(f"\n[bold]{number}[/bold]  {one.confidence:.0%}")
        for line in fetches(one.plan):
            console.print(f"   {printable(line)}", markup=False)
        if one.unused:
            console.print(f"   words not used: {printable(', '.join(one.unused))}", markup=False)
    answer = typer.prompt("\nnumber to run it, e and number to edit it, q for none", default="1", err=True)
    wanted = answer.strip().lower()
    if wanted in ("q", "n", "0"):
        return None
    edit = wanted.startswith("e")
    number = wanted.removeprefix("e").strip()
    if not number.isdigit() or not 1 <= int(number) <= len(found):
        raise UsageError(f"{answer!r}: a number from 1 to {len(found)}, e and a number, or q is needed")
    chosen = found[int(number) - 1]
    plan = _edited(chosen.plan, catalogue) if edit else chosen.plan
    how = "edited by a person" if edit else "chosen by a person"
    reason = f"{how} among {len(found)}; the planner held it for {chosen.confidence:.2f} likely"
    return dataclasses.replace(
        proposal,
        plan=plan,
        planner="person",
        confidence=1.0,
        calibrated=False,
        unused=(),
        missing=(),
        reason=reason,
    )


def _edited(plan: Plan, catalogue: Catalogue) -> Plan:
    import click

    from planner.parse import parse_plan

    text = click.edit(
        json.dumps(plan.model_dump(mode="json"), ensure_ascii=False, indent=2), extension=".json"
    )
    return parse_plan(text, catalogue) if text else plan
