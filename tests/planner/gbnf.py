"""Reads a GBNF grammar as llama.cpp does: whether it holds a text, and texts that it holds."""

import json
import random
import re
from functools import cache

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|[a-zA-Z][a-zA-Z0-9-]*|[()|*+?]')


class Gbnf:
    def __init__(self, text: str) -> None:
        self.rules = {}
        for row in text.strip().splitlines():
            name, _, body = row.partition(" ::= ")
            assert name not in self.rules, f"{name} is defined twice"
            self.tokens, self.at = _TOKEN.findall(body), 0
            self.rules[name] = self._either()
            assert self.at == len(self.tokens), f"{row!r} is not read whole"
        named = {n for r in self.rules.values() for n in _names(r)}
        assert named <= set(self.rules), f"undefined: {named - set(self.rules)}"

    def _either(self):
        ways = [self._sequence()]
        while self._peek() == "|":
            self.at += 1
            ways.append(self._sequence())
        return ("either", ways)

    def _peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def _sequence(self):
        parts = []
        while self._peek() not in (None, "|", ")"):
            token = self.tokens[self.at]
            self.at += 1
            if token == "(":
                item = self._either()
                assert self._peek() == ")"
                self.at += 1
            elif token[0] == '"':
                item = ("text", json.loads(token))
            elif token[0] == "[":
                item = ("set", re.compile(token))
            else:
                item = ("rule", token)
            if self._peek() in ("*", "+", "?"):
                item = (self.tokens[self.at], item)
                self.at += 1
            parts.append(item)
        return ("all", parts)

    def holds(self, text: str) -> bool:
        @cache
        def rule(name: str, at: int) -> frozenset[int]:
            return frozenset(ends(self.rules[name], at))

        def ends(item, at):
            kind, what = item
            if kind == "text":
                return {at + len(what)} if text.startswith(what, at) else set()
            if kind == "set":
                return {at + 1} if at < len(text) and what.fullmatch(text[at]) else set()
            if kind == "rule":
                return rule(what, at)
            if kind == "either":
                return {e for way in what for e in ends(way, at)}
            if kind == "all":
                reached = {at}
                for part in what:
                    reached = {e for r in reached for e in ends(part, r)}
                return reached
            once = ends(what, at)
            if kind == "?":
                return {at, *once}
            found, new = set(once), set(once)
            while new:
                new = {e for r in new for e in ends(what, r)} - found
                found |= new
            return found | {at} if kind == "*" else found

        return len(text) in rule("root", 0)

    def sentence(self, rng: random.Random) -> str:
        return self._made(("rule", "root"), rng)

    def _made(self, item, rng):
        kind, what = item
        if kind == "text":
            return what
        if kind == "set":
            return rng.choice([c for c in "0123456789abzd汉 的#" if what.fullmatch(c)])
        if kind == "rule":
            return self._made(self.rules[what], rng)
        if kind == "either":
            return self._made(rng.choice(what), rng)
        if kind == "all":
            return "".join(self._made(part, rng) for part in what)
        least = 1 if kind == "+" else 0
        times = rng.choice([0, 1] if kind == "?" else [least, least, least + 1])
        return "".join(self._made(what, rng) for _ in range(times))


def _names(item):
    kind, what = item
    if kind == "rule":
        yield what
    elif kind in ("either", "all"):
        for part in what:
            yield from _names(part)
    elif kind in ("*", "+", "?"):
        yield from _names(what)
