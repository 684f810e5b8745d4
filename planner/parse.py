"""Text from a model, or an object, → a checked Plan: strict JSON → json-repair once → schema → catalogue check."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NoReturn

from pydantic import ValidationError

from planner.catalogue import Catalogue
from planner.errors import PlanError
from planner.json_shape import check_json
from planner.plan import Plan, SubGoal
from planner.plan_check import check_plan

__all__ = ["check_plan", "parse_plan"]

_MAX_TEXT = 50_000  # characters; twelve wordy sub-goals take about 10,000
# json-repair takes minutes on 40,000 open brackets; within these limits the worst found took 3 s
_MAX_REPAIR = 20_000  # characters
_MAX_BRACKETS = 400  # a plan of twelve sub-goals opens about 90
_GOES_ON = re.compile(r'"|[,:]\s*(?:["{\[]|$)')  # after the last bracket: more of the object was to come

_TOKEN = re.compile(r'\\.|["{}\[\]]', re.DOTALL)


def parse_plan(text_or_object: object, catalogue: Catalogue, done: Sequence[SubGoal] = ()) -> Plan:
    """A plan that may run. `done` are steps that it goes on from: they stand before its own, which may refer to them.

    Raises PlanError, and nothing else, naming the sub-goal and the key."""
    if isinstance(text_or_object, Plan):
        check_plan(text_or_object, catalogue)
        return text_or_object
    found = _read(text_or_object) if isinstance(text_or_object, str) else text_or_object
    if not isinstance(found, dict):
        raise PlanError(f"a plan is a JSON object, not {type(found).__name__}")
    check_json(found)
    plan = _validated(found)
    if done:
        rest = [g for g in plan.sub_goals if not any(g.id == d.id and g.params == d.params for d in done)]
        plan = plan.model_copy(update={"sub_goals": (*done, *rest)})
    check_plan(plan, catalogue)
    return plan


def _read(text: str) -> object:
    if len(text) > _MAX_TEXT:
        raise PlanError(f"longer than {_MAX_TEXT:,} characters ({len(text):,})")
    if not text.strip():
        raise PlanError("empty; a plan is a JSON object with question, route and sub_goals")
    try:
        return json.loads(text, object_pairs_hook=_no_repeats)
    except (ValueError, RecursionError):
        return _repaired(text)


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON keeps the last of two equal keys in silence; here a filter would be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [k for k, _ in pairs]
        raise PlanError("given twice in one object", key=next(k for k in keys if keys.count(k) > 1)[:60])
    return found


def _repaired(text: str) -> object:
    """What stands in a text that is nearly JSON: code fences, prose around it, a missing bracket or comma.

    A text that stops in the middle of a list is refused: its missing sub-goals cannot be repaired, only lost.
    """
    import json_repair

    if _cut_off(text):
        raise PlanError("the plan is cut off before its end")
    if len(text) > _MAX_REPAIR or text.count("{") + text.count("[") > _MAX_BRACKETS:
        raise PlanError("not JSON, and too large to repair")
    try:
        found = json_repair.loads(text, skip_json_loads=True)
    except (ValueError, RecursionError) as e:
        raise PlanError(f"not JSON, and beyond repair: {str(e)[:120]}") from None
    if not isinstance(found, dict):
        raise PlanError("there is no JSON object in the text")
    return found


def _cut_off(text: str) -> bool:
    """Whether the object ends within a sub-goal. Only the brackets that close the list and the plan may be missing."""
    tail = text[max(text.rfind("}"), text.rfind("]")) + 1 :].lstrip()
    if "{" not in text or _GOES_ON.match(tail):
        return "{" in text
    unclosed, quoted = 0, False
    for token in _TOKEN.findall(text, text.index("{")):
        if token == '"':
            quoted = not quoted
        elif not quoted:
            unclosed += {"{": 1, "[": 1, "}": -1, "]": -1}.get(token, 0)
    if quoted:  # cut within a text, or a text that holds quotes of its own
        return not text.rstrip("` \r\n").endswith("}")
    return unclosed > 2


def _validated(found: dict[str, Any]) -> Plan:
    try:
        # As JSON, so that strict types hold ("yes" is no boolean) while lists become tuples.
        return Plan.model_validate_json(json.dumps(found), strict=True)
    except ValidationError as e:
        _refuse(found, e)
    except ValueError as e:  # an integer with more digits than Python will print
        raise PlanError(str(e)) from None


def _refuse(found: dict[str, Any], error: ValidationError) -> NoReturn:
    first = error.errors(include_url=False)[0]
    loc = list(first["loc"])
    sub_goal = ""
    if len(loc) > 1 and loc[0] == "sub_goals" and isinstance(loc[1], int):
        goal = found["sub_goals"][loc[1]]
        given = goal.get("id") if isinstance(goal, dict) else None
        sub_goal = given if isinstance(given, str) and given and loc[2:] != ["id"] else f"sub_goals[{loc[1]}]"
        loc = loc[2:]
    key = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in loc).lstrip(".")
    known = {
        "missing": "missing key",
        "extra_forbidden": "unknown key",
        "string_too_short": "must not be empty",
        "too_short": "must not be empty",
    }
    message = known.get(first["type"])
    raise PlanError(
        message or first["msg"][0].lower() + first["msg"][1:], sub_goal=sub_goal[:60], key=key[:120]
    )
