"""The plan: ordered sub-goals, each with a source, parameters and a validation string."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["BUILT_IN", "MAX_SUB_GOALS", "Plan", "Route", "SubGoal"]

BUILT_IN = ("derive", "report")
MAX_SUB_GOALS = 12
Route = Literal["workflow", "single", "plan"]


class SubGoal(BaseModel):
    """One step. `data_source` is a source of the catalogue, or `derive`, or `report`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*(\.\d+)*$")
    description: str = Field(min_length=1)
    data_source: str = Field(min_length=1)
    params: dict[str, Any]
    expected_format: Literal["csv", "json", "text"]
    validation: str = Field(min_length=1)
    required: bool = True
    depends_on: tuple[str, ...] = ()
    when: str | None = None


class Plan(BaseModel):
    """A question and the sub-goals that answer it, in an order in which they can run."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str
    route: Route
    sub_goals: tuple[SubGoal, ...] = Field(min_length=1)
