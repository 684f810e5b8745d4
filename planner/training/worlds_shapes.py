"""Questions with their plans, by shape: each function gives what is asked in one language, and the compact plan."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from dataclasses import dataclass

from planner.compact.lines import quote
from planner.training.worlds_catalogue import Made, Table
from planner.training.worlds_times import Span, a_quarter, a_span
from planner.training.worlds_voice import mark
from planner.training.worlds_words import Listed, Measure, Term

__all__ = ["SHAPES", "Asking", "Shape"]


@dataclass(frozen=True, slots=True)
class Asking:
    """One question in the making: whose world, in which language, on which day."""

    made: Made
    language: str
    today: dt.date
    rng: random.Random

    def say(self, zh: tuple[str, ...], en: tuple[str, ...], **parts: str) -> str:
        """One of the ways to say it. The parts are what the plan takes from it."""
        return self.rng.choice(zh if self.language == "zh" else en).format(
            **{name: mark(text) for name, text in parts.items()}
        )

    def word(self, term: Term) -> str:
        """A word for it; now and then one of the other language, as people mix."""
        own, other = (term.zh, term.en) if self.language == "zh" else (term.en, term.zh)
        return other[0] if self.rng.random() < 0.06 else self.rng.choice(own)

    def value(self, pair: tuple[str, str]) -> tuple[str, str]:
        """(as it is said, as it is stored) of a listed value."""
        stored = self.made.stored[pair]
        return self.rng.choice((pair[self.language == "en"], pair[self.language == "en"], stored)), stored

    def pick(self, listed: Listed, n: int = 1) -> list[tuple[str, str]]:
        return [self.value(pair) for pair in self.rng.sample(listed.values, n)]

    def measure(self, table: Table, kinds: tuple[str, ...] = ()) -> tuple[str, Measure]:
        """(field name, measure), of one of the types where they are named."""
        found = [(n, m) for n, m in table.measures.items() if not kinds or m.type in kinds]
        return self.rng.choice(found)

    def when(self, table: Table) -> tuple[str, str]:
        """(words, filter) of a span of time on the table's field."""
        return self.spoken(a_span(self.today, self.rng, table.time[1]), table)

    def spoken(self, span: Span, table: Table) -> tuple[str, str]:
        words = self.rng.choice(span.zh if self.language == "zh" else span.en)
        return words, f"{table.time[0]}={span.value(table.time[1])}"

    def number(self) -> str:
        """An id in the trade's form."""
        form = self.made.trade.record.id_form
        return "".join(str(self.rng.randrange(10)) if c == "#" else c for c in form)


Shape = Callable[[Asking], tuple[str, str]]
_SUMMED = ("money", "number", "integer")


def value(a: Asking) -> tuple[str, str]:
    board = a.made.board
    (name, m), (said, stored), (when, time) = a.measure(board), *a.pick(a.made.trade.place), a.when(board)
    (sort_said, sort) = a.pick(a.made.trade.sort)[0]
    question = a.say(
        ("{t}{p}{s}的{m}", "{p}{t}{m}，只看{s}", "{m}，{p}，{s}，{t}", "{t}{p}的{s}，{m}是多少"),
        ("{m} for {s} at {p} {t}", "{p}, {s}: {m} {t}", "what was {m} {t} at {p}, {s} only"),
        t=when, p=said, s=sort_said, m=a.word(m.term),
    )  # fmt: skip
    return question, f"{board.name} {name} | {board.place}={quote(stored)} {board.sort}={quote(sort)} {time}"


def growth_of_two(a: Asking) -> tuple[str, str]:
    """Two quarters, each added up from its own fetch."""
    board = a.made.board
    (name, m), (said, stored) = a.measure(board, _SUMMED), a.pick(a.made.trade.place)[0]
    new, old = a_quarter(a.today, a.rng)
    (new_said, new_time), (old_said, old_time) = a.spoken(new, board), a.spoken(old, board)
    question = a.say(
        ("{p}{n}的{m}合计比{o}涨了百分之几", "{m}，{p}，{n}对{o}，增幅多少", "{p}的{m}{n}跟{o}比增长率", "{n}{p}{m}总共多少百分比地高过{o}"),
        ("growth of total {m} at {p}: {n} over {o}", "{p}: by what percent did {m} go up in {n} against {o}", "{m} at {p}, {n} vs {o}, percent change"),
        p=said, m=a.word(m.term), n=new_said, o=old_said,
    )  # fmt: skip
    rows = [f"{board.name} {name} | {board.place}={quote(stored)} {t}" for t in (new_time, old_time)]
    return question, "\n".join([*rows, f"= sum 1.{name}", f"= sum 2.{name}", "= growth 3 4"])


