"""`RemotePlanner`: any endpoint that speaks OpenAI's chat completions, held to the same checks as every planner."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planner.built_in_params import OPERATIONS
from planner.catalogue import Catalogue
from planner.catalogue_text import show_catalogue
from planner.errors import PlanError, PlannerError
from planner.parse import parse_plan
from planner.plan import MAX_SUB_GOALS, Plan
from planner.proposal import Proposal
from planner.unfinished import Unfinished

if TYPE_CHECKING:
    import httpx
    from jinja2 import Template

__all__ = ["Endpoint", "RemotePlanner", "RemoteUnavailable"]

NAME = "remote"
_TEMPLATE = Path(__file__).parent / "templates" / "remote_plan.j2"
_LARGEST = 2_000_000  # bytes of a reply that are read
_TRIES = 3  # calls for one reply, where the endpoint is busy or drops the connection


class RemoteUnavailable(PlannerError):  # noqa: N818 - names what happened, as the adapters' errors do
    """The endpoint gave no reply that could be read; the message names it and what it said."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`url` up to and without `/chat/completions`; `key` is sent as a bearer token where it is not empty."""

    url: str
    model: str
    key: str = ""
    timeout_s: float = 60.0

    def __repr__(self) -> str:
        return f"Endpoint({self.url!r}, {self.model!r})"


class RemotePlanner:
    """One catalogue, one endpoint. What fails the checks is sent back once with the reason. With `unfinished` the model
    plans the rest only, behind the steps that are done; the plan holds both."""

    def __init__(
        self, catalogue: Catalogue, endpoint: Endpoint, unfinished: Unfinished | None = None
    ) -> None:
        self._catalogue, self._endpoint, self._unfinished = catalogue, endpoint, unfinished

    def propose(self, question: str, today: date) -> Proposal:
        """A checked plan, or none with the reason. Raises RemoteUnavailable when the endpoint cannot be used."""
        refused = ""
        for _ in range(2):
            text = self._ask(self._prompt(question, today, refused))
            missing = _missing(text)
            if missing:
                return Proposal(
                    None, NAME, self.version, 0.0, (), (missing,), "the model says what is missing"
                )
            try:
                plan = parse_plan(text, self._catalogue, self._unfinished.done if self._unfinished else ())
            except PlanError as error:
                refused = str(error)
                continue
            plan = plan.model_copy(update={"question": question})
            return Proposal(plan, NAME, self.version, 0.5, reason=f"planned by {self._endpoint.model}")
        return Proposal(
            None, NAME, self.version, 0.0, reason=f"the model's plans failed their checks: {refused}"
        )

    @property
    def version(self) -> str:
        """The model and the prompt's own digest: what a run was planned with."""
        digest = hashlib.sha256(_TEMPLATE.read_bytes()).hexdigest()[:8]
        return f"{self._endpoint.model}/{digest}"

    def _prompt(self, question: str, today: date, refused: str) -> str:
        sources = show_catalogue(self._catalogue)
        fence = "=" * 8 + hashlib.sha256((sources + question).encode()).hexdigest()[:16]
        return _template().render(
            operations=OPERATIONS, most=MAX_SUB_GOALS, today=today.isoformat(), sources=sources,
            question=" ".join(question.split()), fence=fence, refused=refused, done=self._done(),
            failures=self._unfinished.failures if self._unfinished else (),
        )  # fmt: skip

    def _done(self) -> str:
        """The done steps as JSON, one a line."""
        steps = self._unfinished.done if self._unfinished else ()
        return "\n".join(json.dumps(g.model_dump(mode="json"), ensure_ascii=False) for g in steps)

    def _ask(self, prompt: str) -> str:
        import httpx
        import stamina

        body = {
            "model": self._endpoint.model,
            "messages": [{"role": "user", "content": prompt}],
            "temperature": 0,
            "response_format": {"type": "json_schema", "json_schema": {"name": "plan", "schema": _schema()}},
        }
        headers = {"Authorization": f"Bearer {self._endpoint.key}"} if self._endpoint.key else {}
        url = self._endpoint.url.rstrip("/") + "/chat/completions"
        busy = (httpx.TransportError, _Busy)
        try:
            for attempt in stamina.retry_context(on=busy, attempts=_TRIES, wait_initial=0.5, wait_max=5.0):
                with (
                    attempt,
                    httpx.Client(timeout=self._endpoint.timeout_s, follow_redirects=False) as client,
                ):
                    return _content(client.post(url, json=body, headers=headers))
        except (httpx.HTTPError, httpx.InvalidURL, _Busy, ValueError) as error:
            raise RemoteUnavailable(
                f"{url}: {type(error).__name__}: {' '.join(str(error).split())[:200]}; "
                "check planning.remote in assay.yaml, or plan with --planner local"
            ) from error
        raise RemoteUnavailable(f"{url}: no reply")


class _Busy(Exception):  # noqa: N818
    """429 or a fault of the server's own: worth another try."""


def _content(reply: httpx.Response) -> str:
    if reply.status_code == 429 or reply.status_code >= 500:
        raise _Busy(f"HTTP {reply.status_code}")
    if reply.status_code != 200:
        raise ValueError(f"HTTP {reply.status_code}: {reply.text[:120]}")
    if len(reply.content) > _LARGEST:
        raise ValueError(f"a reply of {len(reply.content):,} bytes")
    try:
        text = reply.json()["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ValueError(f"no chat completion in the reply: {reply.text[:120]!r}") from error
    if not isinstance(text, str):
        raise ValueError("the reply's content is no text")  # noqa: TRY004 - the endpoint's fault, not a caller's
    return text


def _missing(text: str) -> str:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    said = found.get("missing") if isinstance(found, dict) and "sub_goals" not in found else None
    return " ".join(said.split())[:300] if isinstance(said, str) else ""


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined, autoescape=False, trim_blocks=True)
    return environment.from_string(_TEMPLATE.read_text(encoding="utf-8"))


def _schema() -> dict[str, Any]:
    """The plan's JSON schema, or an object that only says what is missing."""
    plan = Plan.model_json_schema()
    definitions = plan.pop("$defs", {})
    missing = {"type": "object", "properties": {"missing": {"type": "string"}}, "required": ["missing"]}
    return {"anyOf": [plan, missing], "$defs": definitions}
