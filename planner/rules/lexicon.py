"""The catalogue as words: which field, value, dataset or source each surface form names."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Literal

from planner.catalogue import Catalogue, Dataset, Field, Source
from planner.rules.bilingual import Bilingual
from planner.rules.english import GENERIC, STOP
from planner.rules.glosses import read_glosses
from planner.rules.pooling import pooled
from planner.rules.text import is_cjk, words_of
from planner.times.atoms import fold

__all__ = ["GENERIC_ZH", "Lexicon", "Table", "Target", "Term", "units_of"]

Target = tuple[Literal["field", "value", "dataset", "source"], str, str, str]  # kind, table key, field, value
_PIECES = re.compile(r"[/／:：、，,;；（）()|·&]|——|\s-\s|和|与|及")
_YEAR_WORDS = re.compile(r"年份|年度|year|vintage|season|^年$|届|fy\b")
_NUMERIC = ("number", "percent", "money", "integer")
_TIME = ("month", "quarter", "date", "datetime")
_IDENTITY = re.compile(
    r"(?:^|_)(?:id|no|code|number|key|sku|ref|serial|plate)$|编号|单号|工号|号码|^.{0,6}号$|代码"
)
# two-character fragments that many descriptions share
GENERIC_ZH = frozenset(
    [
        "数量",
        "平均",
        "时间",
        "日期",
        "类型",
        "编号",
        "金额",
        "情况",
        "记录",
        "系统",
        "数据",
        "月度",
        "季度",
        "年度",
        "每月",
        "每季",
        "各个",
        "明细",
        "信息",
        "统计",
        "管理",
        "部门",
        "客户",
        "产品",
        "月份",
        "名称",
        "状态",
        "类别",
        "单号",
        "比例",
        "比率",
        "合计",
        "总数",
        "总额",
        "的",
        "一条",
        "每条",
        "每个",
        "每笔",
        "个月",
        "公司",
        "库存数",
        "项目",
        "查询",
        "内部",
        "业务",
        "平台",
        "中心",
        "看板",
        "报表",
        "结果",
        "工单",
        "分析",
        "看一",
        "多少",
    ]
)


@dataclass(slots=True)
class Table:
    """A dataset that one or several sources hold, most trusted first. `fields` are the first holder's."""

    key: str
    dataset: Dataset
    holders: list[Source]
    fields: dict[str, Field] = field(default_factory=dict)
    bag: dict[str, float] = field(default_factory=dict)

    @property
    def document(self) -> bool:
        return self.dataset.name == "documents"

    @property
    def side_effect(self) -> bool:
        return self.holders[0].side_effect

    @property
    def readable(self) -> bool:
        return not self.document and not self.side_effect

    @property
    def time_fields(self) -> list[Field]:
        return [f for f in self.fields.values() if f.type in _TIME or self.is_year(f)]

    @staticmethod
    def is_year(f: Field) -> bool:
        named = (f.name, *f.synonyms)
        return (
            f.type in ("integer", "number", "text")
            and any(_YEAR_WORDS.search(n.lower()) for n in named)
            and not f.values
        )

    def measure(self, name: str) -> bool:
        """A number that can be computed on: not a year, not part of the grain."""
        f = self.fields.get(name)
        return f is not None and f.type in _NUMERIC and name not in self.dataset.grain and not self.is_year(f)

    @property
    def measures(self) -> list[str]:
        return [name for name in self.fields if self.measure(name)]

    @property
    def identities(self) -> list[Field]:
        """Text fields without listed values that name one record, those of the grain first."""
        free = [
            f
            for f in self.fields.values()
            if f.type in ("text", "integer") and not f.values and not self.is_year(f)
        ]
        grain = [f for f in free if f.name in self.dataset.grain]
        named = [
            f for f in free if f not in grain and any(_IDENTITY.search(n) for n in (f.name, *f.synonyms))
        ]
        return grain + named

    @property
    def record(self) -> bool:
        """One row per thing (ticket, order) rather than per combination of dimensions."""
        return any(f.name in self.dataset.grain for f in self.identities) and not any(
            self.fields[g].type in ("month", "quarter") for g in self.dataset.grain if g in self.fields
        )


@dataclass(frozen=True, slots=True)
class Term:
    """`words` are stems of an English surface; `surface` is matched as text when it holds Chinese."""

    surface: str
    words: tuple[str, ...]
    targets: tuple[Target, ...]
    weight: float = 1.0
    late: bool = False  # a piece of a description: it names the table only where no field is named


