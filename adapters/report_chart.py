"""One chart of a table of evidence: a line along time, bars otherwise."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Any

from adapters.base import Evidence, Value
from adapters.operand import column_type
from adapters.values import MEASURES, TIMES, show

__all__ = ["MAX_POINTS", "cjk_font", "draw"]

MAX_POINTS = 40  # categories beyond this cannot be read on a page
MAX_LINES = 8
_NO_MEASURE = ("rank", "n", "count")  # columns that go with a value and are not drawn in its place
_FAMILIES = (
    "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN", "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei", "Microsoft YaHei", "SimHei", "PingFang SC", "Hiragino Sans GB", "Heiti SC", "Arial Unicode MS",
    "Noto Sans CJK JP", "Noto Sans CJK TC", "Droid Sans Fallback", "Noto Serif CJK SC", "SimSun", "Songti SC",
)  # fmt: skip


@lru_cache(maxsize=1)
def cjk_font() -> str | None:
    """The family of an installed font with Chinese characters, None when there is none."""
    from matplotlib import font_manager

    installed = {f.name for f in font_manager.fontManager.ttflist}
    return next((f for f in _FAMILIES if f in installed), None)


def draw(evidence: Evidence, title: str) -> bytes | None:
    """A PNG (150 dpi), None when there is nothing to draw: no measure, fewer than two values, or too many.

    Without a Chinese font, labels that need one are replaced by row numbers.
    """
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    types = {c: column_type(evidence, c) for c in evidence.columns}
    measures = [c for c, t in types.items() if t in MEASURES and c not in _NO_MEASURE]
    name = "share" if "share" in measures else "value" if "value" in measures else next(iter(measures), None)
    rows = [r for r in evidence.rows if name is not None and isinstance(r.get(name), int | float)]
    if name is None or not 2 <= len(rows) <= MAX_POINTS or evidence.kind == "text":
        return None
    dimensions = [c for c, t in types.items() if t not in MEASURES and len({r.get(c) for r in rows}) > 1]
    time = next((d for d in dimensions if types[d] in TIMES or ":" in d), None)
    font = cjk_font()
    with matplotlib.rc_context(
        {"font.sans-serif": [f for f in (font, "DejaVu Sans") if f], "axes.unicode_minus": False}
    ):
        figure = Figure(figsize=(6.4, 3.6), layout="constrained")
        axes = figure.add_subplot()
        if time is not None and len({r.get(time) for r in rows}) > 2:
            _lines(axes, rows, name, time, [d for d in dimensions if d != time], types)
        else:
            _bars(axes, rows, name, dimensions, types)
        if types[name] == "percent":
            axes.yaxis.set_major_formatter(PercentFormatter(1.0))
        axes.set_ylabel(_legible(name, "value"))
        axes.set_title(_legible(title[:60], ""))
        axes.spines[["top", "right"]].set_visible(False)
        out = io.BytesIO()
        FigureCanvasAgg(figure)
        figure.savefig(out, format="png", dpi=150)
    return out.getvalue()


def _lines(
    axes: Any, rows: list[Any], name: str, time: str, others: list[str], types: dict[str, str]
) -> None:
    stamps = sorted({str(r.get(time)) for r in rows})
    series: dict[str, dict[str, float]] = {}
    for r in rows:
        label = " ".join(show(r.get(d), types[d]) for d in others)
        series.setdefault(label, {})[str(r.get(time))] = float(r[name])
    for n, (label, points) in enumerate(list(series.items())[:MAX_LINES], 1):
        at = [i for i, s in enumerate(stamps) if s in points]
        axes.plot(at, [points[stamps[i]] for i in at], marker="o", label=_legible(label, str(n)))
    axes.set_xticks(range(len(stamps)), stamps, rotation=30 if len(stamps) > 6 else 0)
    if len(series) > 1:
        axes.legend(fontsize=8)


def _bars(axes: Any, rows: list[Any], name: str, dimensions: list[str], types: dict[str, str]) -> None:
    """Two dimensions of which the last has two or three values make groups, one colour a value."""
    *outer, inner = dimensions or [""]
    kinds = list(dict.fromkeys(r.get(inner) for r in rows))
    grouped = bool(outer) and 2 <= len(kinds) <= 3
    heads = outer if grouped else dimensions
    labels = [" ".join(show(r.get(d), types[d]) for d in heads) for r in rows]
    places = list(dict.fromkeys(labels if heads else map(str, range(1, len(rows) + 1))))
    series = kinds if grouped else [None]
    width = 0.8 / len(series)
    for i, kind in enumerate(series):
        own = [n for n, r in enumerate(rows) if not grouped or r.get(inner) == kind]
        at = [(places.index(labels[n]) if heads else n) + (i - (len(series) - 1) / 2) * width for n in own]
        values: list[Value] = [rows[n][name] for n in own]
        label = _legible(show(kind, types[inner]), str(i + 1)) if grouped else None
        bars = axes.bar(at, values, width, label=label)
        if len(rows) <= 12:
            axes.bar_label(bars, [show(v, types[name]) for v in values], fontsize=8, padding=2)
    shown = [_legible(p, str(n)) for n, p in enumerate(places, 1)]
    axes.set_xticks(range(len(places)), shown, rotation=30 if len(places) > 5 else 0)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.margins(y=0.12)
    if grouped:
        axes.legend(fontsize=8)


def _legible(text: str, otherwise: str) -> str:
    """`text` where a font can show it; matplotlib reads "$" as mathematics, so it is escaped."""
    shown = text if cjk_font() or all(ord(c) < 0x2E80 for c in text) else otherwise
    return shown.replace("$", r"\$")
