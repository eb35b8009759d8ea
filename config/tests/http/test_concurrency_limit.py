"""Test bulkheads: callers are served, wait or are rejected, and leave most threads of a worker free."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.api.errors import DomainError
from config.http import concurrency_limit
from config.http.concurrency_limit import Bulkhead, ThreadBudget

pytestmark = pytest.mark.either_engine


def code_of(bulkhead: Bulkhead, caller: str = "", network: str = "") -> str:
    """Return the code with which a caller is rejected, or an empty text for one who gets in."""
    with ExitStack() as stack:
        try:
            stack.enter_context(bulkhead.acquire(caller, network))
        except DomainError as rejected:
            return rejected.code if rejected.retry_after == bulkhead.retry_after else "no Retry-After"
    return ""


def waiting_in(bulkhead: Bulkhead, stack: ExitStack, number: int, release: threading.Event) -> None:
    """Let so many callers hold places until the event, each in a thread of its own."""

    def hold() -> None:
        with bulkhead.acquire():
            release.wait()

    pool = stack.enter_context(ThreadPoolExecutor(number))
    stack.callback(release.set)
    for _ in range(number):
        before = bulkhead.held
        pool.submit(hold)
        while bulkhead.held == before:
            threading.Event().wait(0.001)


def test_a_bulkhead_serves_some_lets_some_wait_and_rejects_the_rest_at_once():
    bulkhead = Bulkhead("files", 2, 3, 3600, budget=ThreadBudget(16))
    served, seen, release = [], threading.Barrier(3), threading.Event()

    def use() -> None:
        with bulkhead.acquire():
            served.append(bulkhead.running)
            if len(served) <= 2:
                seen.wait()
                release.wait()

    threads = [threading.Thread(target=use) for _ in range(5)]
    for thread in threads:
        thread.start()
    seen.wait()
    while bulkhead.held < 5:
        threading.Event().wait(0.001)
    assert (bulkhead.running, len(served)) == (2, 2)
    assert code_of(bulkhead) == "unavailable"
    release.set()
    for thread in threads:
        thread.join()
    assert len(served) == 5
    assert max(served) == 2
    assert (bulkhead.held, bulkhead.running, bulkhead.callers, bulkhead.networks) == (0, 0, {}, {})


def test_wait_times_out_and_releases_the_place():
    bulkhead = Bulkhead("files", 1, 1, 0.01, budget=ThreadBudget(16))
    with bulkhead.acquire():
        assert code_of(bulkhead) == "unavailable"
        assert (bulkhead.held, bulkhead.running) == (1, 1)
    assert code_of(bulkhead) == ""


def test_error_releases_the_place():
    bulkhead = Bulkhead("files", 1, 0, 1, budget=ThreadBudget(16))
    with pytest.raises(ZeroDivisionError), bulkhead.acquire("ann"):
        raise ZeroDivisionError
    assert code_of(bulkhead, "ann") == ""


def test_one_caller_has_one_place():
    bulkhead = Bulkhead("files", 3, 0, 1, budget=ThreadBudget(16))
    with bulkhead.acquire("ann"):
        assert code_of(bulkhead, "ann") == "too_many"
        assert code_of(bulkhead, "ben") == ""
        # Commands of the site are nobody in particular.
        with bulkhead.acquire():
            assert code_of(bulkhead) == ""
    assert code_of(bulkhead, "ann") == ""


def test_one_network_never_holds_the_last_place():
    bulkhead = Bulkhead("files", 3, 0, 1, budget=ThreadBudget(16))
    with bulkhead.acquire("ann", "192.0.2.1"), bulkhead.acquire("ben", "192.0.2.1"):
        assert code_of(bulkhead, "cleo", "192.0.2.1") == "too_many"
        assert code_of(bulkhead, "dan", "192.0.2.2") == ""


def test_a_bulkhead_with_one_place_serves_one_network_too():
    assert code_of(Bulkhead("links", 1, 0, 1, budget=ThreadBudget(16)), "ann", "192.0.2.1") == ""


def test_overload_of_one_resource_leaves_the_share_of_others():
    budget = ThreadBudget(16)
    files = Bulkhead("files", 2, 10, 3600, share=1, budget=budget)
    hashing = Bulkhead("hashing", 1, 10, 3600, share=3, budget=budget)
    documents = Bulkhead("documents", 2, 2, 3600, share=2, budget=budget)
    release = threading.Event()
    with ExitStack() as stack:
        # Its own place, and the two that are common.
        waiting_in(files, stack, 3, release)
        assert code_of(files) == "unavailable"
        for bulkhead in (hashing, documents):
            waiting_in(bulkhead, stack, bulkhead.share, release)
            assert code_of(bulkhead) == "unavailable"
        assert budget.held == budget.places == 8
    assert budget.held == 0


def test_shares_over_half_of_the_threads_stop_the_start():
    budget = ThreadBudget(16)
    Bulkhead("files", 5, 0, 1, share=5, budget=budget)
    with pytest.raises(ImproperlyConfigured, match="WORKER_THREADS must be at least 18"):
        Bulkhead("hashing", 4, 0, 1, share=4, budget=budget)


@pytest.mark.parametrize("rule", [True, False])
def test_overload_of_all_resources_uses_at_most_half_of_the_threads(rule, monkeypatch):
    budget = ThreadBudget(16)
    if not rule:
        # The negative control: without the limit on shared places, the storm takes more.
        monkeypatch.setattr(ThreadBudget, "shared", 1000)
    heads = [Bulkhead(name, 2, 6, 3600, share=2, budget=budget) for name in ("files", "hashing", "bodies")]
    held, start = [], threading.Barrier(24)

    def attack(number: int) -> None:
        start.wait()
        for turn in range(40):
            try:
                with heads[(number + turn) % 3].acquire():
                    held.append(budget.held)
                    threading.Event().wait(0.001)
            except DomainError as rejected:
                assert rejected.code == "unavailable"  # noqa: PT017 - any other code is the defect

    with ThreadPoolExecutor(24) as pool:
        for done in [pool.submit(attack, number) for number in range(24)]:
            done.result()
    assert (max(held) <= budget.places) is rule
    assert budget.held == 0


def test_the_resources_of_a_worker_fit_into_half_of_its_threads(settings):
    from accounts.files import validation as file_validation  # noqa: F401 - their bulkheads are made when they are loaded

    assert concurrency_limit.thread_budget.places == settings.WORKER_THREADS // 2
    shares = sum(each.share for each in concurrency_limit.thread_budget.bulkheads)
    assert shares + concurrency_limit.thread_budget.shared == concurrency_limit.thread_budget.places
    assert concurrency_limit.thread_budget.shared >= 0
