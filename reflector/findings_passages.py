"""What documents say: the sentences and table rows nearest to what was asked, quoted, with page and section."""

from __future__ import annotations

from dataclasses import replace

from adapters.base import Evidence, Locator
from executor.state import Goal
from reflector.bound import Bound, amount_in, find_bound
from reflector.decision import Finding
from reflector.passage import Table, sentences, table_of
from reflector.quantities import names
from reflector.words import Relevance
from reflector.writing import Writing

__all__ = ["MAX_PASSAGES", "passage_findings"]

MAX_PASSAGES = 3
_QUOTE = 240  # characters of a quotation from running text; a whole sentence is never cut
_ROWS = 6
_TITLE = 60  # characters


def passage_findings(writing: Writing, goal: Goal, evidence: Evidence) -> list[Finding]:
    """The best passages, best first."""
    query = str(goal.sub_goal.params.get("query") or writing.state.plan.question)
    bound = find_bound(query) or find_bound(writing.state.plan.question)
    texts = [str(r.get("text") or "") for r in evidence.rows]
    relevance = Relevance(query, texts)
    limit = MAX_PASSAGES + (writing.state.plan.route == "workflow")
    out = []
    for n in _best(evidence, relevance, texts, bound):
        table = table_of(texts[n])
        found = (
            _from_table(writing, goal, evidence, n, table, relevance, bound)
            if table is not None
            else _from_text(writing, goal, evidence, n, texts[n], relevance)
        )
        if found is not None:
            out.append(found)
        if len(out) == limit:
            break
    return out


def _best(evidence: Evidence, relevance: Relevance, texts: list[str], bound: Bound | None) -> list[int]:
    """Rows, best first: half by the words that they share with the query, half by the index's own score.

    A chunk of next to no text, such as a title page, comes last; where the question bounds a price, a table of prices
    comes forward. What scores less than half of the best is left out; where the query names a thing (V2.3.1) and some
    chunks do, so are those that do not.
    """
    shared = [
        relevance.score(t, f"{r.get('section') or ''} {r.get('doc') or ''}")
        for t, r in zip(texts, evidence.rows, strict=True)
    ]
    scored = [float(s) if isinstance(s := r.get("score"), int | float) else 0.0 for r in evidence.rows]
    totals = []
    for n, text in enumerate(texts):
        total = shared[n] / (max(shared) or 1) + scored[n] / (max(scored) or 1)
        table = table_of(text)
        if bound is not None and table is not None and table.price_column() is not None:
            total += 0.5
        totals.append(total / 4 if table is None and _is_title(text) else total)
    order = sorted(range(len(texts)), key=lambda n: (-round(totals[n], 6), n))
    kept = [n for n in order if texts[n].strip() and totals[n] >= totals[order[0]] / 2]
    told = {
        n for n in kept if _names_all(relevance.query, f"{evidence.rows[n].get('section') or ''} {texts[n]}")
    }
    return [n for n in kept if n in told] if told else kept


def _names_all(query: str, text: str) -> bool:
    return all(name.casefold() in text.casefold() for name in names(query))


def _is_title(text: str) -> bool:
    """Short and without a sentence."""
    plain = text.strip()
    return len(plain) < _TITLE and not any(c in plain for c in "。！？；!?") and not plain.endswith(".")


def _from_text(
    writing: Writing, goal: Goal, evidence: Evidence, n: int, text: str, relevance: Relevance
) -> Finding | None:
    parts = sentences(text)
    if not parts:
        return None
    title = str(evidence.rows[n].get("section") or "").split(">")[-1].strip()
    parts = [p for p in parts if p != title] or parts
    start = max(range(len(parts)), key=lambda i: (relevance.score(parts[i]), -i))
    if sum(map(len, parts[: start + 1])) <= _QUOTE:
        start = 0
    end = start + 1
    while end < len(parts) and sum(map(len, parts[start : end + 1])) <= _QUOTE:
        end += 1
    quote = _verbatim(text, parts[start], parts[end - 1])
    shown = " ".join(quote.split("\n"))
    return _finding(writing, goal, evidence, n, "quote", shown, [quote])


def _verbatim(text: str, first: str, last: str) -> str:
    start = text.index(first)
    return text[start : text.index(last, start) + len(last)]


def _from_table(
    writing: Writing,
    goal: Goal,
    evidence: Evidence,
    n: int,
    table: Table,
    relevance: Relevance,
    bound: Bound | None,
) -> Finding | None:
    rows = list(range(len(table.rows)))
    said = ""
    column = table.price_column() if bound is not None else None
    if bound is not None and column is not None:
        within = [i for i in rows if not _beyond(table.rows[i], column, bound)]
        if not within:
            said = writing.say("nothing_within", bound=bound.text)
        elif len(within) < len(rows):
            said = writing.say("dropped", bound=bound.text)
        rows = within
    if rows and len(rows) > _ROWS:
        best = sorted(rows, key=lambda i: (-relevance.score(table.lines[i]), i))[:_ROWS]
        rows = sorted(best)
    lines = "".join(f"\n  · {table.told(table.rows[i])}" for i in rows)
    if said:
        lines += f"\n  ({said})" if writing.language == "en" else f"\n  （{said}）"
    quotes = [table.lines[i] for i in rows] or [table.lines[0]]
    if any(c.isdigit() for c in table.head):  # a heading such as 2024 is a figure that the text shows
        quotes.insert(0, table.head)
    return _finding(writing, goal, evidence, n, "quote_plain", lines, quotes)


def _beyond(row: tuple[str, ...], column: int, bound: Bound) -> bool:
    price = amount_in(row[column]) if column < len(row) else None
    return price is not None and price > bound.limit


def _finding(
    writing: Writing, goal: Goal, evidence: Evidence, n: int, phrase: str, text: str, quotes: list[str]
) -> Finding:
    row = evidence.rows[n]
    place = (
        evidence.locate(n, "text") or evidence.locate(n) or Locator("page", evidence.source, evidence.dataset)
    )
    cited = writing.citations.cite([replace(place, text=q) for q in quotes], goal.id)
    parts = []
    if row.get("page") is not None:
        parts.append(writing.say("page", page=row["page"]))
    if row.get("section"):
        parts.append(str(row["section"]))
    where = writing.say("comma").join(parts)
    if where:
        where = f"（{where}）" if writing.language == "zh" else f" ({where})"
    doc = str(row.get("doc") or evidence.source)
    return Finding(writing.say(phrase, doc=doc, place=where, text=text), None, "", cited)
