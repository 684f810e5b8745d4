"""A random catalogue of one trade: which datasets there are, how they and their fields are named, in which language."""

from __future__ import annotations

import random
from dataclasses import dataclass

from planner.training.worlds_words import Listed, Measure, Term, Trade

__all__ = ["Made", "Table", "make_catalogue"]

_KINDS = ("sql", "bi_dashboard", "ticket_api", "excel")


@dataclass(frozen=True, slots=True)
class Table:
    """Names in the catalogue. `time` is its time field and that field's type; `measures` by name."""

    name: str
    place: str
    time: tuple[str, str]
    measures: dict[str, Measure]
    sort: str = ""
    holders: tuple[str, ...] = ()  # more than one where several sources hold it


@dataclass(frozen=True, slots=True)
class Made:
    """A catalogue as text, and where the things of its trade are in it. `record` maps the parts of `Trade.record` to field
    names; `stored` gives the listed value that stands for a (Chinese, English) pair."""

    trade: Trade
    text: str
    board: Table
    second: Table
    record_name: str
    record: dict[str, str]
    owners_name: str
    deed_name: str
    deed: dict[str, str]
    papers: str
    stored: dict[tuple[str, str], str]


class _Naming:
    """One house's way to name things: one of the codes for all, its own prefixes, one language or both."""

    def __init__(self, rng: random.Random) -> None:
        self._rng, self._code, self._taken = rng, rng.randrange(3), set[str]()
        self.language = rng.choice(("zh", "en", "both"))
        self.values = rng.choice(("zh", "en", "code")) if self.language != "zh" else "zh"
        self._prefix = rng.choice(("", "", "f_", "t1_", "dm_"))

    def name(self, term: Term, *, dataset: bool = False) -> str:
        base = term.codes[min(self._code, len(term.codes) - 1)]
        name, n = (self._prefix if dataset else "") + base, 2
        while name in self._taken:
            name, n = f"{base}{n}", n + 1
        self._taken.add(name)
        return name

    def words(self, term: Term) -> str:
        """The synonyms that the catalogue tells: seldom all of them."""
        zh, en = term.zh[: self._rng.choice((1, 1, 2))], term.en[: self._rng.choice((1, 1, 2))]
        told = {"zh": zh, "en": en, "both": zh + en}[self.language]
        return "/".join(told)

    def title(self, zh: str, en: str) -> str:
        return {"zh": zh, "en": en, "both": f"{zh} / {en}"}[self.language]

    def listed(self, which: Listed, stored: dict[tuple[str, str], str]) -> str:
        pieces = []
        for n, (zh, en) in enumerate(which.values, 1):
            code = f"{which.term.codes[-1].upper().replace('_', '')}{n}"
            value = {"zh": zh, "en": en, "code": code}[self.values]
            stored[zh, en] = value
            other = [w for w in (zh, en) if w != value]
            if self.values != "code" and self._rng.random() < 0.4:
                other = []  # this house does not tell the other language
            pieces.append(value + (f"={','.join(other)}" if other else ""))
        return "{" + "|".join(pieces) + "}"


def make_catalogue(trade: Trade, rng: random.Random) -> Made:
    house, stored = _Naming(rng), dict[tuple[str, str], str]()
    place, sort, month = house.name(trade.place.term), house.name(trade.sort.term), _time(house, rng)
    place_row = f"  {place} text {house.words(trade.place.term)} {house.listed(trade.place, stored)}"
    sort_row = f"  {sort} text {house.words(trade.sort.term)} {house.listed(trade.sort, stored)}"
    board_rows, board = _board(trade, house, rng, place, sort, month, (place_row, sort_row))
    second_rows, second = _second(trade, house, rng, place, month, place_row)
    record_rows, record_name, record = _records(trade, house, place, stored, place_row)
    owner_rows, owners_name = _owners(trade, house, record, stored)
    deed_rows, deed_name, deed = _deed(trade, house, record)
    zh, en = trade.title
    sources = [
        ("@", "board", f"{house.title(zh + '看板', en + ' board')}", board_rows),
        ("@", rng.choice(("books", "ledger", "finance")), house.title(zh + "账套", en + " books"), second_rows),
        ("@", rng.choice(("core", "ops_db")), house.title(zh + "业务库", en + " core system"), record_rows + owner_rows),
        ("!", rng.choice(("desk", "counter")), house.title("办理台", "desk"), deed_rows),
    ]  # fmt: skip
    papers = rng.choice(("papers", "rulebook", "wiki_docs"))
    rows: list[str] = []
    for mark, name, title, own in sources:
        rows += [
            f"{mark} {name} {'ticket_api' if mark == '!' else rng.choice(_KINDS)} {rng.choice((0.7, 0.8, 0.9))} {title}",
            *own,
        ]
    if len(board.holders) > 1:
        rows += [
            f"@ {board.holders[1]} sql 0.5 {house.title('旧报表', 'former reports')}", *board_rows
        ]  # fmt: skip
    rows.append(f"# {papers} pdf_knowledge_base 0.7 {house.title('制度与手册', 'rules and manuals')}")
    return Made(
        trade, "\n".join(rows) + "\n", board, second, record_name, record, owners_name, deed_name, deed, papers, stored
    )  # fmt: skip


