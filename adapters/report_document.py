"""Writes results into a document that a person can pass on: Word or a self-contained HTML page."""

from __future__ import annotations

import base64
import datetime as dt
import html
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adapters.base import Evidence, Locator, Value
from adapters.errors import ConfigurationError
from adapters.operand import column_type
from adapters.report_chart import cjk_font, draw
from adapters.values import MEASURES, show

__all__ = ["MAX_TABLE_ROWS", "Section", "write_report"]

MAX_TABLE_ROWS = 200  # of one table; the document says how many are left out


@dataclass(frozen=True, slots=True)
class Section:
    """`step` is the id of the step that gave the evidence; `labels` are headers to show in place of field names."""

    heading: str
    evidence: Evidence
    step: str
    labels: Mapping[str, str] = field(default_factory=dict)

    def table(self) -> tuple[list[str], list[list[str]], list[bool]]:
        """Headers, cells as shown, and which columns are numbers."""
        e = self.evidence
        kinds = {c: column_type(e, c) for c in e.columns}
        headers = [self.labels.get(c, c) for c in e.columns]
        cells = [[show(r.get(c), kinds[c]) for c in e.columns] for r in e.rows[:MAX_TABLE_ROWS]]
        return headers, cells, [kinds[c] in MEASURES for c in e.columns]

    def remarks(self) -> list[str]:
        """What must stand below the table: rows left out, notes, and where it comes from."""
        e = self.evidence
        left_out = len(e.rows) - MAX_TABLE_ROWS
        out = [f"… {left_out} more rows"] if left_out > 0 else []
        origin = " · ".join(p for p in (self.step, e.source, e.dataset, e.read_at) if p)
        return [*out, *e.notes, origin]


