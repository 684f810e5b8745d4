"""Opens the place that a citation names, by other means than Assay's adapters, and looks whether the value is there."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx
import sqlalchemy as sa
from jsonpath_ng.ext import parse as jsonpath
from lxml import etree

from demo import company, credentials
from tests.assay.installation import Installation


def squeezed(text: object) -> str:
    """Without white space and compatibility forms: what a page's line breaks do to a text must not matter."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", str(text)))


def refunds(installation: Installation) -> list[dict[str, str]]:
    """What has been submitted to the refund desk."""
    token = credentials.get("ASSAY_DEMO_TOKEN")
    reply = httpx.get(f"{installation.url(8933)}/refunds", headers={"Authorization": f"Bearer {token}"})
    return list(reply.raise_for_status().json()["refunds"])


class Sources:
    """The demo company's sources, each opened when first looked into."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self.boards = httpx.Client(base_url=installation.url(8931), follow_redirects=True)
        self.tickets = httpx.Client(
            headers={"Authorization": f"Bearer {credentials.get('ASSAY_DEMO_TOKEN')}"}
        )
        self._playwright: Any = None
        self._browser: Any = None
        self._pages: dict[str, Any] = {}

    def __enter__(self) -> Sources:
        form = {
            "username": credentials.get("ASSAY_DEMO_USER"),
            "password": credentials.get("ASSAY_DEMO_PASSWORD"),
        }
        self.boards.post("/login", data=form)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, tb: TracebackType | None
    ) -> None:
        self.boards.close()
        self.tickets.close()
        if self._browser is not None:
            self._browser.close()
            self._playwright.stop()

    def hold(self, citation: dict[str, Any]) -> bool:
        """Does the place hold the text that the citation says stands there?"""
        locator = citation["locator"]
        assert locator.get("text") not in (None, ""), locator
        return bool(getattr(self, f"_{locator['kind']}")(citation, locator))

    def _cell(self, citation: dict[str, Any], locator: dict[str, Any]) -> bool:
        board = locator["url"].rsplit("/", 1)[1]
        if locator["method"] == "network":
            (found,) = jsonpath(locator["path"]).find(self._chart_data(board, citation["dataset"]))
            return str(found.value) == str(locator["text"])
        if locator["method"] == "ocr":  # nothing but the picture holds it; what was painted is known
            (quarter,) = re.findall(r"\d{4}-Q\d", locator["row"])
            return squeezed(locator["text"]) == f"{company.repurchase_rate('VIP', quarter) * 100:.1f}%"
        keys = [squeezed(k) for k in locator["row"].split("·")]
        lines = [[squeezed(c) for c in line] for line in self._painted(locator["url"])]
        return any(all(k in line for k in keys) and squeezed(locator["text"]) in line for line in lines)

    def _chart_data(self, board: str, dataset: str) -> Any:
        return self.boards.get(f"/api/{board}/{dataset}").raise_for_status().json()

    def _painted(self, url: str) -> list[list[str]]:
        """All rows of all tables on the board, as painted."""
        if url not in self._pages:
            from playwright.sync_api import sync_playwright

            from adapters.browser_finding import find_browser

            if self._browser is None:
                self._playwright = sync_playwright().start()
                self._browser = self._playwright.chromium.launch(
                    executable_path=find_browser(), args=["--no-sandbox"]
                )
            page = self._browser.new_page()
            page.goto(url)
            page.fill("//input[@name='username']", credentials.get("ASSAY_DEMO_USER"))
            page.fill("//input[@name='password']", credentials.get("ASSAY_DEMO_PASSWORD"))
            page.click("//button[@type='submit']")
            page.wait_for_selector("//*[@data-ready='true']")
            script = "rs => rs.map(r => Array.from(r.cells).map(c => c.innerText))"
            self._pages[url] = page.eval_on_selector_all("table tr", script)
            page.close()
        return list(self._pages[url])

    def _ticket(self, citation: dict[str, Any], locator: dict[str, Any]) -> bool:
        if citation["source"] == "tickets":
            base = self.installation.url(8932)
            record = self.tickets.get(f"{base}/rest/api/3/issue/{locator['key']}").raise_for_status().json()
            assert locator["key"] in self.tickets.get(locator["url"]).raise_for_status().text
            (found,) = jsonpath(locator["path"]).find(record)
            return str(found.value) == str(locator["text"])
        base = self.installation.url(8933)
        if citation["source"] == "refunds":
            return any(locator["key"] == r["refund_id"] for r in refunds(self.installation))
        headers = {"X-Api-Key": credentials.get("ASSAY_DEMO_TOKEN")}
        reply = self.tickets.get(f"{base}/bureau/reports.xml", params={"size": 20}, headers=headers)
        root = etree.fromstring(reply.content)
        (record,) = [
            r for r in root.findall("report") if locator["key"] in (r.get("id"), r.findtext("userId"))
        ]
        found = record.xpath(locator["path"])
        value = found[0] if isinstance(found, list) else found
        return str(getattr(value, "text", value)) == str(locator["text"])

    def _row(self, citation: dict[str, Any], locator: dict[str, Any]) -> bool:
        home = self.installation.home
        files = {"warehouse": "sqlite", "core_bank": "duckdb"}
        (path,) = [p for p in (home / "demo").iterdir() if p.stem == citation["source"] and p.is_file()]
        engine = sa.create_engine(f"{files[citation['source']]}:///{path}")
        try:
            with engine.connect() as connection:
                rows = connection.execute(sa.text(locator["sql"])).fetchall()
        finally:
            engine.dispose()
        return any(str(cell) == str(locator["text"]) for row in rows for cell in row)

    def _page(self, citation: dict[str, Any], locator: dict[str, Any]) -> bool:
        path = self.installation.home / "demo" / "docs" / locator["document"]
        words = self._pdf_page(path, locator["page"]) if path.suffix == ".pdf" else self._word(path)
        pieces = [squeezed(p) for p in re.split(r"[\n|]", str(locator["text"])) if squeezed(p).strip("-:…")]
        return all(p in words for p in pieces)

    def _pdf_page(self, path: Path, number: int) -> str:
        import pdfplumber

        with pdfplumber.open(path) as pdf:
            page = pdf.pages[number - 1]
            cells = [c or "" for t in page.extract_tables() for r in t for c in r]
            return squeezed(page.extract_text() or "") + "".join(squeezed(c) for c in cells)

    def _word(self, path: Path) -> str:
        from docx import Document

        document = Document(str(path))
        cells = [c.text for t in document.tables for r in t.rows for c in r.cells]
        return squeezed("".join(p.text for p in document.paragraphs)) + "".join(squeezed(c) for c in cells)
