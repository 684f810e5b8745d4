"""`assay ask`: a question, its answer, and what it took."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.commands.options import (
    ConfigsOption,
    JsonOption,
    RolesOption,
    TodayOption,
    open_installation,
    read_day,
    write_json,
)
from assay.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from assay.front import Assay
    from planner.catalogue import Catalogue
    from planner.plan import Plan
    from planner.proposal import Proposal
    from reflector.decision import Answer

__all__ = ["ask"]

PARTIAL = 3
UNSURE = 4


def ask(
    question: Annotated[str, typer.Argument(help="The question, Chinese or English.")] = "",
    plan: Annotated[
        Path | None,
        typer.Option("--plan", help="Run this plan (JSON) instead of planning; - for standard input."),
    ] = None,
    approve: Annotated[
        list[str] | None,
        typer.Option(
            "--approve", help="Source whose side effect may happen in this run, * for all; repeatable."
        ),
    ] = None,
    planner: Annotated[str | None, typer.Option("--planner", help="auto, local, rules or remote.")] = None,
    best: Annotated[
        bool, typer.Option("--best", help="Run the likeliest plan, however unsure; do not ask.")
    ] = False,
    today: TodayOption = None,
    roles: RolesOption = None,
    configs: ConfigsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a question. Exit code 0 answered, 3 partial or insufficient, 4 unsure of the plan, 2 usage, 1 a bug."""
    from assay.commands.plan import check_planner
    from assay.front import check_question
    from assay.progress import Progress
    from assay.settings import find_configs
    from planner.catalogue import Catalogue
    from planner.proposal import Proposal

    if plan is None:
        check_question(question, "a plan with --plan")
    check_planner(planner)
    day, readers, approved = read_day(today), tuple(roles or ()), tuple(approve or ())
    given = _read_plan(plan, Catalogue.load(find_configs(configs) / "sources")) if plan else None
    with open_installation(configs) as assay, Progress(quiet=as_json) as progress:
        assay.check_approved(approved)
        chosen = given or assay.plan(question, today=day, roles=readers, planner=planner)
        if isinstance(chosen, Proposal) and not best:
            chosen = _made_sure(question, chosen, assay, progress.console, asks=not as_json, roles=readers)
        progress.show(chosen)
        answer = assay.ask(
            question,
            plan=chosen,
            today=day,
            planner=planner,
            approve=approved,
            roles=readers,
            listen=progress,
        )
    if as_json:
        from reflector.answer_json import to_json

        write_json(to_json(answer))
    else:
        _print(answer)
    if answer.status != "answered":
        raise typer.Exit(PARTIAL)


def _made_sure(
    question: str, proposal: Proposal, assay: Assay, console: Console, *, asks: bool, roles: tuple[str, ...]
) -> Proposal:
    """The proposal when the planner is sure enough of it, else the one that a person picks; without a person, the
    candidates go to standard output as JSON and the command ends with exit code 4."""
    import sys

    from assay.choosing import pick, unsure_json

    threshold = assay.settings.planning.threshold
    if not proposal.unsure(threshold):
        return proposal
    if not (asks and sys.stdin.isatty() and sys.stdout.isatty()):
        write_json({**unsure_json(question, proposal, threshold), "exit_code": UNSURE})
        raise typer.Exit(UNSURE)
    chosen = pick(proposal, assay.catalogue.for_roles(roles), console)
    if chosen is None:
        raise typer.Exit(UNSURE)
    return chosen


def _read_plan(path: Path, catalogue: Catalogue) -> Plan:
    """The plan in a file, through the same checks as a planner's. Raises UsageError, PlanError."""
    import sys

    from planner.parse import parse_plan

    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
    except OSError as e:
        raise UsageError(f"{path}: cannot be read as a plan: {e.strerror}") from None
    except UnicodeDecodeError as e:
        raise UsageError(f"{path}: cannot be read as a plan: not UTF-8 (byte {e.start})") from None
    return parse_plan(_inner(text, str(path)), catalogue)


def _inner(text: str, path: str) -> str:
    """The plan in what `assay plan --json` printed, or in an answer of `assay ask --json`; else the text as it is."""
    import json

    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text  # not sound JSON: the plan's own parser mends it, or says what is wrong
    if not isinstance(found, dict) or "plan" not in found or "sub_goals" in found:
        return text
    if found["plan"] is None:
        raise UsageError(f"{path}: holds no plan: {found.get('reason') or 'none was made'}")
    return json.dumps(found["plan"])


def _print(answer: Answer) -> None:
    from rich.console import Console

    from assay.progress import printable

    console = Console(highlight=False)
    console.print()
    console.print(printable(answer.text), markup=False)
    console.print()
    if answer.report:
        console.print(f"[dim]{answer.status} · run {answer.run_id} · {answer.seconds:.1f} s[/dim]")
        console.print(f"[dim]report: {answer.report}[/dim]", soft_wrap=True)
