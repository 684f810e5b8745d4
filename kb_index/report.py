"""What a build did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from kb_index.versions import Manifest

__all__ = ["BuildReport", "report_of"]


@dataclass(frozen=True, slots=True)
class BuildReport:
    """`files`, `pages`, `chunks`: of the version that is current now. `skipped`: files of it that were neither
    parsed nor embedded; `moved`: those of them whose content had another name before; `removed`: documents that are
    gone. `ocr_pages`: of `pages`, those read from their picture. `failed`: (path, reason) of files, or pages of files, that are not in it. `changed`: a new version was made.
    """

    version: str
    files: int
    pages: int
    chunks: int
    skipped: int
    failed: list[tuple[str, str]] = field(default_factory=list)
    seconds: float = 0.0
    changed: bool = True
    moved: int = 0
    removed: int = 0
    ocr_pages: int = 0

    @property
    def read(self) -> int:
        return self.files - self.skipped

    def as_dict(self) -> dict[str, Any]:
        return {
            **asdict(self),
            "read": self.read,
            "failed": [{"path": p, "reason": r} for p, r in self.failed],
        }

    def __str__(self) -> str:
        """One line for a person."""
        done = f"{self.skipped} unchanged, {self.read} read"
        done += f", {self.moved} moved" if self.moved else ""
        done += f", {self.removed} removed" if self.removed else ""
        done += f", {len(self.failed)} with failures" if self.failed else ""
        pages = f"{self.pages} pages" + (f" ({self.ocr_pages} by OCR)" if self.ocr_pages else "")
        whole = f"{pages}, {self.chunks} chunks in {self.seconds:.1f} s"
        return (
            f"version {self.version}{'' if self.changed else ' stays'}: {self.files} files ({done}), {whole}"
        )


def report_of(
    manifest: Manifest,
    before: Manifest | None,
    reused: Mapping[str, bool],
    unread: Sequence[tuple[str, str]],
) -> BuildReport:
    """`reused`: of each content hash, whether nothing had to be done for it. `unread`: files of no known kind."""
    good = [f for f in manifest.files if not f.failure]
    failed = [(f.path, f.failure or f.failed_pages) for f in manifest.files if f.failure or f.failed_pages]
    old = {f.document: f for f in before.files} if before else {}
    gone = old.keys() - {f.document for f in manifest.files}
    left = {old[name].sha: name for name in gone}  # a content whose old name is gone has moved
    moved = [f for f in good if f.document not in old and f.sha in left]
    return BuildReport(
        manifest.version,
        len(good),
        sum(f.pages for f in good),
        manifest.chunks,
        sum(reused.get(f.sha, True) for f in good),
        [*unread, *failed],
        changed=before is not manifest,
        moved=len(moved),
        removed=len(gone - {left[f.sha] for f in moved}),
        ocr_pages=sum(f.ocr_pages for f in good),
    )
