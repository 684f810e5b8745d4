"""The synthesis prompt: what passed, each with its citation, and the order to use nothing else.

Words from sources are data. They stand inside a fence whose mark is derived from the content itself, so that no source
can know it beforehand, and every angle bracket in them is written as a full-width one, so that none can look like it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reflector.decision import Citation, Conflict, Finding, Gap, Relaxation

if TYPE_CHECKING:
    from jinja2 import Template

    from reflector.writing import Writing

__all__ = ["fence_for", "fenced", "render"]

_TEMPLATE = Path(__file__).parent / "prompts" / "synthesis.j2"
_BRACKETS = str.maketrans({"<": "＜", ">": "＞"})


def render(
    writing: Writing,
    findings: Sequence[Finding],
    citations: Sequence[Citation],
    conflicts: Sequence[Conflict],
    relaxations: Sequence[Relaxation],
    gaps: Sequence[Gap],
) -> str:
    """The prompt as it would be sent to a language model; deterministic."""
    question = writing.state.plan.question
    data = {
        "findings": [
            {"statement": f.statement, "value": f.value, "unit": f.unit, "citations": list(f.evidence)}
            for f in findings
        ],
        "citations": [{"id": c.id, **c.locator.as_dict()} for c in citations],
        "conflicts": [_conflict(c) for c in conflicts],
        "relaxations": [
            {"field": r.field, "asked": r.asked, "used": r.used, "why": r.why} for r in relaxations
        ],
        "gaps": [{"what": g.what, "why": g.why, "remedy": g.remedy} for g in gaps],
    }
    lines = {name: [_line(entry) for entry in entries] for name, entries in data.items()}
    fence = fence_for(question, json.dumps(lines, ensure_ascii=False))
    language = "Chinese" if writing.language == "zh" else "English"
    return _template().render(question=fenced(question), fence=fence, language=language, **lines)


def fence_for(*contents: str) -> str:
    """A mark that stands in none of the contents."""
    salt = 0
    while True:
        mark = hashlib.sha256(
            "\x00".join((*contents, str(salt))).encode("utf-8", "surrogatepass")
        ).hexdigest()[:16]
        if not any(mark in c for c in contents):
            return mark
        salt += 1


def fenced(text: str) -> str:
    """A source's words, on one line and without a bracket that could close a fence."""
    printable = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(printable.translate(_BRACKETS).split())


def _line(entry: dict[str, Any]) -> str:
    return fenced(json.dumps(entry, ensure_ascii=False, default=str))


def _conflict(c: Conflict) -> dict[str, Any]:
    return {
        "key": c.key,
        "measure": c.measure,
        "said": [
            {"source": v.source, "value": v.value, "weight": v.weight, "citation": v.citation}
            for v in c.values
        ],
        "kept": c.kept,
        "rule": c.rule,
    }


@cache
def _template() -> Template:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(
        undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(_TEMPLATE.read_text(encoding="utf-8"))
