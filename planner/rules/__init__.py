"""The rule planner: a question and a catalogue to a plan, with no model. `RulePlanner(catalogue).propose(question, today)`."""

from planner.rules.planner import RulePlanner

__all__ = ["RulePlanner"]
