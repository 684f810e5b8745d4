"""A plan in one short line a step: what the local model writes, what people write as training data."""

from planner.compact.collapse import collapse
from planner.compact.expand import expand
from planner.compact.lines import (
    CompactPlan,
    DeriveLine,
    DocumentLine,
    FetchLine,
    Line,
    Operand,
    Range,
    ReportLine,
    WriteLine,
    read_plan,
    show_plan,
)

__all__ = [
    "CompactPlan",
    "DeriveLine",
    "DocumentLine",
    "FetchLine",
    "Line",
    "Operand",
    "Range",
    "ReportLine",
    "WriteLine",
    "collapse",
    "expand",
    "read_plan",
    "show_plan",
]
