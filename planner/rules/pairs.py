"""The second measure of a question that needs two: what was planned beside what came out, or a measure only hinted at."""

from __future__ import annotations

import re

from planner.rules.choose import Choice, Evidence
from planner.rules.concepts import conceived
from planner.rules.intents import Intents
from planner.rules.lexicon import Lexicon, Table, units_of

__all__ = ["complete_pairs"]

_PLAN = re.compile(
    r"预算|计划|目标|标准成本|定额|指标|标准|budget|plan(?:ned|s)?\b|target|forecast|quota|standard|expected|scheduled"
)
_ACTUAL = re.compile(r"实际|实收|真实|actual|booked|real|collected|spent")
_TWO = ("correlate", "ratio", "product")


def complete_pairs(choices: list[Choice], intents: Intents, lexicon: Lexicon, evidence: Evidence) -> None:
    """Adds to `wanted`, and a table to `choices` where the second measure is in another."""
    if not choices:
        return
    asked = " ".join(evidence.text.folded[a:b] for a, b in evidence.stretches)
    compared = any(o in intents for o in ("difference", "ratio", "growth", "share"))
    if _PLAN.search(asked) and compared and _planned(choices, lexicon):
        intents.at.setdefault("difference", (0, 0))
        intents.planned = True
        return
    measures = [(c, m) for c in choices for m in c.wanted if c.table.measure(m)]
    if len(measures) == 1 and any(o in intents for o in _TWO):
        _hinted(choices, lexicon, evidence)


def _words(table: Table, name: str) -> str:
    f = table.fields[name]
    return " ".join((f.name.replace("_", " "), *f.synonyms, f.description)).lower()


def _planned(choices: list[Choice], lexicon: Lexicon) -> bool:
    """Whether there now is a planned measure beside the actual one, which stands first."""
    measures = [(c, m) for c in choices for m in c.wanted if c.table.measure(m)]
    plans = [(c, m) for c, m in measures if _PLAN.search(_words(c.table, m))]
    actual = [(c, m) for c, m in measures if (c, m) not in plans]
    if plans and actual:
        return True
    if not measures:
        bare = [(c, c.table.measures[0]) for c in choices if len(c.table.measures) == 1]
        if not bare:
            return False
        bare[0][0].wanted.append(bare[0][1])
        plans = [b for b in bare[:1] if _PLAN.search(_words(b[0].table, b[1]))]
        actual = [b for b in bare[:1] if b not in plans]
    choice, measure = (plans or actual)[0]
    found = _counterpart(choice.table, measure, lexicon, planned=not plans)
    if found is None:
        return False
    table, name = found
    if table is choice.table:
        choice.wanted = [name, *choice.wanted] if plans else [*choice.wanted, name]
    else:
        other = Choice(table, choice.score, [name], list(choice.mentions))
        choices[:] = [other, choice, *choices[1:]] if plans else [choice, other, *choices[1:]]
    return True


def _counterpart(table: Table, measure: str, lexicon: Lexicon, *, planned: bool) -> tuple[Table, str] | None:
    kind = table.fields[measure].type
    own = set(units_of(_words(table, measure)))
    ranked = []
    for other in lexicon.tables.values():
        if not other.readable or set(other.dataset.grain) != set(table.dataset.grain):
            continue
        for name in other.measures:
            if (other is table and name == measure) or other.fields[name].type != kind:
                continue
            words = _words(other, name)
            plan = _PLAN.search(words) is not None or (
                other is not table and _PLAN.search(other.dataset.description.lower()) is not None
            )
            if plan != planned:
                continue
            shared = len(own & set(units_of(words)))
            told = (
                _ACTUAL.search(words) is not None
                or _ACTUAL.search(other.dataset.description.lower()) is not None
            )
            ranked.append(((other is table, shared, told), other, name))
    if not ranked:
        return None
    best = max(ranked, key=lambda r: r[0])
    return (best[1], best[2]) if best[0][0] or best[0][1] or best[0][2] else None


def _hinted(choices: list[Choice], lexicon: Lexicon, evidence: Evidence) -> None:
    """A weaker mention gives the second measure, in a chosen table or in one more."""
    have = {m for c in choices for m in c.wanted}
    for mention in sorted(evidence.active, key=lambda m: -m.weight):
        fields = [
            (lexicon.tables[key], name)
            for kind, key, name, _ in mention.targets
            if kind == "field" and key in lexicon.tables
        ]
        for _, key, _, _ in mention.of(
            "dataset"
        ):  # a table's name may be a measure's too: freight, freight_cost
            table = lexicon.tables[key]
            fields += [
                (table, n)
                for n in table.measures
                if set(units_of(mention.text)) & set(units_of(_words(table, n)))
            ]
        fields = [(t, n) for t, n in fields if t.readable and t.measure(n) and n not in have]
        if not fields or mention.weight < 0.4:
            continue
        for choice in choices:
            for table, name in fields:
                if table is choice.table:
                    first = min(
                        (
                            m.start
                            for m in choice.mentions
                            if choice.wanted and choice.wanted[0] in m.fields(table.key)
                        ),
                        default=0,
                    )
                    choice.wanted = (
                        [name, *choice.wanted] if mention.start < first else [*choice.wanted, name]
                    )
                    return
        table, name = max(fields, key=lambda f: f[0].holders[0].trust)
        choices.append(Choice(table, 0.5, [name], [mention]))
        return
    asked = " ".join(evidence.text.folded[a:b] for a, b in evidence.stretches)
    main = choices[0].table
    near = [
        main,
        *(
            t
            for t in lexicon.tables.values()
            if t.readable and t is not main and t.dataset.grain == main.dataset.grain
        ),
    ]
    for table in near:
        names = [n for n in conceived(asked, table) if n not in have]
        if names and table is main:
            choices[0].wanted.append(names[0])
            return
        if names:
            choices.append(Choice(table, 0.3, names[:1], []))
            return
