"""Two thousand solves while the planner's processes are killed at random: no leak, and no wrong answer.

First each problem is solved undisturbed, with proof. Then two threads ask one planning service for them again and again
in random order, while a third kills a planning process, the worker below it or the search below that at random moments;
each answer is compared with the proof. An answer "no time" is no wrong answer, and is counted; an error is one.
Processes, open files and memory are looked at all along.

Run from a checkout: ``python -m benchmarks.soak [--solves 2000] [--minutes 20] [--seed 0]``. Exit code 0 when all
holds, 1 when something does not, 130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import platform
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from rich.console import Console
from rich.progress import Progress

from affordances.bookkeeping import derive
from domains.model import Domain
from domains.problem import Problem
from domains.reader import load_domain, load_scene
from planning import OwnProcess, validate
from planning.validation import Valid
from semantics.body.protocols import NoPlan
from semantics.logic.atoms import And, Atom, Conjunct, Literal
from semantics.logic.feedback import Code
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.state import Plan, State
from semantics.logic.vocabulary import Thing
from semantics.process.child import children, family

__all__ = ["main"]

PROBLEMS = 40
SECONDS = 10.0
"""What a solve gets; a kill costs at most a restart."""
ASKING = 2
PAUSE = 0.5
"""Mean time between two kills, seconds."""
KINDS = ("planning process", "worker", "search")
"""What is killed, each the parent of the next."""
GROWTH = 30.0
"""How much the memory of this process may grow, MB, after the first tenth."""
MOST_PROCESSES = 12
"""Two seats and a spare, each with a worker, two with a search; and some that have been killed and are not yet buried.
"""


@dataclass(frozen=True, slots=True)
class Known:
    """A problem with its proved answer: the least cost, or None when there is no plan."""

    goal: Conjunct
    least: int | None


@dataclass
class Watch:
    """What has been seen."""

    answers: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    killed: Counter[str] = field(default_factory=Counter)
    processes: int = 0
    files: list[int] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    together: float = 0.0

    def look(self) -> None:
        """Count processes, open files and memory of this process, and the memory of all."""
        below = family(os.getpid())[1:]
        self.processes = max(self.processes, len(below))
        self.files.append(len(os.listdir("/proc/self/fd")))
        self.memory.append(_megabytes(os.getpid()))
        self.together = max(self.together, self.memory[-1] + sum(map(_megabytes, below)))


class World:
    """The small kitchen as it is shipped, and random goals in it."""

    def __init__(self) -> None:
        """Read the files."""
        self.domain: Domain = load_domain("kitchen")
        scene = load_scene(self.domain, "small")
        self.things: dict[str, Thing] = dict(scene.things)
        facts = scene.facts | frozenset(scene.beliefs)
        follows = [name for name, model in self.domain.predicates.items() if model.bookkeeping]
        self.state = State(facts | derive(facts, self.things, follows))

    def goal(self, random: Random) -> Conjunct:
        """Return one to three literals that do not all hold."""
        models = [
            one.predicate
            for one in self.domain.predicates.values()
            if one.predicate.goal and not one.bookkeeping and all(map(self.fit, one.predicate.parameters))
        ]
        while True:
            literals = set()
            for _ in range(random.choice([1, 2, 2, 3])):
                predicate = random.choice(models)
                args = tuple(random.choice(self.fit(need)) for need in predicate.parameters)
                literals.add(Literal(Atom(predicate.name, args)))
            if not self.state.satisfies(literals):
                return frozenset(literals)

    def fit(self, need: str) -> list[str]:
        """Return the things that afford something."""
        return sorted(name for name, thing in self.things.items() if need == "object" or need in thing.affordances)

    def solve(self, goal: Conjunct, service: OwnProcess) -> Plan | NoPlan:
        """Plan for `goal`."""
        asked = CheckedGoal(Goal(And(())), (goal,))
        return service.solve(Problem(self.domain, self.things, self.state, asked.conjuncts), seconds=SECONDS)


def _megabytes(process: int) -> float:
    with contextlib.suppress(OSError, IndexError):
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return 0.0


def _kill(random: Random, watch: Watch, stop: threading.Event) -> None:
    """Kill a planning process, a worker or a search, again and again."""
    while not stop.wait(random.expovariate(1 / PAUSE)):
        kind, found, end = random.choice(KINDS), list[int](), time.monotonic() + PAUSE
        while not found and time.monotonic() < end:  # a search is there for some milliseconds at a time
            time.sleep(0.001)
            found = [os.getpid()]
            for _ in range(KINDS.index(kind) + 1):
                found = [child for one in found for child in children(one)]
        if found:
            with contextlib.suppress(OSError):
                os.kill(random.choice(found), signal.SIGKILL)
                watch.killed[kind] += 1


def _prove(world: World, random: Random, service: OwnProcess) -> list[Known]:
    known: list[Known] = []
    while len(known) < PROBLEMS:
        goal = world.goal(random)
        answer = world.solve(goal, service)
        if isinstance(answer, Plan) and answer.optimal:
            known.append(Known(goal, answer.cost))
        elif isinstance(answer, NoPlan) and answer.proven and sum(one.least is None for one in known) < PROBLEMS // 4:
            known.append(Known(goal, None))
    return known


def _judge(answer: Plan | NoPlan, known: Known, state: State) -> str:
    """Return the kind of answer; ``wrong`` when the proof says otherwise."""
    if isinstance(answer, Plan):
        valid = isinstance(validate(answer.steps, state, known.goal), Valid)
        if not valid or known.least is None or answer.cost < known.least:
            return "wrong"
        if answer.cost == known.least:
            return "cheapest" if answer.optimal else "cheapest, not proved"
        return "wrong" if answer.optimal else "dearer, not proved"
    if answer.proven:
        return "impossible" if known.least is None else "wrong"
    return "no time" if answer.feedback.code is Code.PLANNER_TIMEOUT else f"gave up: {answer.feedback.code}"


def _once(world: World, known: Known, service: OwnProcess, watch: Watch) -> None:
    try:
        answer = world.solve(known.goal, service)
    except Exception as error:  # whatever it is, a robot would have noticed
        watch.answers["error"] += 1
        watch.wrong.append(f"{type(error).__name__}: {error}")
        return
    kind = _judge(answer, known, world.state)
    watch.answers[kind] += 1
    if kind == "wrong":
        watch.wrong.append(f"{' '.join(map(str, sorted(known.goal)))}: {answer}")


def _soak(solves: int, minutes: float, random: Random, watch: Watch, console: Console) -> None:
    world, service = World(), OwnProcess()
    stop, end = threading.Event(), time.monotonic() + 60 * minutes
    try:
        problems = _prove(world, random, service)
        turns = iter(range(solves))

        def ask(random: Random) -> None:
            for _ in turns:  # one iterator for all: together they ask so often
                _once(world, random.choice(problems), service, watch)
                if stop.is_set():
                    return

        threads = [threading.Thread(target=ask, args=(Random(random.random()),), daemon=True) for _ in range(ASKING)]
        threads.append(threading.Thread(target=_kill, args=(Random(random.random()), watch, stop), daemon=True))
        for thread in threads:
            thread.start()
        with Progress(console=console, transient=True) as progress:
            task = progress.add_task("solving", total=solves)
            while any(thread.is_alive() for thread in threads[:ASKING]) and time.monotonic() < end:
                time.sleep(0.1)
                progress.update(task, completed=sum(watch.answers.values()))
                watch.look()
        stop.set()
        for thread in threads:
            thread.join()
    finally:
        stop.set()
        service.close()


def _faults(watch: Watch, solves: int, left: list[str]) -> list[str]:
    """Return what does not hold."""
    done, settled = sum(watch.answers.values()), len(watch.memory) // 10
    faults = [f"wrong: {one}" for one in watch.wrong]
    if done < solves:
        faults.append(f"only {done} of {solves} solves in the time")
    if still := family(os.getpid())[1:]:
        faults.append(f"{len(still)} processes are left: {still}")
    if watch.processes > MOST_PROCESSES:
        faults.append(f"{watch.processes} processes at once")
    if watch.files and max(watch.files[settled:]) > max(watch.files[: settled + 1]) + 16:  # a process holds three
        faults.append(f"open files grew from {watch.files[settled]} to {max(watch.files)}")
    if watch.memory and watch.memory[-1] - watch.memory[settled] > GROWTH:
        faults.append(f"memory grew from {watch.memory[settled]:.0f} to {watch.memory[-1]:.0f} MB")
    return faults + [f"a file is left: {name}" for name in left]


def _report(watch: Watch, faults: list[str], seconds: float, console: Console) -> None:
    rows = {
        "answers": ", ".join(f"{count} {kind}" for kind, count in watch.answers.most_common()),
        "killed": ", ".join(f"{count} {kind}" for kind, count in watch.killed.most_common()) or "nothing",
        "processes at once": watch.processes,
        "open files": f"{watch.files[0]} at first, {watch.files[-1]} at last, at most {max(watch.files)}",
        "memory": f"{watch.memory[0]:.0f} MB at first, {watch.memory[-1]:.0f} MB at last;"
        f" all processes together at most {watch.together:.0f} MB",
    }
    for name, value in rows.items():
        console.print(f"{name}: {value}", highlight=False, soft_wrap=True)
    for fault in faults:
        console.print(fault, highlight=False, soft_wrap=True, style="red")
    about = f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} cores"
    console.print(f"{sum(watch.answers.values())} solves in {seconds:.0f} s; {about}", highlight=False)


def main(arguments: Sequence[str] | None = None) -> int:
    """Soak, print what was seen, return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--solves", type=int, default=2000)
    parser.add_argument("--minutes", type=float, default=20.0, help="stop after this time, and count that as a fault")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    console, watch, began, code = Console(), Watch(), time.monotonic(), 0
    with tempfile.TemporaryDirectory() as folder:
        home = Path.cwd()
        os.chdir(folder)  # where a planner that writes files would write them
        try:
            _soak(given.solves, given.minutes, Random(given.seed), watch, console)
        except KeyboardInterrupt:
            code = 130
        finally:
            left = sorted(path.name for path in Path(folder).iterdir())
            os.chdir(home)
    faults = _faults(watch, 0 if code else given.solves, left)
    if watch.files:
        _report(watch, faults, time.monotonic() - began, console)
    return code or int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
