"""One file into chunks, whichever format it has."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kb_index.blocks import Document, PageStatus
from kb_index.chunks import chunks_of
from kb_index.dates import date_of
from kb_index.errors import UnreadableFile
from kb_index.parsed import ParsedFile

__all__ = ["failed_pages", "parse"]


def parse(path: Path, limit: int, ocr_home: Path | None = None, seconds: float = 0.0) -> ParsedFile:
    """Raises UnreadableFile (EncryptedFile): the file as a whole gives nothing. Pages that fail are in `pages`.

    `limit`: a chunk's aimed-at width; `ocr_home`: the folder with OCR's models, None for no OCR; `seconds`:
    after which a PDF is given up, 0 for never."""
    try:
        document = _read(path, ocr_home, seconds)
    except (UnreadableFile, MemoryError):
        raise
    except (
        Exception
    ) as e:  # a malformed file makes the parsers raise anything; it must not end the whole build
        raise UnreadableFile(path, f"cannot be parsed ({type(e).__name__}: {e})") from e
    parsed = ParsedFile(
        document.title, tuple(chunks_of(document, limit)), tuple(document.pages), date_of(path)
    )
    if not parsed.chunks:
        raise UnreadableFile(path, failed_pages(parsed.pages) or "holds no text")
    return parsed


def _read(path: Path, ocr_home: Path | None, seconds: float) -> Document:
    if path.suffix.lower() == ".docx":
        from kb_index.word import read_word

        return read_word(path)
    from kb_index.pdf import read_pdf

    return read_pdf(path, ocr_home, seconds)


def failed_pages(pages: Sequence[PageStatus]) -> str:
    """'pages 2, 4-6: needs OCR …'; empty when none failed."""
    reasons: dict[str, list[int]] = {}
    for page in pages:
        if page.failed:
            reasons.setdefault(_general(page), []).append(page.number)
    return "; ".join(
        f"page{'s' if len(n) > 1 else ''} {_spans(n)} of {len(pages)}: {why}" for why, n in reasons.items()
    )


def _general(page: PageStatus) -> str:
    kind = (
        "an image without a text layer"
        if page.status == "scanned"
        else "its font does not say which characters it shows"
    )
    hindrance = page.detail.partition("needs OCR: ")[2]
    return f"needs OCR ({kind})" + (f": {hindrance}" if hindrance else "")


def _spans(numbers: list[int]) -> str:
    out: list[str] = []
    start = last = numbers[0]
    for n in [*numbers[1:], -1]:
        if n == last + 1:
            last = n
            continue
        out.append(str(start) if start == last else f"{start}-{last}")
        start = last = n
    return ", ".join(out)
