"""Times, costs and memory of planners on generated kitchens."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from statistics import median

from affordances.bookkeeping import derive
from benchmarks.planning.kitchens import Kitchen, kitchen_domain
from domains.problem import Problem
from planning import FastDownward, Valid, solve, validate
from semantics.logic.atoms import And, Atom
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.state import Plan, State
from semantics.process.child import family

__all__ = ["Answer", "Peak", "moved", "ours", "theirs"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a planner took, seconds, and what its plan costs (None when it did not end in time) and has of actions.

    `processor` is the time of all processors together, of this process and those below it; `built` is what it took to
    bring the problem into the planner's own words beforehand.
    """

    seconds: float
    cost: float | None
    optimal: bool = False
    valid: bool = True
    length: int = 0
    processor: float = 0.0
    built: float = 0.0


def ours(kitchen: Kitchen, planner: FastDownward, runs: int) -> Answer:
    """Solve a kitchen `runs` times, with the median of the times; the plan is run through the model once more."""
    goal = CheckedGoal(Goal(And(())), kitchen.goals)
    times = []
    spent = _spent()
    for _ in range(runs):
        began = time.perf_counter()
        plan = solve(
            Problem(kitchen_domain(), kitchen.things, kitchen.state, goal.conjuncts, kitchen.costs), planner=planner
        )
        times.append(time.perf_counter() - began)
    processor = (_spent() - spent) / runs
    if not isinstance(plan, Plan):
        return Answer(median(times), None, processor=processor)
    valid = isinstance(validate(plan.steps, kitchen.state, plan.goal), Valid) and plan.goal in kitchen.goals
    return Answer(median(times), plan.cost, plan.optimal, valid, len(plan.steps), processor)


def moved(kitchen: Kitchen, seed: int) -> Kitchen:
    """Return the kitchen after somebody has put one thing that stands on furniture on another piece."""
    random = Random(f"moved {seed}")
    supports = sorted(atom.args[1] for atom in kitchen.state.atoms if atom.predicate == "on")
    places = [name for name in dict.fromkeys(supports) if "location" in kitchen.things[name].affordances]
    standing = sorted(atom for atom in kitchen.state.atoms if atom.predicate == "on" and atom.args[1] in places)
    told = random.choice([atom for atom in standing if atom.args[0] not in supports])
    domain = kitchen_domain()
    follows = [name for name, model in domain.predicates.items() if model.bookkeeping]
    facts = {atom for atom in kitchen.state.atoms if atom.predicate not in follows} - {told}
    facts.add(Atom("on", (told.args[0], random.choice([name for name in places if name != told.args[1]]))))
    state = State(frozenset(facts) | derive(facts, kitchen.things, follows))
    return replace(kitchen, state=state)


def theirs(engine: str, size: int, seed: int, limit: float) -> Answer:
    """Let another planner solve the kitchen in a process of its own, whose group is ended after `limit` seconds."""
    command = [sys.executable, "-m", "benchmarks.planning.stock", engine, str(size), str(seed)]
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=root,
        env=environment,
        text=True,
        start_new_session=True,
    )
    try:
        text, _ = process.communicate(timeout=limit + 10 + size / 50)
        built, seconds, processor, cost, length = map(float, text.split()[-5:])
        found = cost if cost != float("inf") else None
        return Answer(seconds, found, length=int(length), processor=processor, built=built)
    except (subprocess.TimeoutExpired, ValueError):
        return Answer(limit, None, processor=limit)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


class Peak:
    """The largest sum of memory in use (resident sets) of this process and what it has started, megabytes."""

    def __init__(self) -> None:
        self.megabytes = 0.0
        self._end = threading.Event()

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Look every few milliseconds while a block runs."""
        thread = threading.Thread(target=self._watch, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._end.set()
            thread.join()

    def _watch(self) -> None:
        while not self._end.wait(0.004):
            self.megabytes = max(self.megabytes, sum(map(_resident, family(os.getpid()))) / 1e6)


def _spent() -> float:
    """Return the processor time of this process, of what runs below it, and of what ended there, seconds."""
    return time.process_time() + sum(map(_ticks, family(os.getpid())[1:])) / os.sysconf("SC_CLK_TCK")


def _ticks(process: int) -> int:
    with contextlib.suppress(OSError, IndexError, ValueError):
        return sum(map(int, Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:15]))
    return 0


def _resident(process: int) -> int:
    with contextlib.suppress(OSError, IndexError, ValueError):
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0
