"""A run's steps laid out as a graph: in layers from left to right, each step right of all that it waits for."""

from __future__ import annotations

from dataclasses import dataclass

from executor.state import ExecutionState, Goal
from reflector.lines import line

__all__ = ["Edge", "Graph", "Node", "lay_out"]

WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 196, 58, 64, 22, 12  # pixels


@dataclass(frozen=True, slots=True)
class Node:
    """`replaced` marks a step in whose place another one stands now."""

    id: str
    source: str
    title: str
    status: str
    relation: str
    seconds: float
    replaced: bool
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Edge:
    """`path` is an SVG path; `kind` "needs" or "from", the latter from a step to one added for it."""

    path: str
    kind: str


@dataclass(frozen=True, slots=True)
class Graph:
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    width: int
    height: int


def lay_out(state: ExecutionState) -> Graph:
    needs = {g.id: _needs(state, g) for g in state.goals.values()}
    layers: dict[str, int] = {}
    for goal in state.goals:
        _layer(goal, state, needs, layers, frozenset())
    columns: dict[int, list[str]] = {}
    for goal in _by_line(state):
        columns.setdefault(layers[goal], []).append(goal)
    at: dict[str, tuple[int, int]] = {}
    tallest = max((len(c) for c in columns.values()), default=1)
    for layer, goals in columns.items():
        top = (tallest - len(goals)) * (HEIGHT + GAP_Y) // 2
        for n, goal in enumerate(goals):
            at[goal] = (MARGIN + layer * (WIDTH + GAP_X), MARGIN + top + n * (HEIGHT + GAP_Y))
    nodes = tuple(_node(state, g, *at[g.id]) for g in state.goals.values())
    edges = [Edge(_curve(at[a], at[b]), "needs") for b, wanted in needs.items() for a in wanted]
    edges += [
        Edge(_curve(at[g.parent], at[g.id]), "from")
        for g in state.goals.values()
        if g.parent in at and g.parent not in needs[g.id]
    ]
    return Graph(
        nodes, tuple(edges),
        width=2 * MARGIN + (max(columns, default=0) + 1) * (WIDTH + GAP_X) - GAP_X,
        height=2 * MARGIN + tallest * (HEIGHT + GAP_Y) - GAP_Y,
    )  # fmt: skip


def _needs(state: ExecutionState, goal: Goal) -> list[str]:
    """The goals that a goal waited for: a step of the plan for the plan's own, a later one for what stands now."""
    out = []
    for step in goal.sub_goal.depends_on:
        actual = step if goal.relation in ("plan", "reconcile") else state.resolve(step)
        if actual in state.goals and actual != goal.id:
            out.append(actual)
    return list(dict.fromkeys(out))


def _layer(
    goal: str,
    state: ExecutionState,
    needs: dict[str, list[str]],
    layers: dict[str, int],
    above: frozenset[str],
) -> int:
    if goal not in layers:
        before = [n for n in needs[goal] if n not in above]
        deepest = max((_layer(n, state, needs, layers, above | {goal}) for n in before), default=-1)
        layers[goal] = deepest + 1
    return layers[goal]


def _by_line(state: ExecutionState) -> list[str]:
    """Steps of one line stand together; those that a replan dropped are lines too."""
    return [g.id for root in dict.fromkeys(g.root for g in state.goals.values()) for g in line(state, root)]


def _node(state: ExecutionState, goal: Goal, x: int, y: int) -> Node:
    result = state.results.get(goal.id)
    title = goal.sub_goal.description
    return Node(
        goal.id, goal.sub_goal.data_source, title if len(title) <= 15 else f"{title[:14]}…",
        result.status if result else "pending", goal.relation, result.seconds if result else 0.0,
        replaced=state.resolve(goal.root) != goal.id and goal.relation != "second_opinion", x=x, y=y,
    )  # fmt: skip


def _curve(a: tuple[int, int], b: tuple[int, int]) -> str:
    if a[0] == b[0]:  # one above the other: from the lower edge to the upper one
        (x, y), (u, v) = (a[0] + 18, a[1] + HEIGHT), (b[0] + 18, b[1])
        if v < y:
            y, v = a[1], b[1] + HEIGHT
        return f"M{x},{y} L{u},{v}"
    x, y, u, v = a[0] + WIDTH, a[1] + HEIGHT // 2, b[0], b[1] + HEIGHT // 2
    if u < x:
        x, u = a[0], b[0] + WIDTH
    middle = (x + u) // 2
    return f"M{x},{y} C{middle},{y} {middle},{v} {u},{v}"
