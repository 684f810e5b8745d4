"""Which lines are headings, and how deep: bookmarks first, then numbering, then style."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from kb_index.language import width
from kb_index.lines import Line, join_text

__all__ = ["Bookmark", "Found", "find_headings", "is_caption", "numbering"]

LONGEST = 120  # characters of a heading
LARGER = 1.12  # times the body's size
NUMBERED = 1.05  # likewise, where the line is numbered
PARAGRAPH = 5  # lines of one style
SENTENCE = 30  # width of a line of text, as `language.width`
STEP = 6  # words of a numbered sentence
SMALLER = 0.95  # times the body's size: text in a figure or a note
FOOT = 0.1  # of the page's height
TRUSTED = 3  # bookmarks found on their pages: then nothing smaller than theirs is a heading
_ARABIC = re.compile(r"(?P<n>\d{1,2}(?:\.\d{1,3}){0,4})(?:[.、)．]?\s+|[、．](?!\d))(?=[^\W\d_])")
_LETTERED = re.compile(
    r"(?:Appendix|Annex)\s+[A-Z0-9]+\b|附录\s*[A-Z0-9一二三四五六七八九十]*(?=\W|$)", re.IGNORECASE
)
_NAMED = re.compile(r"(?:Chapter|Part|Section)\s+(?:\d+(?:\.\d+)*|[IVXLC]+)\b", re.IGNORECASE)
_CHINESE = (
    (re.compile(r"第\s*[一二三四五六七八九十百零〇\d]+\s*[编部篇]"), 1),
    (re.compile(r"第\s*[一二三四五六七八九十百零〇\d]+\s*章"), 1),
    (re.compile(r"第\s*[一二三四五六七八九十百零〇\d]+\s*节"), 2),
    (re.compile(r"[一二三四五六七八九十]{1,3}、"), 2),
    (re.compile(r"[（(](?:[一二三四五六七八九十]{1,3}|\d{1,2})[)）](?=\D)"), 3),
)
_CAPTION = re.compile(
    r"(?:图|表|附表)\s*[\dA-Z一二三四五六七八九十]"
    r"|(?i:figure|fig\.?|table|chart|exhibit)(?:\s*\d|\s+(?:[A-Z]|[IVX]{1,4})(?![A-Za-z]))"
)
_CONTENTS = re.compile(r"(?:\.\s?){4,}|…{2,}|·{4,}|_{4,}")
_FOLIO = re.compile(r"^\d{1,4}\s|\s\d{1,4}$")
_PLACEHOLDER = re.compile(r"<[^<>]+>")
_ITALIC = re.compile(r"italic|oblique|slanted|kursiv", re.IGNORECASE)
_ENDS_LIKE_PROSE = re.compile(r"[。；;，,、]$|(?<![A-Z0-9])\.$")


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the document's outline. `level` from 1, `page` from 1."""

    title: str
    level: int
    page: int


@dataclass(frozen=True, slots=True)
class Found:
    """A heading made of lines `first`..`last` (indexes into the lines given)."""

    first: int
    last: int
    text: str
    level: int


def numbering(text: str) -> int:
    """How deep the text's own numbering says it stands, from 1; 0 when it has none."""
    if match := _ARABIC.match(text):
        return match["n"].count(".") + 1
    for pattern, depth in _CHINESE:
        if pattern.match(text):
            return depth
    return 1 if _NAMED.match(text) or _LETTERED.match(text) else 0


def find_headings(
    lines: Sequence[Line],
    bookmarks: Sequence[Bookmark] = (),
    tagged: Sequence[Bookmark] = (),
    heights: Sequence[float] = (),
) -> list[Found]:
    """In order. `lines` are the whole document's, furniture and tables taken out; `tagged` are the headings that its tags
    name, `heights` those of its pages in points. Where tags name several, style names none."""
    if not lines:
        return []
    body = _body_size(lines)
    dark = _mostly_bold(lines, body)
    outline = _match_bookmarks(lines, bookmarks)
    own = _match_bookmarks(lines, tagged)
    named = len(own) >= TRUSTED
    outline = {**own, **outline}
    smallest = min((lines[i].size for i in outline), default=0.0) if len(outline) >= TRUSTED else 0.0
    slanted = _slanted(lines, body)
    spans: list[tuple[int, int, int]] = []  # first, last, the bookmark's level or 0
    i = 0
    while i < len(lines):
        if i in outline:
            last, level = outline[i]
            spans.append((i, last, level))
            i = last + 1
            continue
        if not named and lines[i].size >= smallest and _looks_like(lines, i, body, dark):
            last = i
            while last + 1 < len(lines) and last + 1 not in outline and _goes_on(lines, i, last, body, dark):
                last += 1
            if _leads_to_text(lines, i, last) and not _is_foot(lines[i], heights):
                spans.append((i, last, 0))
            i = last
        elif not named and lines[i].size >= smallest and i in slanted:
            spans.append((i, i, 0))
        i += 1
    return _levels(lines, spans)


