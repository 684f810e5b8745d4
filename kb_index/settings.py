"""The index's settings: the `index:` part of the configuration, checked."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from kb_index.errors import BadSettings

__all__ = ["IndexSettings", "of_installation", "read_settings"]


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """`model`: a SentenceTransformer's path or name; empty means multilingual-e5-small under `<home>/models`.
    `home`: empty means two folders above the index (`<home>/index/<collection>`).
    `store`: edge (embedded) · local (qdrant-client in a folder) · server (then `server` is its URL).
    `threads`: of torch; 0 means half the cores, two at most (spinning threads cost more than they bring). `chunk`: a chunk's aimed-at width, where a CJK character counts 2.5 and others 1.
    `ocr`: read pages without a text layer from their picture.
    `file_seconds`: what the parsing of one file may take; a file that takes longer is given up by name.
    `access`: path glob -> roles, for all folders, beside each folder's own access.yaml.
    `glossary`: a file of names and the words that passages use for them, beside the one that comes with Assay (see `asking`).
    `reranker`: a cross-encoder's path or name, which reads the first passages again (see `rerank`); empty for none.
    `floor`: relevance below which nothing is returned, 0 to switch it off (see `fusion`).
    `keep`: old versions kept beside the current one.
    """

    model: str = ""
    home: str = ""
    store: Literal["edge", "local", "server"] = "edge"
    server: str = ""
    threads: int = 0
    chunk: int = 1000
    ocr: bool = True
    file_seconds: float = 600.0
    access: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    glossary: str = ""
    reranker: str = ""
    floor: float = 1.0
    keep: int = 1

    @property
    def model_key(self) -> str:
        """Tells models apart in caches and manifests."""
        return hashlib.sha256((self.model or "multilingual-e5-small").encode()).hexdigest()[:12]

    @property
    def torch_threads(self) -> int:
        return self.threads or max(1, min(2, (os.cpu_count() or 2) // 2))

    def home_of(self, index_dir: Path) -> Path:
        return Path(self.home) if self.home else index_dir.parent.parent


def of_installation(home: Path, knowledge: Mapping[str, Any]) -> dict[str, Any]:
    """An installation's `knowledge` settings in this package's words: a store that is no kind is a server's URL; where the
    documents lie and what the index is called are not ours."""
    given = {k: v for k, v in knowledge.items() if k not in ("paths", "collection", "store")}
    store = str(knowledge.get("store") or "edge")
    where = {"store": store} if store in ("edge", "local") else {"store": "server", "server": store}
    return {"home": str(home), **given, **where}


def read_settings(settings: IndexSettings | Mapping[str, Any] | None) -> IndexSettings:
    """Raises BadSettings, naming the key."""
    if isinstance(settings, IndexSettings):
        return settings
    given = dict(settings or {})
    known = {f.name for f in fields(IndexSettings)}
    for key in given:
        if key not in known:
            raise BadSettings(f"index: unknown key {key!r}; known: {', '.join(sorted(known))}")
    for key in ("model", "home", "server", "glossary", "reranker"):
        if key in given:
            given[key] = str(given[key] or "")
    for key, low in (("threads", 0), ("chunk", 200), ("keep", 0)):
        value = given.get(key, low)
        if not isinstance(value, int) or isinstance(value, bool) or value < low:
            raise BadSettings(f"index: {key} must be a whole number of at least {low}, not {value!r}")
    if not isinstance(given.get("ocr", True), bool):
        raise BadSettings(f"index: ocr must be true or false, not {given['ocr']!r}")
    limit = given.get("file_seconds", 600.0)
    if isinstance(limit, bool) or not isinstance(limit, int | float) or limit <= 0:
        raise BadSettings(f"index: file_seconds must be a number above 0, not {limit!r}")
    floor = given.get("floor", 1.0)
    if isinstance(floor, bool) or not isinstance(floor, int | float) or floor < 0:
        raise BadSettings(f"index: floor must be a number of at least 0, not {floor!r}")
    if given.get("store", "edge") not in ("edge", "local", "server"):
        raise BadSettings(f"index: store must be edge, local or server, not {given['store']!r}")
    if given.get("store") == "server" and not given.get("server", "").startswith(("http://", "https://")):
        raise BadSettings("index: store is server, so server must be its URL (http://…)")
    if "access" in given:
        given["access"] = read_roles(given["access"], "index: access")
    return IndexSettings(**given)


def read_roles(value: Any, where: str) -> dict[str, tuple[str, ...]]:
    """A mapping path glob -> role or list of roles. Raises BadSettings naming the glob."""
    if not isinstance(value, Mapping):
        raise BadSettings(f"{where}: must map path globs to lists of roles")
    out: dict[str, tuple[str, ...]] = {}
    for glob, roles in value.items():
        listed = [roles] if isinstance(roles, str) else roles
        if not isinstance(glob, str) or not isinstance(listed, list | tuple):
            raise BadSettings(f"{where}: {glob!r} must be a path glob with a list of roles")
        if not all(isinstance(r, str) and r for r in listed):
            raise BadSettings(f"{where}: {glob!r}: roles must be words")
        out[glob] = tuple(listed)
    return out
