"""The encoder's products run in one thread, whatever the process is allowed."""

from threadpoolctl import threadpool_info, threadpool_limits

from planner.encoder.threads import one_thread


def threads() -> set[int]:
    return {i["num_threads"] for i in threadpool_info() if i["user_api"] == "blas"}


def test_one_thread_within_and_as_many_as_before_behind() -> None:
    import numpy  # noqa: F401

    with threadpool_limits(2, user_api="blas"):
        before = threads()
        with one_thread():
            assert threads() == {1}
        assert threads() == before