def write_report(fmt: str, title: str, sections: list[Section], path: Path | str) -> Evidence:
    """Writes docx or html to `path`, whole or not at all. Returns one row: path, format, title, sections, bytes.

    Raises ConfigurationError for another format or a path that cannot be written.
    """
    path = Path(path)
    if fmt not in ("docx", "html"):
        raise ConfigurationError(f"a report is docx or html, not {fmt!r}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(suffix=f".{fmt}", prefix=".report-", dir=path.parent)
        os.close(handle)
        draft = Path(name)
        try:
            if fmt == "docx":
                _word(title, sections, draft)
            else:
                draft.write_text(_page(title, sections), encoding="utf-8")
            draft.chmod(0o644)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as e:
        raise ConfigurationError(f"the report cannot be written to {path}: {e.strerror or e}") from e
    row: dict[str, Value] = {
        "path": str(path),
        "format": fmt,
        "title": title,
        "sections": len(sections),
        "bytes": path.stat().st_size,
    }
    steps = tuple(dict.fromkeys(s.step for s in sections))
    place = Locator(
        kind="derived",
        source="report",
        dataset=fmt,
        url=path.absolute().as_uri(),
        operation="report",
        inputs=steps,
    )
    return Evidence(
        kind="table",
        source="report",
        dataset=fmt,
        columns=tuple(row),
        rows=(row,),
        locators=({"": place},),
        types={"path": "text", "format": "text", "title": "text", "sections": "integer", "bytes": "integer"},
        summary=f"{path.name}: {len(sections)} sections",
        read_at=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
    )


def _passages(evidence: Evidence) -> list[tuple[str, str]]:
    """(where, words) of each passage."""
    out = []
    for r in evidence.rows:
        where = " · ".join(
            str(v) for v in (r.get("doc"), r.get("section"), r.get("page") and f"p. {r['page']}") if v
        )
        out.append((where, str(r.get("text") or "")))
    return out


def _plain(text: str) -> str:
    """Without the control characters that XML, and so Word, cannot hold."""
    return "".join(
        c
        for c in text
        if c in "\t\n" or (ord(c) >= 32 and not 0xD800 <= ord(c) <= 0xDFFF and ord(c) not in (0xFFFE, 0xFFFF))
    )


def _word(title: str, sections: list[Section], path: Path) -> None:
    import io

    import docx
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.oxml.ns import qn
    from docx.shared import Cm, Pt

    document = docx.Document()
    for style in ("Normal", "Title", "Heading 1", "Table Grid", "Light Grid Accent 1"):
        properties = document.styles[style].element.get_or_add_rPr()
        properties.get_or_add_rFonts().set(qn("w:eastAsia"), cjk_font() or "Microsoft YaHei")
    document.core_properties.title = _plain(title)[:255]
    document.add_heading(_plain(title), 0)
    for section in sections:
        document.add_heading(_plain(section.heading), 1)
        e = section.evidence
        if e.summary:
            document.add_paragraph(_plain(e.summary))
        if e.kind == "text":
            for where, words in _passages(e):
                document.add_paragraph(_plain(words), style="Intense Quote")
                document.add_paragraph(_plain(where)).runs[0].italic = True
        elif e.rows:
            headers, cells, numeric = section.table()
            table = document.add_table(rows=1, cols=len(headers), style="Light Grid Accent 1")
            for cell, header in zip(table.rows[0].cells, headers, strict=True):
                cell.text = _plain(header)
            for row in cells:
                for cell, text, right in zip(table.add_row().cells, row, numeric, strict=True):
                    cell.text = _plain(text)
                    if right:
                        cell.paragraphs[0].alignment = WD_ALIGN_PARAGRAPH.RIGHT
            image = draw(e, section.heading)
            if image is not None:
                document.add_picture(io.BytesIO(image), width=Cm(15))
        for remark in section.remarks():
            run = document.add_paragraph().add_run(_plain(remark))
            run.font.size = Pt(8)
    document.save(str(path))


_STYLE = """body{font:15px/1.5 system-ui,"Noto Sans CJK SC","Microsoft YaHei",sans-serif;max-width:60em;margin:2em auto;
padding:0 1em;color:#222}table{border-collapse:collapse}th,td{border:1px solid #ccc;padding:.25em .6em;text-align:left}
td.n{text-align:right;font-variant-numeric:tabular-nums}th{background:#f3f3f3}img{max-width:100%}
small{color:#666;display:block}blockquote{border-left:3px solid #ccc;margin:.5em 0;padding-left:1em;white-space:pre-wrap}"""


def _page(title: str, sections: list[Section]) -> str:
    said = html.escape
    parts: list[Any] = [
        f'<!doctype html><html><head><meta charset="utf-8"><title>{said(_plain(title))}</title>',
        f"<style>{_STYLE}</style></head><body><h1>{said(_plain(title))}</h1>",
    ]
    for section in sections:
        e = section.evidence
        parts.append(f'<h2 id="{said(section.step)}">{said(_plain(section.heading))}</h2>')
        if e.summary:
            parts.append(f"<p>{said(_plain(e.summary))}</p>")
        if e.kind == "text":
            parts += [
                f"<blockquote>{said(_plain(t))}</blockquote><small>{said(_plain(w))}</small>"
                for w, t in _passages(e)
            ]
        elif e.rows:
            headers, cells, numeric = section.table()
            head = "".join(f"<th>{said(_plain(h))}</th>" for h in headers)
            parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>")
            for row in cells:
                columns = zip(row, numeric, strict=True)
                parts.append(
                    "<tr>"
                    + "".join(f"<td{' class=n' if n else ''}>{said(_plain(t))}</td>" for t, n in columns)
                    + "</tr>"
                )
            parts.append("</tbody></table>")
            image = draw(e, section.heading)
            if image is not None:
                data = base64.b64encode(image).decode()
                parts.append(
                    f'<p><img alt="{said(_plain(section.heading))}" src="data:image/png;base64,{data}"></p>'
                )
        parts += [f"<small>{said(_plain(r))}</small>" for r in section.remarks()]
    return "".join([*parts, "</body></html>"])