def _body_size(lines: Sequence[Line]) -> float:
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0]


def _mostly_bold(lines: Sequence[Line], body: float) -> bool:
    own = [line for line in lines if line.size == body]
    return sum(line.bold for line in own) * 2 > len(own)


def _is_paragraph(lines: Sequence[Line], i: int) -> bool:
    """In the middle of many lines of one style: an abstract or a quotation, however large."""
    style = lines[i].page, lines[i].size, lines[i].font
    first = last = i
    while first and (lines[first - 1].page, lines[first - 1].size, lines[first - 1].font) == style:
        first -= 1
    while (
        last + 1 < len(lines) and (lines[last + 1].page, lines[last + 1].size, lines[last + 1].font) == style
    ):
        last += 1
    run = lines[first : last + 1]
    return len(run) >= PARAGRAPH and sum(x.x1 - x.x0 >= 0.8 * x.wide for x in run) * 2 >= len(run)


def _looks_like(lines: Sequence[Line], i: int, body: float, dark: bool) -> bool:
    line = lines[i]
    text = line.text.strip()
    if not 2 <= len(text) <= LONGEST or _CONTENTS.search(text) or _CAPTION.match(text):
        return False
    if sum(ch.isalpha() for ch in text) < 2 or _ENDS_LIKE_PROSE.search(text) or _PLACEHOLDER.search(text):
        return False
    large = line.size >= LARGER * body
    if large and _is_paragraph(lines, i):
        return False
    heavy = line.bold and not dark and line.size >= 0.95 * body
    if numbering(text):
        if text.endswith(".") and len(text.split()) >= STEP:
            return False  # a step of a procedure
        larger = line.size >= NUMBERED * body
        short = line.x1 - line.x0 < 0.75 * line.wide or larger or heavy
        return short and (larger or heavy or (_alone(lines, i) and not _in_a_list(lines, i)))
    if large:
        return len(text) <= 90 or line.size >= 1.3 * body
    return heavy and len(text) <= 80 and _apart(lines, i) and not text.endswith((":", "："))


def _slanted(lines: Sequence[Line], body: float) -> set[int]:
    """Short italic lines of the body's size, with space above and a paragraph of the body's style right below: headings of
    the lowest level in many handbooks. None where there is only one of them."""
    fonts = Counter(line.font for line in lines if line.size == body)
    plain = fonts.most_common(1)[0][0] if fonts else ""
    if _ITALIC.search(plain):
        return set()
    found = set()
    for i, line in enumerate(lines[:-1]):
        text, below = line.text.strip(), lines[i + 1]
        if line.size != body or not _ITALIC.search(line.font) or not 4 <= len(text) <= 60:
            continue
        if not text[0].isupper() or text[-1] in ".,;:!?" or _CAPTION.match(text) or numbering(text):
            continue
        above = next(
            (x for x in reversed(lines[max(0, i - 4) : i]) if any(c.isalnum() for c in x.text)), None
        )
        free = (
            above is None
            or above.page != line.page
            or above.column != line.column
            or (above.size != body or (line.top - above.bottom) >= 0.9 * body or above.bottom > line.top)
        )
        follows = below.page == line.page and below.font == plain and below.size == body
        near = abs(below.x0 - line.x0) < 2 * body and below.top - line.bottom < 1.0 * body
        if (
            free
            and follows
            and near
            and width(below.text) >= SENTENCE
            and line.x1 - line.x0 < 0.75 * line.wide
        ):
            found.add(i)
    return found if len(found) > 1 else set()


def _leads_to_text(lines: Sequence[Line], first: int, last: int) -> bool:
    """Text, or a numbered heading, stands below it soon, at the foot of a page above it; none does round the labels of a
    figure."""
    page = lines[first].page
    near = [x for x in lines[last + 1 : last + 4] if x.page == page]
    if len(near) < 2:
        near += [x for x in lines[max(0, first - 2) : first] if x.page == page]
    return not near or any(width(x.text) >= SENTENCE or numbering(x.text) for x in near)


