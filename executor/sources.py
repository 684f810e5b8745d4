"""Sources while a run goes on: adapters built when first needed, one a source, and closed whatever happens."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import adapters
from adapters.base import Adapter, DatasetSpec, FieldSpec, Resources, SourceSpec
from adapters.errors import AuthRequired, Refused
from executor.breaker import Breaker
from executor.scrub import Scrubber
from executor.settings import ExecutorSettings
from planner.catalogue import Catalogue, Dataset, Source

__all__ = ["OpenSource", "Sources", "spec_of"]

REFERENCE = "env:"


def spec_of(source: Source) -> SourceSpec:
    """The catalogue's entry as an adapter sees it, its `env:NAME` references resolved.

    Raises AuthRequired naming a variable that is not set.
    """
    spec, _ = _resolve(source)
    return spec


def _resolve(source: Source) -> tuple[SourceSpec, list[str]]:
    """The spec, and every value that came from the environment into `connection`."""
    secrets: list[str] = []
    auth = {k: _from_env(v, f"{source.name}: auth.{k}") for k, v in source.auth.items()}
    connection = _connection(source.connection, f"{source.name}: connection", secrets)
    spec = SourceSpec(
        name=source.name,
        kind=source.kind,
        datasets={d.name: _dataset(d) for d in source.datasets},
        description=source.description,
        connection=connection,
        auth=auth,
        timeout_s=source.timeout_s,
        side_effect=source.side_effect,
    )
    return spec, secrets


def _dataset(dataset: Dataset) -> DatasetSpec:
    fields = tuple(FieldSpec(f.name, f.type, f.synonyms, f.values) for f in dataset.fields)
    return DatasetSpec(dataset.name, fields, dataset.grain, dataset.description, dataset.locate)


def _from_env(value: str, where: str) -> str:
    if not value.startswith(REFERENCE):
        return value
    name = value[len(REFERENCE) :].strip()
    found = os.environ.get(name)
    if not found:
        raise AuthRequired(f"{where} needs the environment variable {name}, which is not set", source=where)
    return found


def _connection(value: Any, where: str, secrets: list[str]) -> Any:
    if isinstance(value, Mapping):
        return {k: _connection(v, f"{where}.{k}", secrets) for k, v in value.items()}
    if isinstance(value, str) and value.startswith(REFERENCE):
        found = _from_env(value, where)
        secrets.append(found)
        return found
    return value


class OpenSource:
    """One source of a run: its adapter, its slots, its breaker."""

    def __init__(self, source: Source, resources: Resources, breaker: Breaker) -> None:
        self.source = source
        self.breaker = breaker
        self._resources = resources
        self._slots = threading.BoundedSemaphore(source.concurrency)
        self._lock = threading.Lock()
        self._adapter: Adapter | None = None
        self._closed = False
        self.scrubber = Scrubber()

    @property
    def name(self) -> str:
        return self.source.name

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Waits for one of the source's `concurrency` slots."""
        with self._slots:
            yield

    def adapter(self) -> Adapter:
        """The source's adapter, built on the first call. Raises a SourceError when it cannot be."""
        with self._lock:
            if self._closed:
                raise Refused(f"source {self.name}: the run is over", source=self.name)
            if self._adapter is None:
                spec, secrets = _resolve(self.source)
                self.scrubber = Scrubber.of_auth(spec.auth, secrets)
                self._adapter = adapters.build(spec, self._resources)
            return self._adapter

    def close(self) -> None:
        """Closes the adapter if there is one; none is built afterwards."""
        self._closed = (
            True  # before the lock: a build that hangs holds it, and must not be followed by another
        )
        with self._lock:
            built, self._adapter = self._adapter, None
        if built is not None:
            built.close()


class Sources:
    """All sources of one run. `breakers` outlive it: a source that is down stays known to be."""

    def __init__(
        self,
        catalogue: Catalogue,
        resources: Resources,
        settings: ExecutorSettings,
        breakers: dict[str, Breaker],
    ) -> None:
        self._catalogue = catalogue
        self._resources = resources
        self._settings = settings
        self._breakers = breakers
        self._open: dict[str, OpenSource] = {}
        self._lock = threading.Lock()

    def open(self, name: str, roles: tuple[str, ...]) -> OpenSource:
        """The source of that name. Raises Refused when there is none or none of the roles may read it."""
        source = self._catalogue.sources.get(name)
        if source is None:
            raise Refused(f"there is no source {name!r} in the catalogue", source=name)
        if source.access is not None and not set(source.access) & set(roles):
            asked = ", ".join(roles) or "none"
            raise Refused(
                f"source {name} may be read by {', '.join(source.access)} only; roles given: {asked}",
                source=name,
            )
        with self._lock:
            if name not in self._open:
                s = self._settings
                breaker = self._breakers.setdefault(name, Breaker(s.breaker_failures, s.breaker_cooldown_s))
                self._open[name] = OpenSource(source, self._resources, breaker)
            return self._open[name]

    def close(self) -> list[str]:
        """Closes every adapter, at most `grace_s` seconds long; gives a line for each that failed or hung."""
        with self._lock:
            opened, self._open = list(self._open.values()), {}
        failures: list[str] = []
        threads = [
            threading.Thread(target=_close, args=(o, failures), name=f"close {o.name}", daemon=True)
            for o in opened
        ]
        for t in threads:
            t.start()
        for t, o in zip(threads, opened, strict=True):
            t.join(self._settings.grace_s)
            if t.is_alive():
                failures.append(
                    f"source {o.name} did not close within {self._settings.grace_s:g} s; left behind"
                )
        return failures


def _close(opened: OpenSource, failures: list[str]) -> None:
    try:
        opened.close()
    except Exception as e:
        failures.append(f"source {opened.name} could not be closed: {type(e).__name__}: {e}")
