"""Secrets are masked in whatever shape they come, and nothing else is."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.base import Evidence, Locator
from executor.scrub import MASK, Scrubber

SECRET = 'p@ss "word"/密'


@given(st.text(min_size=1, max_size=20).filter(lambda s: "*" not in s), st.text(max_size=20))
def test_a_known_secret_never_survives(secret: str, around: str) -> None:
    if len(secret) < 3:
        return
    scrubber = Scrubber([secret])
    for shape in (secret, quote(secret, safe=""), json.dumps(secret)[1:-1]):
        assert shape not in scrubber.text(f"{around}{shape}{around}").replace(MASK, "*")


def test_every_shape_of_a_login_is_masked() -> None:
    scrubber = Scrubber.of_auth({"username": "anna", "password": SECRET})
    basic = base64.b64encode(f"anna:{SECRET}".encode()).decode()
    kept = scrubber.value(
        {
            "url": f"http://anna:{quote(SECRET, safe='')}@host/x?password=abc&page=2",
            "headers": {"authorization": f"Basic {basic}", "Accept": "json", "X-Key": "k"},
            "login": {"username": "anna", "password": SECRET},
            "nested": [{"note": f"said {SECRET} {basic}"}],
            "nextPageToken": "page-2",
            "count": 3,
        }
    )
    text = json.dumps(kept, ensure_ascii=False)
    assert SECRET not in text
    assert basic not in text
    assert "abc" not in text
    assert kept["headers"] == {"authorization": MASK, "Accept": "json", "X-Key": MASK}
    assert kept["login"] == {"username": "anna", "password": MASK}
    assert (kept["nextPageToken"], kept["count"]) == ("page-2", 3)


def test_a_header_s_name_is_not_secret() -> None:
    scrubber = Scrubber.of_auth({"header": "X-Redmine-API-Key", "value": "0123456789abcdef"})
    assert scrubber.headers(
        {"X-Redmine-API-Key": "0123456789abcdef", "Set-Cookie": "a=b", "Date": "today"}
    ) == {
        "X-Redmine-API-Key": MASK,
        "Set-Cookie": MASK,
        "Date": "today",
    }


@pytest.mark.parametrize(("secret", "masked"), [("sales", False), ("long-secret-1", True)])
def test_data_is_masked_only_where_it_can_be_no_word(secret: str, masked: bool) -> None:
    place = Locator("cell", "s", "d", url=f"http://h/?x={secret}", text=secret)
    evidence = Evidence(
        "table", "s", "d", ("a",), ({"a": f"about {secret}"},), ({"a": place},), {"a": "text"}
    )
    clean = Scrubber([secret]).evidence(evidence)
    assert clean.locators[0]["a"].url == f"http://h/?x={MASK}"
    assert (secret in str(clean.rows[0]["a"])) != masked


def test_clean_evidence_stays_as_it_is() -> None:
    place = Locator("cell", "s", "d", url="http://h/x", text="5.2%")
    evidence = Evidence("table", "s", "d", ("a",), ({"a": 0.052},), ({"a": place},), {"a": "percent"})
    assert Scrubber(["long-secret-1"]).evidence(evidence) == evidence