def growth_by_place(a: Asking) -> tuple[str, str]:
    board = a.made.board
    name, m = a.measure(board, _SUMMED)
    new, old = a_quarter(a.today, a.rng)
    (new_said, new_time), (old_said, old_time) = a.spoken(new, board), a.spoken(old, board)
    question = a.say(
        ("每个{d}{n}的{m}比{o}增长多少，分开列", "{m}按{d}看，{n}较{o}的增幅", "各{d}{m}，{n}和{o}比涨跌百分比"),
        ("{m} in {n} against {o}, growth for each {d}", "per {d}: growth of {m}, {n} on {o}", "by {d}, how far is {m} up in {n} versus {o}, in percent"),
        d=a.word(a.made.trade.place.term), m=a.word(m.term), n=new_said, o=old_said,
    )  # fmt: skip
    rows = [f"{board.name} {name} | {t}" for t in (new_time, old_time)]
    sums = [f"= sum {n}.{name} by {board.place}" for n in (1, 2)]
    return question, "\n".join([*rows, *sums, f"= growth 3 4 by {board.place}"])


def ratio_of_boards(a: Asking) -> tuple[str, str]:
    """A measure of one dataset over one of another."""
    board, second = a.made.board, a.made.second
    (top, m), (low, per) = a.measure(board, _SUMMED), a.measure(second)
    (said, stored), span = a.pick(a.made.trade.place)[0], a_span(a.today, a.rng, board.time[1])
    (when, time), (_, other) = a.spoken(span, board), a.spoken(span, second)
    question = a.say(
        ("{t}{p}的{m}除以{q}是多少", "{p}{t}，{m}和{q}之比", "{m}对{q}的比值，{p}，{t}", "{t}{p}平摊到每一份{q}上的{m}"),
        ("{m} divided by {q} at {p} {t}", "{p} {t}: ratio of {m} to {q}", "{m} per unit of {q}, {p}, {t}"),
        t=when, p=said, m=a.word(m.term), q=a.word(per.term),
    )  # fmt: skip
    rows = [
        f"{t.name} {n} | {t.place}={quote(stored)} {at}"
        for t, n, at in ((board, top, time), (second, low, other))
    ]
    return question, "\n".join([*rows, f"= ratio 1.{top} 2.{low}"])


def rate_then_rank(a: Asking) -> tuple[str, str]:
    """The ratio of two sums in each group, then the first of them."""
    board, names = a.made.board, list(a.made.board.measures)
    i, j = a.rng.choice(a.made.trade.rates)
    over, under = names[i], names[j]
    listed, group = a.rng.choice(((a.made.trade.place, board.place), (a.made.trade.sort, board.sort)))
    (when, time), n, low = a.when(board), a.rng.randrange(1, 4), a.rng.random() < 0.4
    question = a.say(
        (
            "{t}{x}占{y}的比例，哪{n}个{d}最" + ("低" if low else "高"),
            "按{d}算{x}除以{y}，{t}，" + ("从低到高" if low else "从高到低") + "取{n}个",
            "{x}/{y}这个比值{t}" + ("垫底" if low else "打头") + "的{n}个{d}",
        ),
        (
            "{n} {d} with the " + ("lowest" if low else "highest") + " {x} to {y} ratio {t}",
            "ratio of {x} to {y} by {d} {t}, " + ("bottom" if low else "top") + " {n}",
            "which {n} {d} had the " + ("least" if low else "most") + " {x} relative to {y} {t}",
        ),
        t=when, x=a.word(board.measures[over].term), y=a.word(board.measures[under].term), d=a.word(listed.term), n=str(n),
    )  # fmt: skip
    rows = [
        f"{board.name} {over},{under} | {time}", f"= sum 1.{over} by {group}", f"= sum 1.{under} by {group}",
        f"= ratio 2 3 by {group}", f"= rank 4 by {group} top {n}{' asc' if low else ''}",
    ]  # fmt: skip
    return question, "\n".join(rows)


