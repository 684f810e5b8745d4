"""Rules as documents write them: "征信分 | 不低于 650", "负债率不超过50 %", "the credit score is at least 650"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from adapters.amounts import read_amount
from adapters.errors import FormatError

__all__ = ["RuleText", "find_rules"]

Comparator = Literal[">=", "<=", ">", "<", "unbroken"]
_WORDS: tuple[tuple[Comparator, str], ...] = (
    (">=", r"不低于|不少于|不小于|至少|大于等于|大于或等于|≥|>=|at least|no less than|not less than|not below|minimum of"),
    ("<=", r"不超过|不高于|不大于|不多于|至多|最多|小于等于|小于或等于|≤|<=|at most|no more than|not more than|not exceed(?:ing)?|up to|maximum of"),
    (">", r"超过|高于|大于|above|more than|over|exceeds?|greater than|>"),
    ("<", r"低于|小于|少于|below|less than|under|<"),
)  # fmt: skip
_COMPARATOR = "|".join(f"(?P<c{n}>{words})" for n, (_, words) in enumerate(_WORDS))
_RULE = re.compile(
    rf"(?P<subject>[^，；。;,\n]{{1,60}}?)\s*[:：]?\s*(?:必须|应当|应|须|需|should be|must be|is|are|be)?\s*(?:{_COMPARATOR})\s*"
    r"(?P<number>[¥$€£]?\s*\d[\d,]*(?:\.\d+)?\s*(?:万|亿)?\s*(?:%|％|元|块)?)",
    re.I,
)
_UNBROKEN = re.compile(
    r"(?P<subject>[^，；。;,\n]{1,60}?)\s*(?:(?:近|最近|连续)\s*(?P<a>\d{1,2})\s*个?月(?:连续|不断|不中断)?"
    r"|(?:of )?the last (?P<b>\d{1,2}) months (?:are|is|must be) unbroken)",
    re.I,
)
_BRACKETS = re.compile(r"[（(][^（()）]*[)）]")


@dataclass(frozen=True, slots=True)
class RuleText:
    """`number` is a fraction where the rule says per cent; the count of months for "unbroken". `text` is verbatim."""

    subject: str
    comparator: Comparator
    number: float
    percent: bool
    text: str

    def holds(self, value: float) -> bool:
        match self.comparator:
            case ">=":
                return value >= self.number
            case "<=":
                return value <= self.number
            case ">":
                return value > self.number
            case _:
                return value < self.number


def find_rules(text: str) -> list[RuleText]:
    """The rules that a passage holds, line by line; brackets within a subject are passed over."""
    out = []
    for raw in text.splitlines():
        plain = _BRACKETS.sub("", raw.replace("|", " ").replace("\t", " "))
        for m in _RULE.finditer(plain):
            rule = _read(m, raw)
            if rule is not None:
                out.append(rule)
        for m in _UNBROKEN.finditer(plain):
            if (
                "连续" in m.group()
                or "unbroken" in m.group().lower()
                or "连续" in plain[m.end() : m.end() + 4]
            ):
                out.append(
                    RuleText(
                        m["subject"].strip(),
                        "unbroken",
                        float(m["a"] or m["b"]),
                        False,
                        _sentence(raw, m["subject"]),
                    )
                )
    return out


def _read(m: re.Match[str], raw: str) -> RuleText | None:
    comparator = next(c for n, (c, _) in enumerate(_WORDS) if m[f"c{n}"])
    percent = m["number"].rstrip().endswith(("%", "％"))
    try:
        number = float(read_amount(m["number"].strip(), "percent" if percent else "number"))
    except FormatError:
        return None
    return RuleText(m["subject"].strip(), comparator, number, percent, _sentence(raw, m["subject"]))


def _sentence(raw: str, subject: str) -> str:
    """The sentence or table row, verbatim, in which the subject's last word stands."""
    if "|" in raw or "\t" in raw:
        return raw.strip()
    word = subject.strip().split(" ")[-1]
    parts = re.split(r"(?<=[。；;！!])|(?<=\.)\s", raw)
    return next((p.strip() for p in parts if p and word in p), raw.strip())
