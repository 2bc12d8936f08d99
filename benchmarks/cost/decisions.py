"""Ten decisions back to back in a large kitchen: the slowest beside the median, and what they started."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from random import Random
from statistics import median

from benchmarks.cost.figure import Figure
from benchmarks.planning.kitchens import kitchen_domain, make
from domains.problem import Problem
from planning import OwnProcess
from semantics.logic.atoms import Atom, Conjunct, Literal
from semantics.logic.state import Plan
from semantics.process.child import family

__all__ = ["measure"]

SIZE = 981
"""With the robot, the person and two liquids this makes 985 things."""
DECISIONS = 10
MOST_RATIO = 2.0
PATIENCE, SECONDS, READY = 0.3, 20.0, 60.0
"""What a session on a real clock waits for a proof, for a plan, and this benchmark for warm processes, seconds."""


def measure(runs: int) -> Iterable[Figure]:
    """Decide about ten goals one right after the other, `runs` times in fresh processes, and yield the worst figures.

    Each goal puts another thing on another piece of furniture. One decision before, whose proof is waited for, tells
    the processes of the world, which takes 0.3 s more, and does not count.
    """
    results = [_measured(Random(f"decisions {run}")) for run in range(runs)]
    yield Figure("the slowest of ten decisions", max(ratio for ratio, _ in results), MOST_RATIO, "medians")
    yield Figure("started between the decisions", max(started for _, started in results), 0, "processes")


def _measured(random: Random) -> tuple[float, int]:
    """Return the slowest time over the median one, and how many processes are there that were not there before."""
    kitchen = make(SIZE, 0)
    supports = sorted(atom.args[1] for atom in kitchen.state.atoms if atom.predicate == "on")
    places = sorted({name for name in supports if "location" in kitchen.things[name].affordances})
    loose = sorted(
        atom.args
        for atom in kitchen.state.atoms
        if atom.predicate == "on" and atom.args[1] in places and atom.args[0] not in supports
    )
    times = list[float]()
    service = OwnProcess()
    try:
        service.warm_up()
        _await(lambda: service.is_warm)
        before = _processes(service)
        for name, place in random.sample(loose, 1 + DECISIONS):
            goal: Conjunct = frozenset({Literal(Atom("on", (name, random.choice([p for p in places if p != place]))))})
            problem = Problem(kitchen_domain(), kitchen.things, kitchen.state, (goal,))
            began = time.perf_counter()
            answer = service.solve(problem, seconds=SECONDS, patience=PATIENCE if times else SECONDS)
            times.append(time.perf_counter() - began)
            assert isinstance(answer, Plan), answer
        _await(lambda: service.is_warm)
        return max(times[1:]) / median(times[1:]), len(_processes(service) - before)
    finally:
        service.close()


def _await(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + READY
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)


def _processes(service: OwnProcess) -> set[int]:
    """Return the planning processes and the planners below them; a search is over when this is asked."""
    return {pid for seat in service._pool._idle for pid in family(seat.pid)[:2]}
