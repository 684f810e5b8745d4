"""Tokens for word search, in any mixture of languages.

Words of letters and digits are lower-cased; versions and part numbers (V2.3.1, SKU-88/A) stay whole and give
their parts besides. Text written without spaces gives its two-character pieces (and single characters where
it stands alone): a dictionary-free choice that finds product names no dictionary knows.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache
from typing import Any

__all__ = ["identifiers", "question_tokens", "token_id", "tokens"]

_RUNS = re.compile(
    r"(?P<wide>[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]+)"
    r"|(?P<word>[^\W_\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]+"
    r"(?:[._/\-+][^\W_\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]+)*)"
)
_PARTS = re.compile(r"[._/\-+]")
_VERSION = re.compile(r"v(\d+(?:\.\d+)+)")
_IDENTIFIER = re.compile(
    r"v\d+(?:\.\d+)+|\d+(?:\.\d+){2,}|(?=.{4})[a-z]{1,6}[-/](?=[\w/-]*\d)[a-z0-9][\w/-]*"
)
_HYPHENATED = re.compile(r"(?<=[a-z])-\s+(?=[a-z])")
_YEAR = re.compile(r"(?P<before>fy|cy|h[12]|q[1-4])?(?P<year>(?:19|20)\d\d)(?P<after>h[12]|q[1-4])?")

# words that a question is made of, and that say nothing of what it asks
_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """a an and any are as at be been by can could did do does for from had has have how i if in into is it its
        me my no not of on or our please shall should so some tell than that the their them there these they this
        those to up us was we were what when where which who whose why will with would you your about find show
        give list explain describe""",
    )
)
_STOP_PHRASES = re.compile(
    "请问|请帮我|帮我|麻烦|我想知道|我想|告诉我|一下|查找|查询|查看|搜索|找到|什么样的|什么|是什么|哪些|哪个|哪里|怎么样|怎么|"
    "怎样|如何|为什么|是否|有没有|能不能|可不可以|多少|几个|关于|有关|相关的?|请|吗|呢|吧|的|了|是|有|和|与|在|我们|我|你们|你"
)


def tokens(text: str) -> list[str]:
    """All tokens of a passage, repeated as often as they stand."""
    text = _HYPHENATED.sub("", unicodedata.normalize("NFKC", text).casefold())
    out: list[str] = []
    for run in _RUNS.finditer(text):
        if wide := run["wide"]:
            out.extend(wide[i : i + 2] for i in range(len(wide) - 1))
            if len(wide) == 1:
                out.append(wide)
            continue
        word = run["word"]
        out.append(_stem(word))
        if _VERSION.fullmatch(word):
            out.append(word[1:])
        elif (year := _YEAR.fullmatch(word)) and year["year"] != word:
            out.extend(part for part in year.groups() if part)  # FY2022, 2024Q2
        elif not word.replace(".", "").isdigit():
            parts = _PARTS.split(word)
            if len(parts) > 1:
                out.extend(_stem(p) for p in parts if len(p) > 1)
    return out


def question_tokens(text: str) -> list[str]:
    """The distinct tokens of a question that say what it asks, in order; all of them when none would be left."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    bare = _STOP_PHRASES.sub(" ", plain)
    kept = [t for t in dict.fromkeys(tokens(bare)) if t not in _STOP_WORDS]
    return kept or list(dict.fromkeys(tokens(plain)))


def identifiers(text: str) -> list[str]:
    """Versions (V2.3.1, 10.0.4) and part or ticket numbers (FX-220B): a passage without it is about another."""
    return [t for t in dict.fromkeys(tokens(text)) if _IDENTIFIER.fullmatch(t)]


@lru_cache(maxsize=200_000)
def token_id(token: str) -> int:
    """A token's place in the sparse vectors: 32 bits of its BLAKE2 hash."""
    return int.from_bytes(hashlib.blake2b(token.encode(), digest_size=4).digest(), "little")


def _stem(word: str) -> str:
    """English words by Snowball: 'refunds' finds 'refund', 'cyclical' 'cyclicality'. Measured on filings: more questions find
    their page (.59 against .48 by words alone)."""
    return _snowball(word) if word.isascii() and word.isalpha() and len(word) > 3 else word


@lru_cache(maxsize=200_000)
def _snowball(word: str) -> str:
    return str(_stemmer().stemWord(word))


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")