def _time(house: _Naming, rng: random.Random) -> tuple[str, str]:
    """The boards' time field: by month or by day."""
    if rng.random() < 0.65:
        return house.name(Term(("month", "yuefen", "ym"), ("月份",), ("month",))), "month"
    return house.name(Term(("day", "riqi", "stat_dt"), ("日期",), ("date",))), "date"


def _time_row(time: tuple[str, str]) -> str:
    words = {"month": "月份/month", "date": "日期/date"}[time[1]]
    return f"  {time[0]} {time[1]} {words}"


def _measures(house: _Naming, chosen: tuple[Measure, ...]) -> tuple[list[str], dict[str, Measure]]:
    named = {house.name(m.term): m for m in chosen}
    return [f"  {name} {m.type} {house.words(m.term)}" for name, m in named.items()], named


def _board(
    trade: Trade, house: _Naming, rng: random.Random, place: str, sort: str, time: tuple[str, str], rows: tuple[str, str]
) -> tuple[list[str], Table]:  # fmt: skip
    name = house.name(Term(("daily_board" if time[1] == "date" else "monthly_board", "jingying_b", "kpi_t"), (), ()), dataset=True)  # fmt: skip
    told, measures = _measures(house, trade.first)
    head = f"{name} {house.title('经营指标', 'key figures')} : {place},{sort},{time[0]}"
    holders = ("board", "old_reports") if rng.random() < 0.25 else ("board",)
    table = Table(name, place, time, measures, sort, holders)
    return [head, rows[0], rows[1], _time_row(time), *told], table


def _second(
    trade: Trade, house: _Naming, rng: random.Random, place: str, time: tuple[str, str], place_row: str
) -> tuple[list[str], Table]:
    name = house.name(Term(("staff_costs", "renli_fy", "hr_t"), (), ()), dataset=True)
    told, measures = _measures(house, trade.second)
    head = f"{name} {house.title('人手与费用', 'people and costs')} : {place},{time[0]}"
    return [head, place_row, _time_row(time), *told], Table(name, place, time, measures)


def _records(
    trade: Trade, house: _Naming, place: str, stored: dict[tuple[str, str], str], place_row: str
) -> tuple[list[str], str, dict[str, str]]:
    r = trade.record
    name = house.name(r.noun, dataset=True)
    fields = {
        "id": house.name(r.id), "day": house.name(r.day), "status": house.name(r.status.term),
        "kind": house.name(r.kind.term), "amount": house.name(r.amount), "owner": house.name(r.owner),
        "trait": house.name(r.traits.term), "place": place,
    }  # fmt: skip
    rows = [
        f"{name} {house.title(r.noun.zh[0], r.noun.en[0])} : {fields['id']}",
        f"  {fields['id']} text {house.words(r.id)}",
        place_row,
        f"  {fields['day']} date {house.words(r.day)}",
        f"  {fields['status']} text {house.words(r.status.term)} {house.listed(r.status, stored)}",
        f"  {fields['kind']} text {house.words(r.kind.term)} {house.listed(r.kind, stored)}",
        f"  {fields['amount']} money {house.words(r.amount)}",
        f"  {fields['owner']} text {house.words(r.owner)}",
    ]
    return rows, name, fields


def _owners(
    trade: Trade, house: _Naming, record: dict[str, str], stored: dict[tuple[str, str], str]
) -> tuple[list[str], str]:
    r = trade.record
    name = house.name(Term((f"{r.owner.codes[0]}_list", f"{r.owner.codes[1]}_mc", f"{r.owner.codes[2]}_t"), (), ()), dataset=True)  # fmt: skip
    rows = [
        f"{name} {house.title(r.owner.zh[0] + '清单', 'list of ' + r.owner.en[-1] + 's')} : {record['owner']}",
        f"  {record['owner']} text {house.words(r.owner)}",
        f"  {record['trait']} text {house.words(r.traits.term)} {house.listed(r.traits, stored)}",
    ]
    return rows, name


def _deed(trade: Trade, house: _Naming, record: dict[str, str]) -> tuple[list[str], str, dict[str, str]]:
    name = house.name(Term(trade.deed.codes, (), ()), dataset=True)
    fields = {"id": record["id"], "amount": house.name(trade.deed.money), "reason": house.name(Term(("reason", "yuanyin", "rsn"), ("原因",), ("reason",)))}  # fmt: skip
    rows = [
        f"{name} {house.title('登记' + trade.deed.money.zh[0], 'enter a ' + trade.deed.money.en[0])} : {fields['id']}",
        f"  {fields['id']} text {house.words(trade.record.id)}",
        f"  {fields['amount']} money {house.words(trade.deed.money)}",
        f"  {fields['reason']} text {house.title('原因', 'reason')}",
    ]
    return rows, name, fields