def pairs(a: Asking) -> tuple[str, str]:
    """One place and sort against another: values that differ in two fields need two fetches."""
    board = a.made.board
    (name, m), (p, q), (s, u) = a.measure(board), a.pick(a.made.trade.place, 2), a.pick(a.made.trade.sort, 2)
    when, time = a.when(board)
    question = a.say(
        ("{t}{p}{s}的{m}比{q}{u}多多少", "{m}：{p}的{s}减去{q}的{u}，{t}", "{t}，{p}{s}和{q}{u}两边{m}差多少"),
        ("how much more {m} did {p} have for {s} than {q} for {u} {t}", "{m} {t}: {s} at {p} minus {u} at {q}", "gap in {m} {t} between {p} ({s}) and {q} ({u})"),
        t=when, p=p[0], q=q[0], s=s[0], u=u[0], m=a.word(m.term),
    )  # fmt: skip
    rows = [
        f"{board.name} {name} | {board.place}={quote(x[1])} {board.sort}={quote(y[1])} {time}"
        for x, y in ((p, s), (q, u))
    ]
    return question, "\n".join([*rows, f"= difference 1.{name} 2.{name}"])


def all_but(a: Asking) -> tuple[str, str]:
    """Without one place: the others are listed."""
    board, places = a.made.board, a.made.trade.place
    out = a.rng.choice(places.values)
    kept = ",".join(quote(a.made.stored[v]) for v in places.values if v != out)
    (name, m), (when, time) = a.measure(board, _SUMMED), a.when(board)
    question = a.say(
        ("除了{p}，{t}其他{d}的{m}加起来多少", "{t}{m}合计，不要{p}", "{p}不算，剩下的{d}{t}总共{m}多少", "撇开{p}，{m}{t}一共多少"),
        ("total {m} {t} at every {d} except {p}", "{m} {t}, all told, leaving out {p}", "without {p}, what is the sum of {m} {t}"),
        t=when, p=a.value(out)[0], d=a.word(places.term), m=a.word(m.term),
    )  # fmt: skip
    return question, f"{board.name} {name} | {board.place}={kept} {time}\n= sum 1.{name}"


def not_in_state(a: Asking) -> tuple[str, str]:
    """Records in every state but one, counted."""
    r, f = a.made.trade.record, a.made.record
    out, span = a.rng.choice(r.status.values), a_span(a.today, a.rng, "date")
    kept = ",".join(quote(a.made.stored[v]) for v in r.status.values if v != out)
    words = a.rng.choice(span.zh if a.language == "zh" else span.en)
    question = a.say(
        ("{t}的{n}里不是{s}的有几条", "{t}{n}，还没{s}的，数一数", "{t}有多少{n}没到{s}这一步", "{n}{t}非{s}的条数"),
        ("how many {n} {t} are not {s}", "count of {n} {t} that are anything but {s}", "{n} {t} not yet {s}, how many"),
        t=words, n=a.word(r.noun), s=a.value(out)[0],
    )  # fmt: skip
    return question, f"{a.made.record_name} {f['id']} | {f['status']}={kept} {f['day']}={span.value('date')}\n= count 1"  # fmt: skip


def above(a: Asking) -> tuple[str, str]:
    """Records from an amount on, in the units that people use."""
    r, f = a.made.trade.record, a.made.record
    said, amount = _amount(a)
    (kind, stored), span = a.pick(r.kind)[0], a_span(a.today, a.rng, "date")
    words = a.rng.choice(span.zh if a.language == "zh" else span.en)
    low = a.rng.random() < 0.3
    less, more = ("不超过", "不低于") if a.language == "zh" else ("at most", "at least")
    question = a.say(
        ("{t}{k}的{n}里{m}{b}{x}的，把{i}和{o}列出来", "{n}，{k}，{t}，{m}{b}{x}，列{i}、{o}", "列一下{t}{m}{b}{x}的{k}{n}，要{i}跟{o}"),
        ("list {i} and {o} of {n} {t}, {k}, with {m} of {b} {x}", "{n} {t} ({k}) where {m} is {b} {x}: {i} and {o}"),
        t=words, k=kind, n=a.word(r.noun), m=a.word(r.amount), x=said, i=a.word(r.id), o=a.word(r.owner),
        b=less if low else more,
    )  # fmt: skip
    bound = f"..{amount}" if low else f"{amount}.."
    return question, (
        f"{a.made.record_name} {f['id']},{f['owner']} | {f['kind']}={quote(stored)} {f['day']}={span.value('date')} {f['amount']}={bound}"
    )


def _amount(a: Asking) -> tuple[str, int]:
    """(as it is said, as a number)."""
    if a.rng.random() < 0.3:
        plain = a.rng.randrange(2, 90) * 100
        return (f"{plain:,}" if a.language == "en" else str(plain)), plain
    if a.language == "en":
        n = a.rng.randrange(2, 60)
        return f"{n}k", n * 1000
    n = a.rng.randrange(2, 10)
    return a.rng.choice(((f"{n}万", n * 10000), (f"{n / 2:g}万", n * 5000), (f"{n}千", n * 1000)))


