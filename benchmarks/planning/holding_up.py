"""How much planning holds up a thread that ticks: in the same process, and in processes of its own.

A thread ticks 50 times a second while another one has kitchens planned for, one after the other; how late each tick is
says what a robot would notice. Beside that: what a call costs through the service, and how soon whoever waits is
answered when planning is called off. Targets are printed last; exit code 1 when one falls short.

Run from a checkout: ``python -m benchmarks.planning.holding_up [--seconds 10]``.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import platform
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from statistics import median, quantiles

from rich.console import Console
from rich.table import Table

from benchmarks.planning.kitchens import SIZES, Kitchen, kitchen_domain, make
from benchmarks.planning.measuring import Peak
from domains.problem import Problem
from planning import FastDownward, OwnProcess
from planning.service import InProcess, PlanningService
from semantics.body.protocols import NoPlan
from semantics.logic.atoms import And, Atom, Literal
from semantics.logic.feedback import Code
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.state import Plan

__all__ = ["main"]

TICK = 1 / 50
LARGE, SMALL = 1000, 20
MOST_SECONDS = {10: 0.040, 20: 0.040, 70: 0.060, 1000: 0.100}
MOST_OVERHEAD, MOST_HELD, MOST_CANCEL, MEGABYTES = 0.010, 0.002, 0.050, 450.0
CANCELS = 20


@dataclass(frozen=True, slots=True)
class Call:
    """What calls of one size take, medians in seconds.

    Attributes:
        here: In the same process.
        there: In a process of its own.
        more: How much longer the second takes, asked right after the first.
        held: Of the second, work in the asking process.
    """

    here: float
    there: float
    more: float
    held: float


def ask(service: PlanningService, kitchen: Kitchen, seconds: float = 20.0) -> Plan | NoPlan:
    """Plan for a kitchen."""
    goal = CheckedGoal(Goal(And(())), kitchen.goals)
    return service.solve(
        Problem(kitchen_domain(), kitchen.things, kitchen.state, goal.conjuncts, kitchen.costs), seconds=seconds
    )


def lateness(service: PlanningService | None, kitchens: Sequence[Kitchen], seconds: float) -> list[float]:
    """Tick for `seconds` while kitchens are planned for, if by anybody; return how late each tick was."""
    over, late = threading.Event(), list[float]()

    def plan() -> None:
        while service is not None and not over.is_set():
            for kitchen in kitchens:
                if not over.is_set():
                    ask(service, kitchen)

    thread = threading.Thread(target=plan)
    thread.start()
    due = time.perf_counter()
    end = due + seconds
    while due < end:
        due += TICK
        time.sleep(max(due - time.perf_counter(), 0.0))
        late.append(max(time.perf_counter() - due, 0.0))
        due = max(due, time.perf_counter() - TICK)  # a tick that was missed is not made up for
    over.set()
    thread.join()
    return late


def calls(here: PlanningService, there: PlanningService, kitchens: Sequence[Kitchen], runs: int = 3) -> Call:
    """Ask both by turns, so that what else the machine does concerns both alike; return the medians over all."""
    took = list[tuple[float, float, float]]()
    for kitchen in kitchens:
        for service in (here, there):
            ask(service, kitchen)  # what is learned of a world once
        for _ in range(runs):
            one, (other, held) = timed(here, kitchen)[0], timed(there, kitchen)
            took.append((one, other, held))
    ones, others, helds = zip(*took, strict=True)
    return Call(median(ones), median(others), median(other - one for one, other, _ in took), median(helds))


def timed(service: PlanningService, kitchen: Kitchen) -> tuple[float, float]:
    """Return how long a call takes, and how long this thread works meanwhile, seconds."""
    began, worked = time.perf_counter(), time.thread_time()
    ask(service, kitchen)
    return time.perf_counter() - began, time.thread_time() - worked


def hard(kitchen: Kitchen, count: int = 12) -> Kitchen:
    """Return the kitchen with a task that takes a search longer than anybody waits: many things, each elsewhere."""
    on = sorted(atom for atom in kitchen.state.atoms if atom.predicate == "on")
    places = sorted({atom.args[1] for atom in on if "location" in kitchen.things[atom.args[1]].affordances})
    others = dict(zip(places, [*places[1:], *places[:1]], strict=True))
    wanted = [Literal(Atom("on", (atom.args[0], others[atom.args[1]]))) for atom in on if atom.args[1] in others]
    return replace(kitchen, kind="hard", goals=(frozenset(wanted[:count]),))


def called_off(service: PlanningService, kitchen: Kitchen) -> list[float]:
    """Call planning off at different moments; return how long it takes until whoever waits is answered, seconds."""
    found = list[float]()
    for turn in range(CANCELS):
        answers = list[Plan | NoPlan]()
        thread = threading.Thread(target=lambda to: to.append(ask(service, kitchen)), args=(answers,))
        thread.start()
        time.sleep(0.1 + 0.03 * turn)
        began = time.perf_counter()
        service.cancel()
        thread.join()
        passed, answer = time.perf_counter() - began, answers[0]
        off = isinstance(answer, NoPlan) and answer.feedback.code is Code.CANCELLED
        found.append(passed if off else float("inf"))
    return found


@dataclass(frozen=True, slots=True)
class Results:
    """What was measured: lateness of ticks by who planned, calls by size; seconds, megabytes."""

    late: dict[str, list[float]]
    calls: dict[int, Call]
    called_off: list[float]
    megabytes: float


def measure(seconds: float, seeds: int, console: Console) -> Results:
    """Measure everything."""
    kitchens = {size: [make(size, seed) for seed in range(seeds)] for size in SIZES}
    late, peak = {"nobody plans": lateness(None, (), seconds)}, Peak()
    with contextlib.closing(InProcess(FastDownward())) as here, contextlib.closing(OwnProcess()) as there:
        here.warm_up()
        asked = {size: calls(here, there, some) for size, some in kitchens.items()}
        console.print("calls: done", highlight=False)
        late["in process"] = lateness(here, kitchens[LARGE], seconds)
        here.close()
        with peak.watched():
            late["own process"] = lateness(there, kitchens[LARGE], seconds)
            console.print("ticks: done", highlight=False)
            off = called_off(there, hard(kitchens[LARGE][0]))
    return Results(late, asked, off, peak.megabytes)


def tables(results: Results) -> list[Table]:
    """Return what was measured."""
    late = Table(f"ticks late while {LARGE:,} objects are planned with, ms", "median", "99 of 100", "worst")
    for name, some in results.late.items():
        late.add_row(name, *(f"{value * 1e3:.1f}" for value in (median(some), quantiles(some, n=100)[-1], max(some))))
    each = Table("objects", "in process, ms", "own process, ms", "more, ms", "asker's own work, ms")
    for size, one in results.calls.items():
        whole = (f"{value * 1e3:.0f}" for value in (one.here, one.there))
        each.add_row(str(size), *whole, *(f"{value * 1e3:.2f}" for value in (one.more, one.held)))
    return [late, each]


def targets(results: Results) -> list[tuple[str, bool]]:
    """Return each target in words, and whether it is met."""
    found = list[tuple[str, bool]]()
    for size, most in MOST_SECONDS.items():
        took = results.calls[size].there
        found.append((f"{size} objects: {took * 1e3:.0f} ms, at most {most * 1e3:.0f}", took <= most))
    for size in (SMALL, LARGE):
        more = results.calls[size].more
        text = f"{size} objects: {more * 1e3:.1f} ms more than in process, at most {MOST_OVERHEAD * 1e3:.0f}"
        found.append((text, more <= MOST_OVERHEAD))
    held, off = results.calls[LARGE].held, max(results.called_off)
    found.append(
        (f"{held * 1e3:.1f} ms of work in the asking process, at most {MOST_HELD * 1e3:.0f}", held <= MOST_HELD)
    )
    found.append((f"called off within {off * 1e3:.0f} ms, {CANCELS} times, at most 50", off <= MOST_CANCEL))
    megabytes = results.megabytes
    return [*found, (f"{megabytes:.0f} MB over all processes, under {MEGABYTES:.0f}", megabytes < MEGABYTES)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.planning.holding_up", description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each thread ticks")
    parser.add_argument("--seeds", type=int, default=4, help="kitchens a size")
    given = parser.parse_args(arguments)
    console = Console()
    results = measure(given.seconds, given.seeds, console)
    for table in tables(results):
        console.print(table)
    console.print(f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} cores")
    met = targets(results)
    for text, holds in met:
        console.print(f"{'yes' if holds else 'NO '}  {text}", highlight=False)
    return 0 if all(holds for _, holds in met) else 1


if __name__ == "__main__":
    sys.exit(main())
