"""`configs/sources/*.yaml` → Catalogue. Every fault is told with file, line and key; the first one stops the start."""

from __future__ import annotations

import difflib
import json
import re
from pathlib import Path
from typing import Any, NoReturn

from pydantic import BaseModel, ValidationError

from planner.catalogue import Catalogue, Dataset, Field, Source
from planner.errors import CatalogueError
from planner.plan import BUILT_IN
from planner.yaml_marks import Marked, Place, key_of, read_yaml

__all__ = ["load", "load_source"]

_NAME = re.compile(r"\w[\w-]*")
_SECRETS = {"password", "bearer", "token", "value", "secret", "api_key"}


def load(directory: Path) -> Catalogue:
    """Raises CatalogueError."""
    if not directory.is_dir():
        raise CatalogueError("no such folder; it should hold one YAML file for each source", str(directory))
    for stray in sorted(directory.glob("*.yml")):
        raise CatalogueError(f"would not be read; rename it to {stray.stem}.yaml", str(stray))
    files = sorted(directory.glob("*.yaml"))
    if not files:
        raise CatalogueError("holds no *.yaml; a source is one YAML file in it", str(directory))
    read = {path: _read(path) for path in files}
    names = {path.stem for path in files}
    for path, (source, marked) in read.items():
        _check_alternatives(path, source, marked, names)
    return Catalogue(sources={source.name: source for source, _ in read.values()})


def load_source(path: Path) -> Source:
    """One file by itself: all that `load` checks but alternatives. Raises CatalogueError."""
    return _read(path)[0]


def _read(path: Path) -> tuple[Source, Marked]:
    file = str(path)
    if _NAME.fullmatch(path.stem) is None or path.stem in BUILT_IN:
        raise CatalogueError(f"{path.stem!r} cannot be a source's name; rename the file", file)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as e:
        raise CatalogueError(f"not UTF-8 (byte {e.start})", file) from None
    except OSError as e:
        raise CatalogueError(f"cannot be read: {e.strerror}", file) from None
    marked = read_yaml(text, file)
    if marked.data is None:
        raise CatalogueError("the file is empty", file, 1)
    if not isinstance(marked.data, dict):
        raise CatalogueError("a mapping is needed: kind, description, trust, datasets", file, 1)
    if "name" in marked.data:
        _fault(path, marked, ("name",), "unknown key; the file's name is the source's name")
    _words_as_written(marked)
    try:
        # As JSON, so that strict types hold ("0.9" is no number) while lists become tuples.
        source = Source.model_validate_json(json.dumps({**marked.data, "name": path.stem}), strict=True)
    except ValidationError as e:
        _from_pydantic(path, marked, e)
    _check(path, source, marked)
    return source, marked


def _words_as_written(marked: Marked) -> None:
    """Values and synonyms are words: an unquoted NO, 2024 or 1.10 among them means what is written."""
    for i, dataset in enumerate(_list(marked.data.get("datasets"))):
        place: Place = ("datasets", i)
        _as_written(dataset, "synonyms", place, marked)
        for j, field in enumerate(_list(dataset.get("fields")) if isinstance(dataset, dict) else []):
            inner = (*place, "fields", j)
            _as_written(field, "values", inner, marked)
            _as_written(field, "synonyms", inner, marked)
            synonyms = field.get("value_synonyms") if isinstance(field, dict) else None
            for value in synonyms if isinstance(synonyms, dict) else ():
                _as_written(synonyms, value, (*inner, "value_synonyms"), marked)


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _as_written(owner: object, key: str, place: Place, marked: Marked) -> None:
    if isinstance(owner, dict) and isinstance(owner.get(key), list):
        words = owner[key]
        owner[key] = [
            marked.written[(*place, key, i)] if isinstance(w, bool | int | float) else w
            for i, w in enumerate(words)
        ]


def _fault(path: Path, marked: Marked, place: Place, message: str) -> NoReturn:
    raise CatalogueError(message, str(path), marked.line(place), key_of(place))


def _from_pydantic(path: Path, marked: Marked, error: ValidationError) -> NoReturn:
    """The first fault in the order of the file, and of a list and its items the item's."""
    faults = error.errors(include_url=False)
    places = [f["loc"] for f in faults]
    inner = [
        f
        for f in faults
        if not any(len(p) > len(f["loc"]) and p[: len(f["loc"])] == f["loc"] for p in places)
    ]
    first = min(inner, key=lambda f: marked.line(f["loc"]))
    place: Place = first["loc"]
    match first["type"]:
        case "extra_forbidden":
            known = list(_model_at(place[:-1]).model_fields) if _model_at(place[:-1]) else []
            near = difflib.get_close_matches(str(place[-1]), known, n=1)
            hint = (
                f"did you mean {near[0]}?"
                if near
                else f"known are {', '.join(k for k in known if k != 'name' or len(place) > 1)}"
            )
            _fault(path, marked, place, f"unknown key; {hint}")
        case "missing":
            _fault(path, marked, place, "missing key")
        case "too_short":
            _fault(path, marked, place, "must not be empty")
        case "json_invalid":
            _fault(path, marked, (), "holds text that is not Unicode")
    message = first["msg"][0].lower() + first["msg"][1:]
    written = marked.written.get(place)
    _fault(path, marked, place, message + (f", not {written[:60]!r}" if written is not None else ""))


def _model_at(place: Place) -> type[BaseModel]:
    depth = len([p for p in place if isinstance(p, int)])
    return (Source, Dataset, Field)[min(depth, 2)]


def _check(path: Path, source: Source, marked: Marked) -> None:
    seen: set[str] = set()
    for i, dataset in enumerate(source.datasets):
        place: Place = ("datasets", i)
        if dataset.name in seen:
            _fault(path, marked, (*place, "name"), f"a second dataset {dataset.name}")
        seen.add(dataset.name)
        _check_dataset(path, dataset, marked, place)
    for key, value in source.auth.items():
        if key in _SECRETS and not value.startswith("env:"):
            _fault(path, marked, ("auth", key), "a secret is given by reference: env:NAME")


def _check_dataset(path: Path, dataset: Dataset, marked: Marked, place: Place) -> None:
    seen: set[str] = set()
    for i, field in enumerate(dataset.fields):
        here = (*place, "fields", i)
        if field.name in seen:
            _fault(path, marked, (*here, "name"), f"a second field {field.name}")
        seen.add(field.name)
        for value in field.value_synonyms:
            if field.values and value not in field.values:
                _fault(path, marked, (*here, "value_synonyms", value), f"{value} is not among the values")
    for i, name in enumerate(dataset.grain):
        if name not in seen:
            _fault(path, marked, (*place, "grain", i), f"the dataset has no field {name}")


def _check_alternatives(path: Path, source: Source, marked: Marked, names: set[str]) -> None:
    for i, name in enumerate(source.alternatives):
        place = ("alternatives", i)
        if name == source.name:
            _fault(path, marked, place, "a source cannot be its own alternative")
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            _fault(path, marked, place, f"there is no source {name}{hint}")
        if name in source.alternatives[:i]:
            _fault(path, marked, place, f"{name} is listed twice")