def above_percent(a: Asking) -> tuple[str, str]:
    board, places = a.made.board, a.made.trade.place
    (name, m), (when, time), n = a.measure(board, ("percent",)), a.when(board), a.rng.randrange(2, 60)
    (sort, stored), said = a.pick(a.made.trade.sort)[0], f"{n}%"
    if a.language == "zh" and a.rng.random() < 0.4:
        said = f"百分之{n}"
    question = a.say(
        ("{t}{s}的{m}不低于{x}的是哪些{d}", "哪些{d}{t}{s}{m}达到{x}", "{s}，{t}，{m}{x}以上的{d}"),
        ("which {d} had {m} of at least {x} for {s} {t}", "{s} {t}: every {d} with {m} at {x} or more"),
        t=when, s=sort, m=a.word(m.term), x=said, d=a.word(places.term),
    )  # fmt: skip
    return question, f"{board.name} {name} | {board.sort}={quote(stored)} {time} {name}={n / 100:g}.."


def deed_if_state(a: Asking) -> tuple[str, str]:
    """A write whose amount is taken from the record, on the record's state."""
    number, (said, stored) = a.number(), a.pick(a.made.trade.record.status)[0]
    f, to = a.made.record, a.made.deed
    reason = a.rng.choice(a.made.trade.deed.reasons)[a.language == "en"]
    question = a.say(
        ("如果{i}是{s}，就{w}，原因写{r}", "先看{i}，要真是{s}才{w}，理由{r}", "{w}，前提是它已经{s}，原因{r}"),
        ("if {i} is {s}, {w}, reason {r}", "{w}, but only if it is {s}; put {r} as the reason", "check {i} first; should it be {s} then {w} with reason {r}"),
        i=number, s=said, r=reason, w=_deed(a, number, ("全部" + a.made.trade.record.amount.zh[0], "the full " + a.made.trade.record.amount.en[0])),
    )  # fmt: skip
    fetch = f"{a.made.record_name} {f['status']},{f['amount']} | {f['id']}={number}"
    put = f"!{a.made.deed_name} {to['id']}={number} {to['amount']}=1.{f['amount']} {to['reason']}={quote(reason)}"
    return question, f"{fetch}\n{put} if 1.{f['status']}={quote(stored)}"


def deed_if_amount(a: Asking) -> tuple[str, str]:
    """A write of a given amount, on a threshold in people's units."""
    number, (said, amount), f, to = a.number(), _amount(a), a.made.record, a.made.deed
    paid = a.rng.randrange(1, 40) * 10
    reason = a.rng.choice(a.made.trade.deed.reasons)[a.language == "en"]
    less = a.rng.random() < 0.3
    question = a.say(
        ("{i}的{m}要是" + ("低于" if less else "超过") + "{x}，{w}，原因{r}", "查{i}，{m}" + ("不到" if less else "大于") + "{x}的话{w}，写上{r}"),
        ("if the {m} on {i} is " + ("under" if less else "over") + " {x}, {w}, reason {r}", "{w} (reason: {r}) in case its {m} is " + ("below" if less else "above") + " {x}"),
        i=number, m=a.word(a.made.trade.record.amount), x=said, r=reason, w=_deed(a, number, (str(paid), str(paid))),
    )  # fmt: skip
    fetch = f"{a.made.record_name} {f['amount']} | {f['id']}={number}"
    put = f"!{a.made.deed_name} {to['id']}={number} {to['amount']}={paid} {to['reason']}={quote(reason)}"
    return question, f"{fetch}\n{put} if 1.{f['amount']}{'<' if less else '>'}{amount}"


def _deed(a: Asking, number: str, amount: tuple[str, str]) -> str:
    said = a.rng.choice(a.made.trade.deed.zh if a.language == "zh" else a.made.trade.deed.en)
    return said.format(id=number, amount=amount[a.language == "en"])


