"""What a person sees while a question is being answered: the plan, then each step as it happens. On stderr, beside the answer."""

from __future__ import annotations

import re
from types import TracebackType
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from executor.events import Event
    from planner.plan import Plan
    from planner.proposal import Proposal

__all__ = ["Progress", "printable"]

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

MARKS = {
    "success": "[green]✓[/green]", "skipped": "[yellow]–[/yellow]", "pending": "[yellow]…[/yellow]",
    "failed_retryable": "[red]✗[/red]", "failed_fatal": "[red]✗[/red]",
}  # fmt: skip


def printable(text: str) -> str:
    """Without control characters: no question and no source may steer the reader's terminal."""
    return _CONTROL.sub("\ufffd", text)


def _shown(text: str) -> str:
    return escape(printable(text))


class Progress:
    """Called with each executor event, from any thread (rich's console locks). `quiet` shows nothing."""

    def __init__(self, *, quiet: bool = False, to_stderr: bool = True) -> None:
        self.console = Console(stderr=to_stderr, quiet=quiet, highlight=False)
        self.status = self.console.status("")
        self.running: dict[str, str] = {}

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, tb: TracebackType | None
    ) -> None:
        self.status.stop()

    def show(self, chosen: Plan | Proposal) -> None:
        """The plan as a table, with who made it; or why there is none."""
        from planner.plan import Plan

        if isinstance(chosen, Plan):
            self._table(chosen, "a person's plan")
        elif chosen.plan is None:
            self.console.print(f"no plan: {_shown(chosen.reason)}")
        else:
            self._table(chosen.plan, f"{chosen.planner} {chosen.version} · {chosen.confidence:.2f}")
            if chosen.unused:
                self.console.print(f"[dim]words not used: {_shown(', '.join(chosen.unused))}[/dim]")

    def _table(self, plan: Plan, maker: str) -> None:
        table = Table(title=f"{plan.route} · {maker}", title_justify="left", expand=False)
        for heading in ("step", "source", "what", "must hold"):
            table.add_column(heading, overflow="fold")
        for g in plan.sub_goals:
            waits = f"\nafter {', '.join(g.depends_on)}" if g.depends_on else ""
            only = f"\nonly if {g.when}" if g.when else ""
            table.add_row(
                g.id, _shown(g.data_source), _shown(g.description + waits + only), _shown(g.validation)
            )
        self.console.print(table)

    def __call__(self, event: Event) -> None:
        if event.kind == "started":
            self.running[event.goal_id] = event.source
            self._spin()
        elif event.kind == "finished":
            self.running.pop(event.goal_id, None)
            mark = MARKS.get(event.status, "·")
            self.console.print(
                f"{mark} {event.goal_id:<6} {_shown(event.source):<14} [dim]{event.seconds:5.1f} s[/dim]  "
                f"{_shown(event.message)}"
            )
            self._spin()
        elif event.message:
            self.console.print(
                f"[dim]· {event.goal_id:<6} {_shown(event.source):<14} {_shown(event.message)}[/dim]"
            )

    def _spin(self) -> None:
        if not self.running:
            self.status.stop()
            return
        self.status.update(" ".join(f"{goal}@{source}" for goal, source in list(self.running.items())))
        self.status.start()
