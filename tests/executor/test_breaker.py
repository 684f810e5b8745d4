from __future__ import annotations

from executor.breaker import Breaker


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_it_opens_lets_one_trial_through_and_closes() -> None:
    clock = Clock()
    breaker = Breaker(3, 30, clock)
    for _ in range(2):
        breaker.failed()
    breaker.succeeded()
    for _ in range(3):
        assert breaker.wait() == 0
        breaker.failed()
    assert breaker.wait() == 30
    clock.now = 12
    assert breaker.wait() == 18
    clock.now = 30
    assert breaker.wait() == 0
    assert breaker.wait() == 30, "only one trial at a time"
    breaker.succeeded()
    assert breaker.wait() == 0


def test_a_failed_trial_opens_it_again_at_once() -> None:
    clock = Clock()
    breaker = Breaker(2, 10, clock)
    breaker.failed()
    breaker.failed()
    clock.now = 10
    assert breaker.wait() == 0
    breaker.failed()
    clock.now = 15
    assert breaker.wait() == 5


def test_a_trial_that_never_reports_does_not_shut_the_source_for_good() -> None:
    clock = Clock()
    breaker = Breaker(1, 10, clock)
    breaker.failed()
    clock.now = 10
    assert breaker.wait() == 0
    clock.now = 20
    assert breaker.wait() == 0