def through_owner(a: Asking) -> tuple[str, str]:
    """What a record's owner is: the second fetch takes its filter from the first."""
    number, r, f = a.number(), a.made.trade.record, a.made.record
    question = a.say(
        ("{i}这单的{o}是谁，{x}是什么", "查{i}，顺着它的{o}看{x}", "{i}那个{o}的{x}"),
        ("who is the {o} on {i} and what is the {x}", "{i}: the {x} of its {o}", "look up {i}, then tell me the {x} of that {o}"),
        i=number, o=a.word(r.owner), x=a.word(r.traits.term),
    )  # fmt: skip
    rows = [
        f"{a.made.record_name} {f['owner']} | {f['id']}={number}",
        f"{a.made.owners_name} {f['trait']} | {f['owner']}=1.{f['owner']}",
    ]
    return question, "\n".join(rows)


def joined(a: Asking) -> tuple[str, str]:
    """Records beside the list of their owners; sometimes averaged by what the list says."""
    r, f, span = a.made.trade.record, a.made.record, a_span(a.today, a.rng, "date")
    words, grouped = a.rng.choice(span.zh if a.language == "zh" else span.en), a.rng.random() < 0.5
    rows = [
        f"{a.made.record_name} {f['owner']},{f['amount']} | {f['day']}={span.value('date')}",
        f"{a.made.owners_name} {f['owner']},{f['trait']}",
        f"= join 1 2 by {f['owner']}",
    ]
    parts = {"t": words, "n": a.word(r.noun), "m": a.word(r.amount), "x": a.word(r.traits.term)}
    if not grouped:
        question = a.say(
            ("{t}的{n}，每条后面带上{x}，连{m}一起列", "把{t}{n}的{m}和{x}拼到一张表里", "{n}{t}，{m}旁边标{x}"),
            ("{n} {t} with {m} and {x} side by side", "join {x} to each of the {n} {t}, {m} too", "one table: {n} {t}, their {m}, and the {x}"),
            **parts,
        )  # fmt: skip
        return question, "\n".join(rows)
    question = a.say(
        ("{t}的{n}按{x}看，平均{m}各是多少", "不同{x}{t}{n}的{m}均值", "{n}{t}，{m}平均到每种{x}"),
        ("average {m} of {n} {t} by {x}", "{n} {t}: mean {m} for each {x}", "by {x}, what is the average {m} on {n} {t}"),
        **parts,
    )  # fmt: skip
    return question, "\n".join([*rows, f"= mean 3.{f['amount']} by {f['trait']}"])


def shares(a: Asking) -> tuple[str, str]:
    board = a.made.board
    (name, m), (when, time) = a.measure(board, _SUMMED), a.when(board)
    listed, group = a.rng.choice(((a.made.trade.place, board.place), (a.made.trade.sort, board.sort)))
    question = a.say(
        ("{t}{m}各{d}分别占几成", "{m}里每个{d}的占比，{t}", "{t}按{d}拆开{m}，给百分比"),
        ("share of {m} by {d} {t}", "{t}, how is {m} split over each {d}, in percent", "each {d} as a percentage of all {m} {t}"),
        t=when, m=a.word(m.term), d=a.word(listed.term),
    )  # fmt: skip
    return question, f"{board.name} {name} | {time}\n= sum 1.{name} by {group}\n= share 2.{name} by {group}"


def together(a: Asking) -> tuple[str, str]:
    board, names = a.made.board, list(a.made.board.measures)
    x, y = a.rng.sample(names, 2)
    (said, stored), (when, time) = a.pick(a.made.trade.place)[0], _long(a, board)
    question = a.say(
        ("{p}{t}的{x}和{y}有没有关系", "{x}高的时候{y}是不是也高，{p}，{t}", "{t}{p}，{x}跟{y}相关不相关"),
        ("at {p} {t}, do {x} and {y} move together", "is {y} tied to {x} at {p} {t}", "correlation of {x} and {y}, {p}, {t}"),
        t=when, p=said, x=a.word(board.measures[x].term), y=a.word(board.measures[y].term),
    )  # fmt: skip
    return question, f"{board.name} {x},{y} | {board.place}={quote(stored)} {time}\n= correlate 1.{x} 1.{y}"


def _long(a: Asking, table: Table) -> tuple[str, str]:
    """Last year or a year before it, in months."""
    year = a.today.year - 1
    span = Span(dt.date(year, 1, 1), dt.date(year, 12, 31), (f"{year}年全年", "去年"), (f"in {year}", "last year"))  # fmt: skip
    return a.spoken(span, table)