def units_of(text: str) -> list[str]:
    """Content stems and Chinese bigrams: what two texts can share without sharing a whole term."""
    folded = fold(text).replace("_", " ")
    units = [w.stem for w in words_of(folded) if w.content and len(w.stem) > 1]
    for run in re.findall(r"[\u4e00-\u9fff]+", folded):
        units.extend(run[i : i + 2] for i in range(len(run) - 1))
    return units


SPOKEN_TENTHS = 3  # of ten fields, how many must have words in a language
CORE = 0.6  # the weight of a field's name without the words that many fields share
TRANSLATED = 0.7  # the weight of a dictionary's word for a value
TOPIC = 0.9  # the weight of a table's description, in pieces


class Lexicon:
    """Tables, terms and the rarity of units, made once for a catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.tables: dict[str, Table] = {}
        self.homes: dict[str, set[str]] = defaultdict(set)  # unit → field names that it is part of
        grouped: dict[str, list[tuple[Source, Dataset]]] = defaultdict(list)
        shared = pooled(f for s in catalogue.sources.values() for d in s.datasets for f in d.fields)
        for source in catalogue.sources.values():
            for dataset in source.datasets:
                key = self._key(grouped, source, dataset)
                grouped[key].append((source, dataset))
        for key, holders in grouped.items():
            holders.sort(key=lambda h: -h[0].trust)
            dataset = holders[0][1]
            table = Table(key, dataset, [s for s, _ in holders], {f.name: shared(f) for f in dataset.fields})
            for _, other in holders[1:]:
                for f in other.fields:
                    table.fields.setdefault(f.name, shared(f))
            self.tables[key] = table
        self.terms = self._terms()
        self._weigh()

    def speaks(self, chinese: bool) -> bool:
        """Whether the fields have words in this language: only then does silence mean that something is lacking."""
        named = [
            [n for n in (*f.synonyms, f.description) if n]
            for t in self.tables.values()
            if t.readable
            for f in t.fields.values()
        ]
        fitting = [words for words in named if any(is_cjk(w) == chinese for w in words)]
        return len(fitting) * 10 >= len(named) * SPOKEN_TENTHS

    @staticmethod
    def _key(grouped: dict[str, list[tuple[Source, Dataset]]], source: Source, dataset: Dataset) -> str:
        """Sources share a table when name and fields agree; a namesake of other content gets its own key."""
        names = {f.name for f in dataset.fields}
        if dataset.name == "documents":
            return f"{source.name}.documents"
        for key, holders in grouped.items():
            other = holders[0][1]
            shared = names & {f.name for f in other.fields}
            if (
                other.name == dataset.name
                and holders[0][0].side_effect == source.side_effect
                and len(shared) * 2 >= len(names)
            ):
                return key
        return dataset.name if dataset.name not in grouped else f"{source.name}.{dataset.name}"

    def _terms(self) -> list[Term]:
        found: dict[tuple[str, float], set[Target]] = defaultdict(set)
        bilingual = Bilingual.shared()
        glosses = read_glosses(
            (s, d) for t in self.tables.values() for s in t.holders if (d := s.dataset(t.dataset.name))
        )
        for key, table in self.tables.items():
            if table.document:
                continue
            for surface in (table.dataset.name, *table.dataset.synonyms):
                found[surface, 1.0].add(("dataset", key, "", ""))
            for surface in _topics(table.dataset.description):
                found[surface, TOPIC].add(("dataset", key, "", ""))
            for f in table.fields.values():
                for surface in (f.name, *f.synonyms):
                    found[surface, 1.0].add(("field", key, f.name, ""))
                    for core in _field_cores(surface):
                        found[core, CORE].add(("field", key, f.name, ""))
                    for unit in units_of(surface):
                        self.homes[unit].add(f.name)
                for value in f.values:
                    for surface in (
                        value,
                        *f.value_synonyms.get(value, ()),
                        *glosses.get((f.name, value), ()),
                    ):
                        found[surface, 1.0].add(("value", key, f.name, value))
                    cores = _cores(value, f)
                    for surface in cores:
                        found[surface, 0.8].add(("value", key, f.name, value))
                    own = (value, *f.value_synonyms.get(value, ()), *glosses.get((f.name, value), ()), *cores)
                    for surface in _translated(own, bilingual):
                        found[surface, TRANSLATED].add(("value", key, f.name, value))
            for source in table.holders:
                for piece in [source.name, *_PIECES.split(source.description)]:
                    if len(piece.strip()) > 1:
                        found[piece, 1.0].add(("source", key, source.name, ""))
        terms = []
        for (surface, weight), targets in found.items():
            folded = fold(surface).replace("_", " ").strip()
            words = tuple(w.stem for w in words_of(folded))
            if folded:
                terms.append(
                    Term(
                        folded,
                        () if is_cjk(folded) else words,
                        tuple(sorted(targets)),
                        weight,
                        weight == TOPIC,
                    )
                )
        return sorted(terms, key=lambda t: -len(t.surface))

    def _weigh(self) -> None:
        """Each table's bag of units, weighted by how few tables share them (as inverse document frequency)."""
        raw: dict[str, dict[str, float]] = {}
        for key, table in self.tables.items():
            bag: dict[str, float] = {}
            texts = [(table.dataset.name, 1.0), (table.dataset.description, 1.0)]
            texts += [(s, 1.0) for s in table.dataset.synonyms]
            for f in table.fields.values():
                texts += [(s, 1.0) for s in (f.name, *f.synonyms)] + [(f.description, 0.7)]
            texts += [(s.description, 0.6) for s in table.holders] + [(s.name, 0.4) for s in table.holders]
            for text, weight in texts:
                for unit in units_of(text):
                    bag[unit] = max(bag.get(unit, 0), weight)
            raw[key] = bag
        frequency: dict[str, int] = defaultdict(int)
        for bag in raw.values():
            for unit in bag:
                frequency[unit] += 1
        total = len(raw)
        for key, bag in raw.items():
            for unit in list(bag):
                rarity = math.log((total + 1) / frequency[unit]) / math.log(total + 1)
                bag[unit] *= rarity * (0.25 if unit in GENERIC or unit in GENERIC_ZH else 1)
            self.tables[key].bag = bag


