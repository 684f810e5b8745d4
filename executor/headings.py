"""What the columns of a written report are called, in the question's language."""

from __future__ import annotations

import re

from adapters.base import Evidence
from planner.catalogue import Catalogue

__all__ = ["headings"]

_CJK = re.compile(r"[\u3400-\u9fff]")
# a derived table's own columns: (Chinese, English); `value` is called after its operation
_OWN = {
    "left": ("前者", "first"),
    "right": ("后者", "second"),
    "rank": ("排名", "rank"),
    "share": ("占比", "share"),
    "count": ("数量", "count"),
    "n": ("样本数", "n"),
    "r": ("相关系数", "r"),
    "slope": ("斜率", "slope"),
    "first": ("期初", "first"),
    "last": ("期末", "last"),
}
_VALUE = {
    "difference": ("差值", "difference"),
    "ratio": ("比值", "ratio"),
    "product": ("乘积", "product"),
    "growth": ("增长率", "growth"),
    "share": ("数值", "value"),
    "count": ("数量", "count"),
    "sum": ("合计", "sum"),
    "mean": ("平均", "mean"),
    "min": ("最小", "min"),
    "max": ("最大", "max"),
    "correlate": ("相关系数", "correlation"),
}


def headings(catalogue: Catalogue, evidence: Evidence, question: str) -> dict[str, str]:
    """Column → header: the catalogue's first synonym in the language, the operation's word for a derived column."""
    chinese = bool(_CJK.search(question))
    out: dict[str, str] = {}
    for name in evidence.columns:
        own = _OWN.get(name) if evidence.source == "derive" else None
        if evidence.source == "derive" and name == "value":
            own = _VALUE.get(evidence.dataset, ("数值", "value"))
        word = own[0 if chinese else 1] if own else _synonym(catalogue, evidence, name, chinese=chinese)
        if word:
            out[name] = word
    return out


def _synonym(catalogue: Catalogue, evidence: Evidence, name: str, *, chinese: bool) -> str:
    """From the evidence's own dataset if it has one, else from any: field names are one vocabulary."""
    base, _, grain = name.partition(":")
    datasets = [(s.name, d) for s in catalogue.sources.values() for d in s.datasets]
    datasets.sort(key=lambda p: (p[0], p[1].name) != (evidence.source, evidence.dataset))
    for _, dataset in datasets:
        for f in dataset.fields:
            words = [w for w in f.synonyms if bool(_CJK.search(w)) == chinese] if f.name == base else []
            if words:
                return f"{words[0]}:{grain}" if grain else words[0]
    return ""
