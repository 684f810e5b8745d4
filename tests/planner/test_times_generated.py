"""Any text is read or refused; any date that is written in a usual form is read back."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from planner.times import TimeError, find_times

TODAY = date(2024, 7, 15)
MONTHS = "January February March April May June July August September October November December".split()  # noqa: SIM905
DATES = st.dates(date(2015, 1, 1), date(2026, 12, 31))
PIECES = st.sampled_from(
    ["2024", "年", "13", "月", "Q", "3", "上", "个", "季度", "同比", "去年", "between ", " and ", "to ", "since ", "last ", "year", "-", "31", "日", "到",
     "前", "半年", "week ", "May ", "12", "0", "ago", "一", "十", "天", "近", "各", "第", "next ", "H2 ", "'24", "FY", "half ", "before ", "自"]
)  # fmt: skip


@given(st.text(max_size=60))
def test_no_text_raises_anything_else(text: str) -> None:
    _try(text)


@given(st.lists(PIECES, max_size=14).map("".join))
def test_no_heap_of_time_words_raises_anything_else(text: str) -> None:
    _try(text)


def _try(text: str) -> None:
    try:
        spans = find_times(text, TODAY)
    except TimeError:
        return
    for span in spans:
        assert text[span.start : span.end] == span.text
        for kind in ("month", "quarter", "date", "integer"):
            try:
                span.as_filter(kind)
            except TimeError:
                continue


@given(
    DATES,
    st.sampled_from(["{y}年{m}月{d}日", "{y}-{m:02d}-{d:02d}", "{y}/{m}/{d}", "{n} {d}, {y}", "{d} {n} {y}"]),
)
def test_dates_come_back(day: date, form: str) -> None:
    text = form.format(y=day.year, m=day.month, d=day.day, n=MONTHS[day.month - 1])
    assert [s.as_filter("date") for s in find_times(f"in {text}", TODAY)] == [day.isoformat()]


@given(DATES, st.sampled_from(["{y}年{m}月", "{y}-{m:02d}", "{n} {y}"]))
def test_months_come_back(day: date, form: str) -> None:
    text = form.format(y=day.year, m=day.month, n=MONTHS[day.month - 1])
    assert [s.as_filter("month") for s in find_times(text, TODAY)] == [f"{day.year}-{day.month:02d}"]


@given(
    st.integers(2015, 2026),
    st.integers(1, 4),
    st.sampled_from(["{y}年Q{q}", "{y}Q{q}", "Q{q} {y}", "{y}-Q{q}", "{y}年第{q}季度"]),
)
def test_quarters_come_back(year: int, quarter: int, form: str) -> None:
    assert [s.as_filter("quarter") for s in find_times(form.format(y=year, q=quarter), TODAY)] == [
        f"{year}-Q{quarter}"
    ]


@given(DATES, DATES, st.sampled_from(["{a}到{b}", "from {a} to {b}", "between {a} and {b}"]))
def test_ranges_of_days_come_back(a: date, b: date, form: str) -> None:
    a, b = sorted((a, b))
    (span,) = find_times(form.format(a=a, b=b), TODAY) if a != b else find_times(str(a), TODAY)
    assert span.as_filter("date") == (
        a.isoformat() if a == b else {"from": a.isoformat(), "to": b.isoformat()}
    )
