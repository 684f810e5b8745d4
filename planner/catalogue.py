"""What can be asked: sources, their datasets and fields, from `configs/sources/*.yaml`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict
from pydantic import Field as PydanticField

__all__ = ["Catalogue", "Dataset", "Field", "FieldType", "Source"]

FieldType = Literal[
    "text", "number", "percent", "money", "integer", "bool", "date", "month", "quarter", "datetime"
]


class Field(BaseModel):
    """A column. `value_synonyms` gives other words for a listed value ({已签收: [到了, delivered]})."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = PydanticField(min_length=1)
    type: FieldType
    description: str = ""
    synonyms: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    value_synonyms: Mapping[str, tuple[str, ...]] = {}
    tolerance: float | None = PydanticField(
        default=None, ge=0, allow_inf_nan=False
    )  # relative; overrides the reflector's 5 % for this measure


class Dataset(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = PydanticField(min_length=1)
    description: str = ""
    synonyms: tuple[str, ...] = ()
    grain: tuple[str, ...] = ()
    fields: tuple[Field, ...] = PydanticField(min_length=1)
    locate: Mapping[str, Any] = {}

    def field(self, name: str) -> Field | None:
        """The field of that name, None when the dataset lacks it."""
        return next((f for f in self.fields if f.name == name), None)


class Source(BaseModel):
    """One YAML file; `name` is the file's name. `access` None means everyone."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    kind: str = PydanticField(min_length=1)
    description: str = ""
    trust: float = PydanticField(ge=0, le=1, allow_inf_nan=False)
    timeout_s: float = PydanticField(default=30.0, gt=0, allow_inf_nan=False)
    max_retries: int = PydanticField(default=2, ge=0)
    concurrency: int = PydanticField(default=4, ge=1)
    alternatives: tuple[str, ...] = ()
    side_effect: bool = False
    auth: Mapping[str, str] = {}
    access: tuple[str, ...] | None = None
    connection: Mapping[str, Any] = {}
    datasets: tuple[Dataset, ...] = PydanticField(min_length=1)

    def dataset(self, name: str) -> Dataset | None:
        """The dataset of that name, None when the source lacks it."""
        return next((d for d in self.datasets if d.name == name), None)


class Catalogue(BaseModel):
    """All sources, by name."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sources: Mapping[str, Source]

    @classmethod
    def load(cls, directory: str | Path) -> Catalogue:
        """Reads `directory/*.yaml`, one source a file. Raises CatalogueError: file, line, key, what."""
        from planner.catalogue_file import load

        return load(Path(directory))

    def source(self, name: str) -> Source | None:
        return self.sources.get(name)

    def dataset(self, source: str, dataset: str) -> Dataset | None:
        """None when there is no such source, or it lacks the dataset."""
        found = self.sources.get(source)
        return found.dataset(dataset) if found else None

    def holders(self, dataset: str) -> list[Source]:
        """The sources that hold a dataset of that name, most trusted first, then by name."""
        held = [s for s in self.sources.values() if s.dataset(dataset)]
        return sorted(held, key=lambda s: (-s.trust, s.name))

    def for_roles(self, roles: Iterable[str]) -> Catalogue:
        """What someone with these roles may read: sources with no `access`, or one of the roles in it.

        Alternatives that fall away are dropped from those that stay, so that nothing leads to a hidden source.
        """
        held = set(roles)
        kept = {n: s for n, s in self.sources.items() if s.access is None or held & set(s.access)}
        return Catalogue(
            sources={
                n: s.model_copy(update={"alternatives": tuple(a for a in s.alternatives if a in kept)})
                for n, s in kept.items()
            }
        )
