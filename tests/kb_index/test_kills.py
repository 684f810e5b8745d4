"""kill -9 at random moments while two processes read: a short run of the benchmark that does it thirty times."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.index_kills import run


@pytest.mark.slow
def test_readers_never_see_a_partial_index(tmp_path: Path) -> None:
    result = run(tmp_path, rounds=3, files=4, readers=2)
    assert result.failures == []
    assert result.torn == []
    assert result.incomplete == []
    assert result.rounds == 3
    assert result.questions > 0
    assert result.versions_seen > 1  # they moved on by themselves
