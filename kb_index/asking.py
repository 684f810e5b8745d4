"""What a question is searched for: itself without what it tells the one who answers, and the words that passages use.

Analysts write "according to the P&L statement, what is …? Round to two decimals. If the metric is not relevant, say so.";
the passages say "consolidated statements of operations". Instructions are left out, and a glossary adds the passages' own
words, which count half.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from kb_index.errors import BadSettings

__all__ = ["ALSO", "Asked", "Glossary", "plainly", "read_glossary"]

ALSO = 0.5  # the weight of the glossary's words beside the question's own
GLOSSARY = Path(__file__).with_name("glossary.yaml")

_SENTENCES = re.compile(r"(?<=[.?!])\s+|(?<=[。？！；])|:\s+(?=\w)")
_INSTRUCTION = re.compile(
    r"\s*(?:please|kindly|answer|round|respond|reply|give (?:a|your)\b|express|assume|you are|imagine|we want to|i want to"
    r"|help (?:us|me)|here(?:'s| is) the question|if\b.*\b(?:state|say so|explain|mention|tell)\b"
    r"|请(?:用|以|按|保留|回答|给出|说明|注明)|(?:结果|答案)?(?:保留|四舍五入)|如果.*(?:说明|注明|指出)|假设你)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"\bbas(?:ed?|ing)\s+(?:your|the|its)\s+(?:judge?ments?|answers?|response)\s+(?:off\s+)?(?:of|on)\b"
    r"(?:\s+the\s+information\s+provided(?:\s+primarily)?\s+in)?"
    r"|\b(?:by\s+)?relying\s+on\s+the\s+(?:details|information)(?:\s+shown)?\s+in"
    r"|\baccording\s+to\s+the\s+(?:details|information)(?:\s+clearly)?\s+(?:outlined|shown|provided|given)\s+(?:with)?in"
    r"|\byou are an?\s+[\w\s]*analyst\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """`text`: the question without its instructions; `also`: the glossary's words for what it names."""

    text: str
    also: tuple[str, ...]

    @property
    def meant(self) -> str:
        """What is embedded: the question followed by the passages' words."""
        return f"{self.text} {'; '.join(self.also)}" if self.also else self.text


@dataclass(frozen=True, slots=True)
class Glossary:
    """(names, words) of each concept."""

    concepts: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]

    def asked(self, question: str) -> Asked:
        """The names are looked for in the whole question: an instruction may name the statement to read."""
        also = [w for named, words in self.concepts if named.search(question) for w in words]
        return Asked(plainly(question), tuple(dict.fromkeys(also)))


def plainly(question: str) -> str:
    """Without the sentences and phrases that say how to answer; the whole question when nothing else would be left."""
    sentences = [s for s in _SENTENCES.split(question) if s.strip()]
    kept = [s for s in sentences if not _INSTRUCTION.match(s)]
    text = " ".join(_ADDRESS.sub(" ", " ".join(kept)).split())
    return text if any(c.isalnum() for c in text) else question


def read_glossary(own: str = "") -> Glossary:
    """The one that comes with Assay, and a site's `own` file after it. Raises BadSettings naming the entry."""
    return _read(GLOSSARY, Path(own) if own else None)


@lru_cache(maxsize=4)
def _read(given: Path, own: Path | None) -> Glossary:
    entries = [e for path in (given, own) if path for e in _entries(path)]
    return Glossary(tuple((_named(names), words) for names, words in entries))


def _entries(path: Path) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    import yaml

    try:
        listed: Any = yaml.safe_load(path.read_text(encoding="utf-8")) or []
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as e:
        first = str(e).splitlines()[0]
        raise BadSettings(f"index: glossary {path}: {first}") from None
    out: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    for n, entry in enumerate(listed if isinstance(listed, list) else [listed], 1):
        fields = [entry.get(k) if isinstance(entry, dict) else None for k in ("names", "words")]
        if not all(isinstance(f, list) and f and all(isinstance(w, str) and w for w in f) for f in fields):
            raise BadSettings(
                f"index: glossary {path}: entry {n} must have lists of texts under names and words"
            )
        out.append((tuple(entry["names"]), tuple(entry["words"])))
    return out


def _named(names: tuple[str, ...]) -> re.Pattern[str]:
    """Whole words, where the writing has words; any of them."""
    parts = [rf"(?<!\w){re.escape(n)}(?!\w)" if n.isascii() else re.escape(n) for n in names]
    return re.compile("|".join(parts), re.IGNORECASE)