def _is_foot(line: Line, heights: Sequence[float]) -> bool:
    """A running foot with a page number in it."""
    if not 0 < line.page <= len(heights) or line.top < (1 - FOOT) * heights[line.page - 1]:
        return False
    return bool(_FOLIO.search(line.text))


def _alone(lines: Sequence[Line], i: int) -> bool:
    """Space above or below that its neighbours do not have: a numbered heading in the body's own style."""
    line = lines[i]
    gaps = []
    for other in (lines[i - 1] if i else None, lines[i + 1] if i + 1 < len(lines) else None):
        if other is None or other.page != line.page:
            gaps.append(2.0)
        else:
            gaps.append(max(other.top - line.bottom, line.top - other.bottom) / max(line.size, 1))
    return max(gaps) >= 0.9 and len(line.text) <= 60


def _in_a_list(lines: Sequence[Line], i: int) -> bool:
    """Directly above or below stands another of the same depth: an enumeration, not headings."""
    depth = numbering(lines[i].text)
    return any(
        0 <= k < len(lines) and lines[k].page == lines[i].page and numbering(lines[k].text) == depth
        for k in (i - 1, i + 1)
    )


def _apart(lines: Sequence[Line], i: int) -> bool:
    """Not the bold beginning or middle of a paragraph: the line before ended, and this one does not fill its row."""
    line = lines[i]
    return line.x1 - line.x0 < 0.9 * line.wide or (i + 1 < len(lines) and lines[i + 1].size != line.size)


def _goes_on(lines: Sequence[Line], first: int, last: int, body: float, dark: bool) -> bool:
    """The next line belongs to the same, wrapped heading."""
    a, b = lines[last], lines[last + 1]
    if b.page != a.page or abs(b.size - a.size) > 0.3 or b.bold != a.bold or b.font != a.font:
        return False
    gap = (b.top - a.bottom) / max(a.size, 1)
    full = a.x1 - a.x0 >= 0.6 * a.wide
    if numbering(b.text) or not -0.5 <= gap <= 0.7 or last - first >= 3 or not full:
        return False
    return a.size >= LARGER * body or (a.bold and not dark)


def _match_bookmarks(lines: Sequence[Line], bookmarks: Sequence[Bookmark]) -> dict[int, tuple[int, int]]:
    """first line -> (last line, level): the line on the bookmark's page whose text is its title."""
    by_page: dict[int, list[int]] = defaultdict(list)
    for i, line in enumerate(lines):
        by_page[line.page].append(i)
    out: dict[int, tuple[int, int]] = {}
    for mark in bookmarks:
        wanted = _bare(mark.title)
        if len(wanted) < 2:
            continue
        for i in by_page.get(mark.page, ()):
            if i in out:
                continue
            text, last = "", i
            while last < len(lines) and last - i < 4 and lines[last].page == mark.page:
                text += _bare(lines[last].text)
                if text == wanted or (text.endswith(wanted) and len(text) - len(wanted) <= 8):
                    out[i] = (last, mark.level)
                    break
                if not wanted.startswith(text) and wanted not in text:
                    break
                last += 1
            if i in out:
                break
    return out


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())


def _levels(lines: Sequence[Line], spans: list[tuple[int, int, int]]) -> list[Found]:
    """Levels of the outline where it has the heading; for the rest, a rank of their styles: size, weight, and
    within one style the numbering's depth."""
    styles = {}
    for first, _, level in spans:
        if not level:
            line = lines[first]
            styles[first] = (-line.size, not line.bold, numbering(line.text))
    rank = {style: i + 1 for i, style in enumerate(sorted(set(styles.values())))}
    marked: dict[tuple[float, bool, int], int] = {}
    for first, _, level in spans:
        if level:
            line = lines[first]
            marked.setdefault((-line.size, not line.bold, numbering(line.text)), level)
    deepest = max((level for _, _, level in spans), default=0)
    out = []
    for first, last, level in spans:
        text = lines[first].text
        for line in lines[first + 1 : last + 1]:
            text = join_text(text, line.text)
        if not level:
            style = styles[first]
            level = marked.get(style, deepest + rank[style] if deepest else rank[style])
        out.append(Found(first, last, text.strip(), level))
    return out


def is_caption(text: str) -> bool:
    """A table's or figure's caption, in English or Chinese."""
    return bool(_CAPTION.match(text.strip())) and len(text) <= LONGEST and text.strip()[-1] not in "。；"
