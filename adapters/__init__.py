"""One module per kind of source. `build` makes an adapter from a source's YAML entry.

A kind is a short name below, or a dotted path ("package.module:Class") that brings in outside code. The module is
imported when the first source of its kind is built.
"""

from __future__ import annotations

import importlib

from adapters.base import Adapter, Resources, SourceSpec
from adapters.errors import ConfigurationError, SourceError

__all__ = ["KINDS", "build"]

KINDS = {
    "bi_dashboard": "adapters.bi_dashboard:BiDashboard",
    "pdf_knowledge_base": "adapters.pdf_knowledge_base:PdfKnowledgeBase",
    "sql": "adapters.sql:Sql",
    "ticket_api": "adapters.ticket_api:TicketApi",
}


def build(spec: SourceSpec, resources: Resources) -> Adapter:
    """The adapter for a source. Raises ConfigurationError that names what is missing or cannot be imported."""
    path = KINDS.get(spec.kind, spec.kind)
    module_name, colon, class_name = path.partition(":")
    if not colon:
        module_name, _, class_name = path.rpartition(".")
    if not module_name or not class_name:
        known = ", ".join(sorted(KINDS))
        raise ConfigurationError(
            f"source {spec.name}: unknown kind {spec.kind!r}; use one of {known}, or package.module:Class",
            source=spec.name,
        )
    try:
        kind = getattr(importlib.import_module(module_name), class_name)
    except Exception as e:  # outside code may fail in any way while it is imported
        raise ConfigurationError(
            f"source {spec.name}: kind {spec.kind!r} cannot be imported: {e or type(e).__name__}",
            source=spec.name,
        ) from e
    try:
        adapter = kind(spec, resources)
    except SourceError:
        raise
    except Exception as e:
        if spec.kind in KINDS:
            raise
        raise ConfigurationError(
            f"source {spec.name}: kind {spec.kind!r} makes no adapter: {type(e).__name__}: {e}",
            source=spec.name,
        ) from e
    if not isinstance(adapter, Adapter):
        raise ConfigurationError(
            f"source {spec.name}: {path} is no adapter; it lacks one of query, validate, normalise, probe, ping, close",
            source=spec.name,
        )
    return adapter
