"""Remarks that adapters, computing steps and the planner make in English, in the answer's language."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reflector.labels import Labels
from reflector.phrases import Language

__all__ = ["lacking", "remark", "together"]

_HOW = {"sum": "合计", "mean": "平均"}
_OCR = re.compile(r"read by OCR from the picture of (?P<title>.+?)(?:, lowest score (?P<score>[\d.]+))?")
_MERGED = re.compile(
    r"(?P<step>\S+) (?P<field>\w+): (?P<how>sum|mean) of (?P<n>\d+) rows(?: over (?P<over>.+))?"
)
_GROUPED = re.compile(r"(?P<field>\w+): (?P<how>sum|mean) by (?P<by>.+)")
_ALONE = re.compile(r"(?P<n>\d+) of (?P<all>\d+) values of (?P<step>\S+) (?P<field>\w+) have no counterpart")
_EMPTY = re.compile(r"(?P<n>\d+) of (?P<all>\d+) rows have no (?P<field>\w+)")
_EVEN = re.compile(r"(?P<how>sum|mean) of percentages, each with the same weight")
_UNKNOWN = re.compile(r"no (?:source|dataset) speaks of (?P<what>.+)")
_LACKING: tuple[tuple[re.Pattern[str], str], ...] = (
    (_UNKNOWN, "没有来源涉及“{what}”"),
    (re.compile(r"nothing in the question names what to look for"), "问题没有说明要查什么"),
    (re.compile(r"the sources do not hold what is asked"), "各来源都没有所问的内容"),
    (re.compile(r"the time cannot be read: (?P<what>.+)"), "问题中的时间无法识别（{what}）"),
)


def remark(labels: Labels, note: str) -> str:
    """The note in a Chinese sentence where its kind is known; the note itself otherwise."""
    if labels.language == "en":
        return note
    if m := _OCR.fullmatch(note):
        score = f"（最低置信度 {m['score']}）" if m["score"] else ""
        return f"数值由 OCR 从图“{m['title']}”中识别{score}"
    if m := _MERGED.fullmatch(note):
        over = f"（各{_fields(labels, m['over'])}）" if m["over"] else ""
        return f"{labels.field(m['field'])}取 {m['n']} 行{over}的{_HOW[m['how']]}"
    if m := _GROUPED.fullmatch(note):
        return f"{labels.field(m['field'])}按{_fields(labels, m['by'])}取{_HOW[m['how']]}"
    if m := _ALONE.fullmatch(note):
        return f"{labels.field(m['field'])}的 {m['all']} 个值中有 {m['n']} 个没有对应项"
    if m := _EMPTY.fullmatch(note):
        return f"{m['all']} 行中有 {m['n']} 行没有{labels.field(m['field'])}"
    if m := _EVEN.fullmatch(note):
        return f"百分比按相同权重取{_HOW[m['how']]}"
    return note


def _fields(labels: Labels, names: str) -> str:
    return "、".join(labels.field(n.strip()) for n in names.split(","))


def lacking(language: Language, line: str) -> str:
    """A planner's line of what the sources lack."""
    if language == "en":
        return line
    for pattern, chinese in _LACKING:
        if m := pattern.fullmatch(line):
            return chinese.format_map(m.groupdict())
    return line


def together(language: Language, lines: Sequence[str]) -> list[str]:
    """The lines in the answer's language; all that no source speaks of in one."""
    unknown = [m["what"] for line in lines if (m := _UNKNOWN.fullmatch(line))]
    rest = [lacking(language, line) for line in lines if not _UNKNOWN.fullmatch(line)]
    if not unknown:
        return rest
    if language == "zh":
        return ["没有来源涉及" + "、".join(f"“{w}”" for w in unknown), *rest]
    return [f"no source speaks of {' or '.join(unknown)}", *rest]
