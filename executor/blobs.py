"""Large evidence lies beside the store as gzip-compressed JSON; the row keeps where, and a digest."""

from __future__ import annotations

import gzip
import hashlib
import os
import threading
from pathlib import Path
from typing import Any

from executor.codec import dumps, loads
from executor.errors import StoreError

__all__ = ["LIMIT", "Blobs"]

LIMIT = 1_000_000  # bytes of JSON above which evidence leaves the row


class Blobs:
    """`folder` is made when the first blob is written; with None everything stays in its row. Names are content
    digests, so a rewrite changes nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def pack(self, result: dict[str, Any]) -> dict[str, Any]:
        """The same result record; evidence above the limit is written out and replaced by a reference."""
        evidence = result.get("evidence")
        if evidence is None or self._folder is None:
            return result
        text = dumps(evidence).encode("ascii")
        if len(text) <= LIMIT:
            return result
        digest = hashlib.sha256(text).hexdigest()
        name = f"{digest[:2]}/{digest}.json.gz"
        path = self._folder / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
            # mtime=0: equal content gives equal bytes
            part.write_bytes(gzip.compress(text, compresslevel=6, mtime=0))
            part.replace(path)
        return {**result, "evidence": {"$blob": name, "sha256": digest}}

    def unpack(self, result: dict[str, Any]) -> dict[str, Any]:
        """The record with its evidence read back. Raises StoreError when the blob is gone or not what was written."""
        evidence = result.get("evidence")
        if not isinstance(evidence, dict) or "$blob" not in evidence:
            return result
        path = (self._folder or Path()) / evidence["$blob"]
        try:
            text = gzip.decompress(path.read_bytes())
        except (OSError, EOFError) as e:
            raise StoreError(f"run store: evidence file {path} cannot be read: {e}") from e
        if hashlib.sha256(text).hexdigest() != evidence["sha256"]:
            raise StoreError(f"run store: evidence file {path} is not what was written")
        return {**result, "evidence": loads(text.decode("ascii"))}