def course(a: Asking) -> tuple[str, str]:
    board = a.made.board
    (name, m), (when, time) = a.measure(board), _long(a, board)
    (said, stored), (sort, kept) = a.pick(a.made.trade.place)[0], a.pick(a.made.trade.sort)[0]
    question = a.say(
        ("{p}{s}的{m}{t}是一路往上还是往下", "{t}{p}{s}{m}走势", "{m}在{p}，{s}，{t}是不是越来越差"),
        ("is {m} for {s} at {p} getting better or worse {t}", "trend of {m} {t}, {p}, {s}", "which way did {m} go {t} at {p} for {s}"),
        t=when, p=said, s=sort, m=a.word(m.term),
    )  # fmt: skip
    return question, (
        f"{board.name} {name} | {board.place}={quote(stored)} {board.sort}={quote(kept)} {time}\n= trend 1.{name}"
    )


def two_questions(a: Asking) -> tuple[str, str]:
    """Two things that have nothing to do with each other."""
    number, r, f, board = a.number(), a.made.trade.record, a.made.record, a.made.board
    question, plan = value(a)
    more = a.say(
        ("；另外{i}现在{s}怎样", "。对了，{i}的{s}也报一下", "，还有，{i}{s}到哪了"),
        ("; and {i}, what is its {s}", ". Also, {i}: {s}", " - plus {s} for {i}"),
        i=number, s=a.word(r.status.term),
    )  # fmt: skip
    assert board.name in plan
    return question + more, f"{plan}\n{a.made.record_name} {f['status']} | {f['id']}={number}"


def figure_and_paper(a: Asking) -> tuple[str, str]:
    question, plan = value(a)
    topic = a.rng.choice(a.made.trade.papers)[a.language == "en"]
    more = a.say(
        ("；再查查{k}怎么说", "，另外制度里{k}有啥要求"), ("; and what do the rules say on {k}", ". Also look up {k}"), k=topic,
    )  # fmt: skip
    return question + more, f"{plan}\n#{a.made.papers} {topic}"


def paper(a: Asking) -> tuple[str, str]:
    topic = a.rng.choice(a.made.trade.papers)[a.language == "en"]
    question = a.say(
        ("{k}是怎么规定的", "文件里{k}咋写的", "{k}，照章该怎么办"), ("what do our rules say on {k}", "where is {k} written down, what does it say", "{k} - how is it meant to go"), k=topic,
    )  # fmt: skip
    return question, f"#{a.made.papers} {topic}"


def reported(a: Asking) -> tuple[str, str]:
    question, plan = a.rng.choice((shares, rate_then_rank, growth_by_place))(a)
    kind = a.rng.choice(("docx", "html"))
    more = a.say(
        ("，做成{f}报告", "，{f}格式出一份"), (", as a {f} report", " - write it up in {f}"),
        f={"docx": "Word", "html": "HTML"}[kind],
    )  # fmt: skip
    return question + more, f"{plan}\n> {kind}"


def do_they_agree(a: Asking) -> tuple[str, str]:
    """Both sources of one dataset, where there are two; else a plain value."""
    board = a.made.board
    if len(board.holders) < 2:
        return value(a)
    (name, m), (said, stored), (when, time) = a.measure(board), *a.pick(a.made.trade.place), a.when(board)
    question = a.say(
        ("{t}{p}的{m}，看板和旧报表对得上吗", "旧报表跟看板上{p}{t}的{m}差多少"),
        ("do the board and the former reports agree on {m} at {p} {t}", "{m} at {p} {t}: board against former reports, any gap"),
        t=when, p=said, m=a.word(m.term),
    )  # fmt: skip
    rows = [f"{board.name}@{h} {name} | {board.place}={quote(stored)} {time}" for h in board.holders]
    return question, "\n".join([*rows, f"= difference 1.{name} 2.{name}"])


def nowhere(a: Asking) -> tuple[str, str]:
    zh, en = a.rng.choice(a.made.trade.absent)
    what, when = (zh if a.language == "zh" else en), a.when(a.made.board)[0]
    question = a.say(
        ("{t}{x}有数吗", "{x}查得到不，{t}的", "想看{t}{x}", "{x}{t}是多少"),
        ("do we have {x} {t}", "{x} {t}", "can you find {x} {t}"), t=when, x=what,
    )  # fmt: skip
    return question, f"? {f'没有来源涉及{what}' if a.language == 'zh' else f'no dataset speaks of {what}'}"


SHAPES: tuple[Shape, ...] = (
    value, growth_of_two, growth_by_place, ratio_of_boards, rate_then_rank, pairs, all_but, not_in_state, above,
    above_percent, deed_if_state, deed_if_amount, through_owner, joined, shares, together, course, two_questions,
    figure_and_paper, paper, reported, do_they_agree, nowhere,
)  # fmt: skip
