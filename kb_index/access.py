"""Who may read which file: `access.yaml` in a folder, and the `access` setting.

    # access.yaml - path glob, relative to this folder: roles
    "hr/**": [hr]
    "*.pdf": everyone

The first glob that matches a file decides. Where a declaration covers a folder, a file that none of its globs
matches is closed to everyone; a folder without a declaration is open.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from kb_index.errors import BadSettings
from kb_index.settings import read_roles
from kb_index.store import EVERYONE

__all__ = ["FILE", "declared", "roles_of"]

FILE = "access.yaml"
Rules = Mapping[str, tuple[str, ...]]


def declared(folder: Path) -> Rules | None:
    """The folder's own access.yaml; None when it has none. Raises BadSettings naming file and line."""
    import yaml

    path = folder / FILE
    if not path.is_file():
        return None
    try:
        value = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as e:
        mark = getattr(e, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        raise BadSettings(f"{path}{line}: not readable as YAML: {getattr(e, 'problem', e)}") from None
    return read_roles(value or {}, str(path))


def roles_of(relative: str, rules: Rules | None, settings: Rules) -> tuple[str, ...]:
    """The roles that may read the file at `relative` (posix, from its folder); EVERYONE where nothing is declared."""
    if rules is None and not settings:
        return (EVERYONE,)
    for declaration in (rules or {}, settings):
        for glob, roles in declaration.items():
            if _pattern(glob).fullmatch(relative):
                return tuple(EVERYONE if r in ("everyone", EVERYONE) else r for r in roles)
    return ()


@lru_cache(maxsize=1000)
def _pattern(glob: str) -> re.Pattern[str]:
    """`**` spans folders, `*` and `?` do not; a glob without a slash matches the file's name in any folder."""
    out, i = "", 0
    while i < len(glob):
        if glob.startswith("**/", i):
            out, i = out + "(?:.*/)?", i + 3
        elif glob.startswith("**", i):
            out, i = out + ".*", i + 2
        elif glob[i] in "*?":
            out, i = out + ("[^/]*" if glob[i] == "*" else "[^/]"), i + 1
        else:
            out, i = out + re.escape(glob[i]), i + 1
    return re.compile(out if "/" in glob else f"(?:.*/)?{out}")
