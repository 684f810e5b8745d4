"""One HTML file that tells the whole run: answer, plan, conflicts, evidence, attempts, decisions. It needs no other file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from executor.state import ExecutionState
from reflector.decision import Answer, Decision
from reflector.graph import HEIGHT, WIDTH, lay_out
from reflector.phrases import language_of
from reflector.report_view import blocks, citations_of, conflicts_of, steps_of
from reflector.report_words import headings

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = ["html", "write_html"]

_FOLDER = Path(__file__).parent / "templates"


def write_html(
    answer: Answer, state: ExecutionState | None, path: Path, decisions: Sequence[Decision] = ()
) -> None:
    """Writes the report to `path`. `state` is None when there was no plan."""
    path.write_text(html(answer, state, decisions), encoding="utf-8", errors="replace")


def html(answer: Answer, state: ExecutionState | None, decisions: Sequence[Decision] = ()) -> str:
    """The report's text. Everything that comes from outside is escaped."""
    language = language_of(answer.question)
    citations = citations_of(answer, state)
    return _template().render(
        answer=answer,
        language="zh-CN" if language == "zh" else "en",
        words=headings(language),
        blocks=blocks(answer.text),
        graph=lay_out(state) if state is not None else None,
        node_width=WIDTH,
        node_height=HEIGHT,
        steps=steps_of(answer, state),
        citations=citations,
        targets={c["id"]: c["anchor"] or c["id"] for c in citations},
        conflicts=conflicts_of(answer, state),
        decisions=decisions,
        largest_weight=max((v.weight for c in answer.conflicts for v in c.values), default=1.0) or 1.0,
    )


@cache
def _template() -> Template:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html.j2")
