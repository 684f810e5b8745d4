"""A whole catalogue as one short text: what a remote model reads, and the form in which training catalogues are kept.

@ kpi_board bi_dashboard 0.8 市场部经营看板        a source: name, kind, trust, description
subs_monthly 各省月度用户 : prov,month             a dataset: name, description, grain
  prov text 省份/分公司 {广东|江苏=苏,Jiangsu}      a field: name, type, synonyms, listed values
! credit_adj ticket_api 0.9 话费减免              a source with side effects
# wiki_kb pdf_knowledge_base 0.7 制度与手册        a document source, which holds no dataset of its own
"""

from __future__ import annotations

import re
from typing import Any, get_args

from planner.catalogue import Catalogue, Dataset, Field, FieldType, Source
from planner.errors import PlanError

__all__ = ["read_catalogue", "show_catalogue"]

_SOURCE = re.compile(r"([@!#])\s*(\S+)\s+(\S+)\s+([01](?:\.\d+)?)\s*(.*)")
_DATASET = re.compile(r"(\S+)\s*(.*?)\s*(?::\s*([\w,\s]*))?")
_FIELD = re.compile(r"(\S+)\s+(\w+)\s*([^{]*?)\s*(?:\{(.*)\})?")
_SHORT = {
    "int": "integer",
    "num": "number",
    "float": "number",
    "str": "text",
    "boolean": "bool",
    "percentage": "percent",
}
_DOCUMENTS = Dataset(
    name="documents",
    description="文档章节 / document sections",
    grain=("doc", "section"),
    fields=tuple(
        Field(name=n, type="text", synonyms=(s,))
        for n, s in (("doc", "文档"), ("section", "章节"), ("text", "内容"))
    ),
)


def read_catalogue(text: str) -> Catalogue:
    """Raises PlanError, which names the line."""
    sources: dict[str, dict[str, Any]] = {}
    datasets: list[dict[str, Any]] = []
    for number, row in enumerate(text.splitlines(), 1):
        if not row.strip():
            continue
        if found := _SOURCE.fullmatch(row.strip()):
            mark, name, kind, trust, description = found.groups()
            if name in sources:
                raise PlanError(f"line {number}: source {name} stands twice")
            datasets = []
            sources[name] = {
                "name": name, "kind": kind, "trust": float(trust), "description": description,
                "side_effect": mark == "!", "datasets": [_DOCUMENTS] if mark == "#" else datasets,
            }  # fmt: skip
        elif row[0] in " \t":
            if not datasets:
                raise PlanError(f"line {number}: a field before any dataset")
            datasets[-1]["fields"].append(_field(row.strip(), number))
        else:
            found = _DATASET.fullmatch(row.strip())
            if found is None or not sources:
                raise PlanError(f"line {number}: {row[:60]!r} is no source, dataset or field")
            name, description, grain = found.groups()
            names = tuple(g.strip() for g in (grain or "").split(",") if g.strip())
            datasets.append({"name": name, "description": description, "grain": names, "fields": []})
    if not sources:
        raise PlanError("a catalogue without sources")
    return Catalogue(sources={n: _source(s) for n, s in sources.items()})


def _source(raw: dict[str, Any]) -> Source:
    if not raw["datasets"]:
        raise PlanError(f"source {raw['name']} holds no dataset")
    held = []
    for d in raw["datasets"]:
        if isinstance(d, dict):
            names = [f.name for f in d["fields"]]
            if not names or len(set(names)) < len(names):
                raise PlanError(f"dataset {d['name']}: no fields, or one stands twice")
            lacking = [g for g in d["grain"] if g not in names]
            if lacking:
                raise PlanError(f"dataset {d['name']}: its grain names {lacking[0]}, which is no field of it")
        held.append(d if isinstance(d, Dataset) else Dataset(**d))
    return Source(**{**raw, "datasets": tuple(held)})


def _field(row: str, number: int) -> Field:
    found = _FIELD.fullmatch(row)
    kind = _SHORT.get(found[2], found[2]) if found else ""
    if found is None or kind not in get_args(FieldType):
        raise PlanError(f"line {number}: {row[:60]!r}: name, type, synonyms and {{values}} are needed")
    name, _, synonyms, listed = found.groups()
    words = tuple(s.strip() for s in synonyms.split("/") if s.strip() and s.strip() != "-")
    values, spoken = [], {}
    for piece in (listed or "").split("|"):
        value, _, others = piece.strip().partition("=")
        if value.strip():
            values.append(value.strip())
            if others.strip():
                spoken[value.strip()] = tuple(o.strip() for o in others.split(",") if o.strip())
    return Field(name=name, type=kind, synonyms=words, values=tuple(values), value_synonyms=spoken)  # type: ignore[arg-type]


def show_catalogue(catalogue: Catalogue) -> str:
    """The text of a catalogue; `read_catalogue` gives it back, apart from what is not for planning."""
    rows: list[str] = []
    for source in catalogue.sources.values():
        document = any(d.name == "documents" for d in source.datasets)
        mark = "#" if document else "!" if source.side_effect else "@"
        rows.append(f"{mark} {source.name} {source.kind} {source.trust:g} {source.description}".rstrip())
        for dataset in () if document else source.datasets:
            head = f"{dataset.name} {dataset.description}".rstrip()
            rows.append(head + (f" : {','.join(dataset.grain)}" if dataset.grain else ""))
            rows += [f"  {_show_field(f)}" for f in dataset.fields]
    return "\n".join(rows) + "\n"


def _show_field(f: Field) -> str:
    shown = f"{f.name} {f.type} {'/'.join(f.synonyms) or '-'}"
    values = [v + (f"={','.join(f.value_synonyms[v])}" if f.value_synonyms.get(v) else "") for v in f.values]
    return f"{shown} {{{'|'.join(values)}}}" if values else shown
