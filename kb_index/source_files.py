"""The files of a build: what lies in the folders given, each with its name in the index, its hash, its roles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kb_index import access
from kb_index.errors import UnreadableFile
from kb_index.prepare import content_hash
from kb_index.settings import IndexSettings

__all__ = ["SUFFIXES", "SourceFile", "find_files"]

SUFFIXES = (".pdf", ".docx")
_OLD = (".doc", ".rtf", ".odt", ".wps")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """`document`: the path from its folder, posix, so that it stays when the folder moves; `sha`: of the content."""

    path: Path
    document: str
    sha: str
    roles: tuple[str, ...]


def find_files(
    paths: Sequence[Path], settings: IndexSettings
) -> tuple[list[SourceFile], list[tuple[str, str]]]:
    """The files to index, by document name, and those that cannot be: (path, reason).

    Raises UnreadableFile for a path that does not exist, BadSettings for an access.yaml that cannot be read:
    neither may quietly take documents out of the index or open them to all.
    """
    found: list[tuple[Path, str, str, tuple[str, ...]]] = []  # file, name, root's name, roles
    failed: list[tuple[str, str]] = []
    seen: set[Path] = set()
    for root in paths:
        if not root.exists():
            raise UnreadableFile(root, f"{root} does not exist; nothing was built")
        folder = root if root.is_dir() else root.parent
        rules = access.declared(folder)
        for file in _walk(root):
            suffix = file.suffix.lower()
            if suffix in _OLD or (suffix not in SUFFIXES and file == root):
                failed.append((str(file), f"{suffix or 'no suffix'} is not read; save it as .docx or .pdf"))
            elif suffix in SUFFIXES and file.resolve() not in seen:
                seen.add(file.resolve())
                name = file.relative_to(folder).as_posix()
                found.append(
                    (file, name, folder.resolve().name, access.roles_of(name, rules, settings.access))
                )
    names = [name for _, name, _, _ in found]
    out = []
    taken: set[str] = set()
    for file, name, root_name, roles in found:
        document = name if names.count(name) == 1 else f"{root_name}/{name}"
        while document in taken:
            document = f"{document} (2)"
        taken.add(document)
        try:
            out.append(SourceFile(file, document, content_hash(file), roles))
        except OSError as e:
            failed.append((str(file), f"cannot be read: {e.strerror or e}"))
    return sorted(out, key=lambda f: f.document), failed


def _walk(root: Path) -> Iterable[Path]:
    """Files in order; hidden ones and Word's lock files (~$…) are nobody's documents."""
    if root.is_file():
        yield root
        return
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if path.is_file() and not any(p.startswith((".", "~$")) for p in parts):
            yield path