_WRAP_ZH = re.compile(
    r"^(?:各个?[\u4e00-\u9fff]{1,3}?|每[条个笔次起票辆]?|新建|客户|内部|所有|全部|月度|季度|年度|每月|每季)+|(?:记录|明细|数据|情况|信息|登记|统计|台账|档案|列表|清单|工单|的)+$"
)


def _topics(description: str) -> list[str]:
    """Short pieces of a description, without the words that wrap any description."""
    found = []
    heads = [re.split(r"[:：（(]", half)[0] for half in re.split(r"\s/\s|；|;", description)]
    for piece in [p for head in heads for p in _PIECES.split(head)]:
        piece = piece.strip()
        if is_cjk(piece):
            core = _WRAP_ZH.sub("", piece)
            found += [core] if 2 <= len(core) <= 12 and core not in GENERIC_ZH else []
        else:
            content = [w for w in words_of(fold(piece)) if w.content and w.stem not in GENERIC]
            if 1 <= len(content) <= 3 and content and len(piece.split()) <= 5:
                found.append(" ".join(w.text for w in content))
    return found


def _translated(own: tuple[str, ...], bilingual: Bilingual) -> list[str]:
    """Words of the language that a value has none in."""
    if len({is_cjk(w) for w in own}) == 2:
        return []
    return list(dict.fromkeys(t for w in own for t in bilingual.other(fold(w).replace("_", " ").strip())))


_MEASURE_TAIL = re.compile(
    r"(?:金额|人数|次数|件数|数量|时长|时间|小时|天数|费用|总额|数|量|额|率|费|收入|编号|号码|号)$"
)


def _field_cores(surface: str) -> list[str]:
    """用水量 → 用水; nurse_turnover_rate → nurse turnover. Single short words are left to `homes`."""
    if is_cjk(surface):
        core = _MEASURE_TAIL.sub("", surface)
        return [core] if core != surface and len(core) >= 2 and core not in GENERIC_ZH else []
    content = [
        w.text for w in words_of(fold(surface).replace("_", " ")) if w.content and w.stem not in GENERIC
    ]
    whole = words_of(fold(surface).replace("_", " "))
    return [" ".join(content)] if 2 <= len(content) < len(whole) else []


def _cores(value: str, f: Field) -> list[str]:
    """A value without the words of its own field: a branch name without 'branch'; without a digit-free core, none."""
    cores = []
    folded = fold(value).replace("_", " ").strip()
    for word in (f.name, *f.synonyms):
        suffix = fold(word).replace("_", " ")
        for core in (folded.removesuffix(suffix).strip(), folded.removeprefix(suffix).strip()):
            if (
                core
                and core != folded
                and (len(core) > 1 if is_cjk(core) else len(core) > 2)
                and core not in STOP
            ):
                cores.append(core)
    return cores
