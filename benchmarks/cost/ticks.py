"""Control ticks at 20 Hz while two searches keep the planning processes busy: how late the ticks begin."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import closing

from benchmarks.cost.figure import Figure
from benchmarks.planning.kitchens import kitchen_domain, make
from domains.problem import Problem
from planning import OwnProcess
from planning.anytime import Best
from semantics.logic.atoms import Atom, Literal

__all__ = ["measure"]

PERIOD, LATE, SHARE = 0.05, 0.025, 0.99
"""The time between two ticks, how late one may be, both in seconds, and the share of ticks that have to keep that."""
TICKS = 200
"""How many ticks are taken in a run."""
SIZE, THINGS = 300, 12
"""The things of the kitchen, and how many of them each search moves; a search that ends meanwhile begins anew."""


def measure(runs: int) -> Iterable[Figure]:
    """Yield how late the ticks are that the share of `SHARE` keeps, in the worst of as many `runs`."""
    late = max(_lateness(run) for run in range(runs))
    yield Figure("how late 99 % of the ticks are at most, two searches beside them", 1000 * late, 1000 * LATE, "ms")


def _lateness(run: int) -> float:
    kitchen = make(SIZE, run)
    on = sorted(atom.args for atom in kitchen.state.atoms if atom.predicate == "on")
    places = sorted({place for _, place in on if "location" in kitchen.things[place].affordances})
    loose = [name for name, place in on if place in places and name not in {under for _, under in on}]
    with closing(OwnProcess()) as service:
        service.warm_up()
        while not service.is_warm:
            time.sleep(0.02)
        service.give_way()  # as a session does at the first tick on a real clock

        def search(first: int) -> Best:
            moved = enumerate(loose[first : first + THINGS])
            goal = frozenset(Literal(Atom("on", (name, places[(n + run) % len(places)]))) for n, name in moved)
            problem = Problem(kitchen_domain(), kitchen.things, kitchen.state, (goal,))
            return service.improve(problem, seconds=2 * TICKS * PERIOD)

        searches = {first: search(first) for first in (0, THINGS)}
        late, due = list[float](), time.monotonic()
        for _ in range(TICKS):
            due += PERIOD
            time.sleep(max(due - time.monotonic(), 0.0))
            late.append(time.monotonic() - due)
            searches |= {first: search(first) for first, running in searches.items() if running.done}
        for running in searches.values():
            running.cancel()
    return sorted(late)[int(SHARE * TICKS) - 1]
