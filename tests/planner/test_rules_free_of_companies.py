"""Nothing about any one company stands in the planner's code: neither the demo's nor that of the test catalogues."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from planner.catalogue import Catalogue

ROOT = Path(__file__).parents[2]
CATALOGUES = [
    ROOT / "configs" / "sources",
    *sorted((ROOT / "tests/data/planner/rules_dev_a/catalogues").iterdir()),
]
# values that are states, degrees or sides of everyday language; names of one plain English word are not looked for
GENERAL = frozenset(
    [
        "open",
        "closed",
        "high",
        "low",
        "medium",
        "planned",
        "running",
        "done",
        "blocked",
        "serious",
        "minor",
        "waiting",
        "export",
        "contract",
        "running",
        "inspection",
        "已退款",
        "收费",
        "在途",
        "线上",
        "线下",
        "已签收",
        "运输",
        "普通",
        "服务",
        "质量",
    ]
)


def names(catalogue: Catalogue) -> Iterator[str]:
    for source in catalogue.sources.values():
        yield source.name
        for dataset in source.datasets:
            yield dataset.name
            yield from (field.name for field in dataset.fields)


def words(catalogue: Catalogue) -> Iterator[str]:
    yield from names(catalogue)
    for source in catalogue.sources.values():
        yield from (
            value for dataset in source.datasets for field in dataset.fields for value in field.values
        )


def literals(path: Path) -> str:
    """The code without comments and docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if (
            isinstance(body, list)
            and body
            and isinstance(body[0], ast.Expr)
            and isinstance(body[0].value, ast.Constant)
        ):
            body[0].value.value = ""
    return ast.unparse(tree).lower()


@pytest.fixture(scope="module")
def code() -> str:
    return "\n".join(
        literals(p) for folder in ("rules", "times") for p in (ROOT / "planner" / folder).glob("*.py")
    )


@pytest.mark.parametrize("folder", [f for f in CATALOGUES if f.is_dir()], ids=lambda f: f.name)
def test_no_name_or_value_of_a_catalogue(folder: Path, code: str) -> None:
    found = []
    catalogue = Catalogue.load(folder)
    plain = {n for n in names(catalogue) if n.isalpha()}
    for word in {w.lower() for w in words(catalogue)}:
        if word in GENERAL or len(word) < (2 if re.search(r"[\u4e00-\u9fff]", word) else 4):
            continue
        if word in plain:
            continue
        bounds = (r"(?<![a-z0-9_])", r"(?![a-z0-9_])") if word.isascii() else ("", "")
        if re.search(bounds[0] + re.escape(word) + bounds[1], code):
            found.append(word)
    assert sorted(found) == []
