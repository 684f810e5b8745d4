"""A board's YAML (`connection`, and `locate` of each dataset) as checked objects. docs/sources.md explains the keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit

from adapters.base import DatasetSpec, SourceSpec
from adapters.board_network import compiled
from adapters.chart_reading import Chart
from adapters.errors import ConfigurationError
from adapters.stability import Minimum
from adapters.values import MEASURES

__all__ = ["Board", "Login", "Mapped", "board_of", "mapped"]

_CONNECTION = {"url", "ready", "login", "minimum", "locale"}
_LOCATE = {"url", "ready", "empty", "title", "network", "table", "columns", "chart", "constants", "minimum"}
_CHART = {"element", "kind", "title", "x", "value", "series", "unit"}
_FORMS = {"bars": "upright", "lines": "upright", "sideways": "sideways", "table": "table"}


@dataclass(frozen=True, slots=True)
class Login:
    """The login page's URL, and the XPaths of its form."""

    url: str
    username: str
    password: str
    submit: str
    own_page: bool  # else the form is shown in place of the board


@dataclass(frozen=True, slots=True)
class Board:
    url: str
    ready: str | None
    login: Login | None
    minimum: Minimum
    locale: str | None


@dataclass(frozen=True, slots=True)
class Mapped:
    """How one dataset is found on the board. At least one of `network_url`, `table`, `element` is set."""

    url: str
    ready: str | None
    empty: str | None
    title: str | None
    minimum: Minimum
    columns: Mapping[str, str]  # field → header
    constants: Mapping[str, Any]
    network_url: str | None = None
    network_rows: str = "$[*]"
    network_fields: Mapping[str, str] = field(default_factory=dict)  # field → JSONPath within a row
    table: str | None = None
    element: str | None = None
    chart: Chart | None = None  # None where the element is a drawn table


def board_of(spec: SourceSpec) -> Board:
    """Raises ConfigurationError that names source and key."""
    where = f"source {spec.name}: connection"
    connection = spec.connection
    _known(connection, _CONNECTION, where)
    url = _text(connection, "url", where)
    if urlsplit(url).scheme not in ("http", "https"):
        raise ConfigurationError(f"{where}.url: {url!r} is no http(s) URL", source=spec.name)
    login = None
    if connection.get("login") is not None:
        form = _mapping(connection["login"], f"{where}.login")
        _known(form, {"url", "username", "password", "submit"}, f"{where}.login")
        page = urljoin(url, str(form.get("url") or url))
        login = Login(
            page,
            _text(form, "username", f"{where}.login"),
            _text(form, "password", f"{where}.login"),
            _text(form, "submit", f"{where}.login"),
            own_page=urlsplit(page)[:3] != urlsplit(url)[:3],
        )
    return Board(
        url,
        _optional(connection, "ready"),
        login,
        _minimum(connection.get("minimum"), f"{where}.minimum"),
        _optional(connection, "locale"),
    )


def mapped(board: Board, spec: SourceSpec, dataset: DatasetSpec) -> Mapped:
    """Raises ConfigurationError that names source, dataset and key."""
    where = f"source {spec.name}: dataset {dataset.name}: locate"
    locate = dataset.locate
    _known(locate, _LOCATE, where)
    constants = _mapping(locate.get("constants") or {}, f"{where}.constants")
    headers = _mapping(locate.get("columns") or {}, f"{where}.columns")
    names = [f.name for f in dataset.fields]
    for key, part in (("constants", constants), ("columns", headers)):
        _known(part, set(names), f"{where}.{key}")
    asked = [n for n in names if n not in constants]
    network = _mapping(locate.get("network") or {}, f"{where}.network")
    _known(network, {"url", "rows", "fields"}, f"{where}.network")
    paths = _mapping(network.get("fields") or {}, f"{where}.network.fields")
    _known(paths, set(names), f"{where}.network.fields")
    rows = str(network.get("rows") or "$[*]")
    for path in (rows, *paths.values()):
        compiled(str(path))
    chart = _mapping(locate.get("chart") or {}, f"{where}.chart")
    if not (network or locate.get("table") or chart):
        raise ConfigurationError(f"{where}: give one of network, table, chart", source=spec.name)
    columns = {n: str(headers.get(n, n)) for n in asked}
    return Mapped(
        url=urljoin(board.url, str(locate["url"])) if locate.get("url") else board.url,
        ready=_optional(locate, "ready") or board.ready,
        empty=_optional(locate, "empty"),
        title=_optional(locate, "title"),
        minimum=_minimum(locate["minimum"], f"{where}.minimum") if locate.get("minimum") else board.minimum,
        columns=columns,
        constants=constants,
        network_url=_text(network, "url", f"{where}.network") if network else None,
        network_rows=rows,
        network_fields={n: str(paths.get(n, f"$.{n}")) for n in asked},
        table=_optional(locate, "table"),
        element=_text(chart, "element", f"{where}.chart") if chart else None,
        chart=_chart(chart, dataset, asked, columns, f"{where}.chart") if chart else None,
    )


def _chart(
    chart: Mapping[str, Any], dataset: DatasetSpec, asked: list[str], columns: Mapping[str, str], where: str
) -> Chart | None:
    _known(chart, _CHART, where)
    kind = str(chart.get("kind") or "bars")
    if kind not in _FORMS:
        raise ConfigurationError(f"{where}.kind: {kind!r}; use one of {', '.join(_FORMS)}")
    if kind == "table":
        return None
    x = _text(chart, "x", where)
    series = _optional(chart, "series")
    rest = [n for n in asked if n not in (x, series)]
    measures = [n for n in rest if dataset.field(n).type in MEASURES]
    value = _optional(chart, "value") or (measures[0] if len(measures) == 1 else None)
    if value is None:
        raise ConfigurationError(f"{where}: missing key value (the measure that the labels give)")
    for key, name in (("x", x), ("value", value), ("series", series)):
        if name is not None and name not in asked:
            raise ConfigurationError(f"{where}.{key}: {name!r} is no field of the dataset, or a constant")
    if left := [n for n in rest if n != value]:
        raise ConfigurationError(
            f"{where}: the chart does not give {', '.join(left)}; name them in constants"
        )
    if series and kind == "sideways":
        raise ConfigurationError(f"{where}.series: a sideways chart is read with one series only")
    return Chart(
        x, value, series, _FORMS[kind], _optional(chart, "title"), str(chart.get("unit") or ""), columns
    )


def _minimum(given: Any, where: str) -> Minimum:
    values = _mapping(given or {}, where)
    _known(values, {"text", "elements", "rows"}, where)
    if bad := [k for k, v in values.items() if not isinstance(v, int) or v < 0]:
        raise ConfigurationError(f"{where}.{bad[0]}: give a whole number from 0")
    return Minimum(**values)


def _mapping(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ConfigurationError(f"{where}: give keys and values, not {type(value).__name__}")
    return value


def _known(value: Mapping[str, Any], keys: set[str], where: str) -> None:
    if unknown := sorted(set(map(str, value)) - keys):
        raise ConfigurationError(f"{where}: unknown key {unknown[0]!r}; known: {', '.join(sorted(keys))}")


def _text(value: Mapping[str, Any], key: str, where: str) -> str:
    if not value.get(key):
        raise ConfigurationError(f"{where}: missing key {key}")
    return str(value[key])


def _optional(value: Mapping[str, Any], key: str) -> str | None:
    return str(value[key]) if value.get(key) else None
