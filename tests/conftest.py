"""What holds for every test."""

import contextlib
import gc
import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

from planning.service import OwnProcess, PlanningService
from semantics.process.rule_processes import shared
from tests.planning.processes import wait_for


def pytest_configure() -> None:
    """Take interrupts, so that the processes that tests start do: a job in the background of a shell takes none.

    Arithmetic has one thread, since the workers use all cores: threads in each other's way take ten times longer.
    Tests start hundreds of processes, which would compile the whole program each time if they might not keep it.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    settings.register_profile("untimed", deadline=None)  # how long an example takes says how busy the machine is
    settings.load_profile("untimed")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return three processes for two cores: a test waits a quarter of its time, for a process or a clock."""
    return max(1, (os.cpu_count() or 1) * 3 // 2)


def pytest_collection_finish() -> None:
    """Look for garbage less often, and not among the tests themselves: a third of a million things that stay."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_unconfigure() -> None:
    """Let everything be collected at exit: nanobind tells at length of what is left of its modules."""
    gc.unfreeze()


@PlanningService.register
class Lent:
    """A planner that sessions share: closing one of them ends what it asks, and leaves the process to the next."""

    def __init__(self, service: OwnProcess) -> None:
        self._service = service

    def __getattr__(self, name: str) -> object:
        return getattr(self._service, name)

    def close(self) -> None:
        self._service.cancel()
        pool = self._service._pool
        # A process that replaces a killed one would else begin in the next test, which may count processes.
        assert wait_for(
            lambda: pool._starting is None and (pool._failure or len(pool._idle) + len(pool._busy) >= pool._wanted()),
            60.0,
        )


@pytest.fixture(scope="session")
def lent_planner() -> Iterator[Lent]:
    """Return the planner of this worker, in a process that is started once: a start takes half a second each time."""
    with contextlib.closing(OwnProcess("fast-downward")) as service:
        yield Lent(service)


@pytest.fixture(autouse=True)
def _one_planner(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give sessions of this process the planner of the worker, unless a test is about a session's own."""
    session = sys.modules.get("graftwork.session")
    if session is None or request.node.get_closest_marker("own_planner"):
        return
    service_of = session.service_of
    monkeypatch.setattr(
        session,
        "service_of",
        lambda planner, memory=None: (
            request.getfixturevalue("lent_planner") if planner == "fast-downward" else service_of(planner)
        ),
    )


@pytest.fixture(autouse=True)
def _signals_as_before() -> Iterator[None]:
    """Undo what a command that ran in this process did to its signals: all processes that start later inherit it."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.fixture(scope="session", autouse=True)
def _prolog_once() -> Iterator[None]:
    """Keep the processes that check rules, once a test has started them: otherwise they end with the last rule book."""
    kept = shared()
    yield
    del kept
