"""Fixtures of the reflector's tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reflector.world import World

PRODUCT = {"name": "product", "type": "text", "synonyms": ["产品"], "values": ["A", "B"]}
REGION = {"name": "region", "type": "text", "synonyms": ["区域", "region"], "values": ["华东", "华北"]}
MONTH = {"name": "month", "type": "month", "synonyms": ["月份"]}
RATE = {"name": "return_rate", "type": "percent", "synonyms": ["退货率", "return rate"]}
RETURNS = [PRODUCT, REGION, MONTH, RATE]
GRAIN = ("product", "region", "month")


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@pytest.fixture
def two_boards(world: World) -> World:
    """Two sources of one return rate that agree but for product A in 华东."""
    rows = [("A", "华东", "2024-01", 0.052), ("B", "华北", "2024-01", 0.038), ("B", "华北", "2024-03", 0.04)]
    others = [
        ("A", "华东", "2024-01", 0.061),
        ("B", "华北", "2024-01", 0.0385),
        ("B", "华北", "2024-03", 0.04),
    ]
    world.sql("sales", "returns", RETURNS, rows, grain=GRAIN, trust=0.85, alternatives=["support"])
    world.sql("support", "returns", RETURNS, others, grain=GRAIN, trust=0.75, alternatives=["sales"])
    return world
