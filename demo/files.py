"""Makes the demo company's files under `<home>/demo`: two databases, and in `docs/` its documents."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from demo import databases
from demo.documents import buying_guide, lending_rules, release_notes, return_policy
from demo.fingerprint import fingerprint

__all__ = ["FILES", "make"]

FILES: dict[str, Callable[[Path], None]] = {
    "warehouse.sqlite": databases.write_warehouse,
    "core_bank.duckdb": databases.write_core_bank,
    "docs/CRM模块发布说明.pdf": release_notes.write,
    "docs/扫地机选购指南.pdf": buying_guide.write,
    "docs/退货政策.docx": return_policy.write_chinese,
    "docs/Return policy.pdf": return_policy.write_english,
    "docs/信贷审批制度.pdf": lending_rules.write,
}


def make(home: Path) -> list[Path]:
    """Writes the files that are missing, or all of them after a change of the demo; returns those written.

    Each file appears whole or not at all. A document whose bytes would be the same is left untouched.
    """
    folder = home / "demo"
    (folder / "docs").mkdir(parents=True, exist_ok=True)
    stamp = folder / "made-from"
    current = stamp.exists() and stamp.read_text("ascii", "replace").strip() == fingerprint()
    written = []
    for name, write in FILES.items():
        path = folder / name
        if current and path.exists():
            continue
        with tempfile.TemporaryDirectory(dir=folder, prefix=".making-") as making:
            new = Path(making) / path.name
            write(new)
            if path.exists() and path.read_bytes() == new.read_bytes():
                continue
            os.replace(new, path)
        written.append(path)
    if not current:
        stamp.write_text(f"{fingerprint()}\n", encoding="ascii")
    return written
