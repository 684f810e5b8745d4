"""Errors of the knowledge index; each one's text is a single line that says what is wrong, where, what to do.

KnowledgeIndexError   the root
├── NoIndex           nothing was built in this place yet
├── IndexBroken       a version's files do not hold what its manifest promises
├── BuildRunning      another build holds this index's lock
├── BadSettings       a setting, or an access.yaml, that cannot be read as meant
├── NoJava            no Java runtime for tabula
├── NoModel           a model (embedding, OCR) is not there or cannot be laid out
├── BadPicture        bytes that are no picture
├── NoWorkers         no Dask scheduler or worker answers
└── UnreadableFile    a file that cannot be parsed; `path` names it
    └── EncryptedFile needs a password
"""

from __future__ import annotations

from pathlib import Path

__all__ = [
    "BadPicture",
    "BadSettings",
    "BuildRunning",
    "EncryptedFile",
    "IndexBroken",
    "KnowledgeIndexError",
    "NoIndex",
    "NoJava",
    "NoModel",
    "NoWorkers",
    "UnreadableFile",
]


class KnowledgeIndexError(Exception):
    """Root of the tree. `message` is one line."""

    def __init__(self, message: str) -> None:
        self.message = " ".join(message.split())
        super().__init__(self.message)


class NoIndex(KnowledgeIndexError):  # noqa: N818 - named by what happened, as the tree in adapters is
    pass


class IndexBroken(KnowledgeIndexError):  # noqa: N818
    pass


class BuildRunning(KnowledgeIndexError):  # noqa: N818
    pass


class BadSettings(KnowledgeIndexError):  # noqa: N818
    pass


class BadPicture(KnowledgeIndexError):  # noqa: N818
    pass


class NoJava(KnowledgeIndexError):  # noqa: N818
    pass


class NoModel(KnowledgeIndexError):  # noqa: N818
    pass


class NoWorkers(KnowledgeIndexError):  # noqa: N818
    pass


class UnreadableFile(KnowledgeIndexError):  # noqa: N818
    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = " ".join(reason.split())
        super().__init__(f"{path.name}: {self.reason}")


class EncryptedFile(UnreadableFile):
    def __init__(self, path: Path) -> None:
        super().__init__(path, "encrypted with a password; save a copy without one and build again")
