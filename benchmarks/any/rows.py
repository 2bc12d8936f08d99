"""One row of the benchmark: a problem, solved by Fast Downward as a process and by a planning service."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.any.judge import ACCEPTED, UNREAD
from benchmarks.any.writing import Written
from domains.pddl import read_pddl_domain, read_pddl_problem
from domains.pddl.goals import problem_of
from domains.problem import Problem
from planning.service import OwnProcess
from semantics.body.protocols import NoPlan
from semantics.logic.state import Plan

__all__ = ["Measured", "Row", "fast_downward", "first_row", "optimal_row", "parsed", "written_files"]

STOCK_SECONDS, SECONDS = 30.0, 40.0
"""The time limits of Fast Downward and of ours for a first plan, seconds."""
PROOF_SECONDS = 60.0
"""The time limit of ours for a proof, seconds; Fast Downward has `STOCK_SECONDS`."""
SHORT, REPEATS = 3.0, 3
"""A time up to `SHORT` seconds is the median of so many."""
JUDGING = 300.0
REST = 60.0
"""How long a service may take until all of its processes are ready, seconds."""
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Measured:
    """The answer of one planner.

    Attributes:
        seconds: The time until the answer.
        cost: The cost of the plan, None if there is none.
        by: The planner that found it.
        proved: Whether the plan is proved cheapest, or that there is none.
        why: Why there is no plan.
    """

    seconds: float
    cost: int | None
    by: str = ""
    proved: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A problem and both answers; `judged` is the validator's exit code, None without a plan."""

    name: str
    search: str
    stock: Measured
    ours: Measured
    judged: int | None

    @property
    def as_dict(self) -> dict[str, Any]:
        """The row as a JSON object."""
        return asdict(self)

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Row:
        """Return the row of a JSON object."""
        answers = {name: Measured(**fields[name]) for name in ("stock", "ours")}
        return cls(**{**fields, **answers})


def first_row(name: str, written: Written, service: OwnProcess) -> Row:
    """Measure the time to a first plan."""
    with written_files(written) as folder:
        stock = _repeated(lambda: _stock(folder, ["--alias", "lama-first"]))
        problem = parsed(folder)
        plans: list[Plan | NoPlan] = []
        ours = _repeated(lambda: _solved(service, problem, SECONDS, 0.0, plans))
        return Row(name, "first", stock, ours, _judged(folder, plans[-1]))


def optimal_row(name: str, written: Written, service: OwnProcess) -> Row:
    """Measure the time to a plan that is proved cheapest."""
    with written_files(written) as folder:
        stock = _stock(folder, ["--search", "astar(lmcut())"], proves=True)
        plans: list[Plan | NoPlan] = []
        ours = _solved(service, parsed(folder), PROOF_SECONDS, PROOF_SECONDS, plans)
        return Row(name, "optimal", stock, ours, _judged(folder, plans[-1]))


@contextmanager
def written_files(written: Written) -> Iterator[Path]:
    """Write the problem to a folder as ``domain.pddl`` and ``problem.pddl``; remove it at the end."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "domain.pddl").write_text(written.domain, encoding="utf-8")
        (folder / "problem.pddl").write_text(written.problem, encoding="utf-8")
        yield folder


def parsed(folder: Path) -> Problem:
    """Read the problem of a folder."""
    domain = read_pddl_domain(folder / "domain.pddl")
    return problem_of(domain, read_pddl_problem(domain, folder / "problem.pddl"))


def _repeated(measure: Callable[[], Measured]) -> Measured:
    """Measure once, and again if it was short; return the answer with the median time."""
    answers = [measure()]
    while answers[0].seconds <= SHORT and len(answers) < REPEATS:
        answers.append(measure())
    seconds = median(answer.seconds for answer in answers)
    return min(answers, key=lambda answer: abs(answer.seconds - seconds))


def _stock(folder: Path, search: list[str], *, proves: bool = False) -> Measured:
    """Run the driver of Fast Downward as a process."""
    plan = folder / "stock_plan"
    plan.unlink(missing_ok=True)
    files = [str(folder / "domain.pddl"), str(folder / "problem.pddl")]
    command = fast_downward(["--overall-time-limit", f"{STOCK_SECONDS:.0f}s", "--plan-file", str(plan)])
    # An alias stands before the files, a search after them.
    words = [*search, *files] if search[0] == "--alias" else [*files, *search]
    started = time.monotonic()
    done = subprocess.run([*command, *words], cwd=folder, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - started
    if not plan.exists():
        return Measured(seconds, None, "fast-downward.py", False, f"exit code {done.returncode}")
    told = [line for line in plan.read_text(encoding="utf-8").splitlines() if line.startswith("; cost")]
    cost = int(told[0].split("=")[1].split()[0])
    return Measured(seconds, cost, "fast-downward.py", proves and done.returncode == 0)


def fast_downward(words: list[str]) -> list[str]:
    """Return the command that runs the driver of Fast Downward, with more `words`."""
    spec = importlib.util.find_spec("up_fast_downward")
    assert spec is not None
    assert spec.submodule_search_locations
    return [sys.executable, str(Path(spec.submodule_search_locations[0], "downward", "fast-downward.py")), *words]


def _solved(
    service: OwnProcess, problem: Problem, limit: float, patience: float, plans: list[Plan | NoPlan]
) -> Measured:
    """Ask the service when all of its processes are ready."""
    service.warm_up()
    end = time.monotonic() + REST
    while not service.is_warm and time.monotonic() < end:
        time.sleep(0.05)
    started = time.monotonic()
    answer = service.solve(problem, seconds=limit, patience=patience)
    seconds = time.monotonic() - started
    plans.append(answer)
    if isinstance(answer, NoPlan):
        return Measured(seconds, None, "", answer.proven, str(answer.feedback))
    return Measured(seconds, answer.cost, answer.planner, answer.optimal)


def _judged(folder: Path, answer: Plan | NoPlan) -> int | None:
    if isinstance(answer, NoPlan):
        return None
    plan = folder / "our_plan"
    plan.write_text("".join(f"{step}\n" for step in answer.steps), encoding="utf-8")
    words = [str(folder / name) for name in ("domain.pddl", "problem.pddl", "our_plan")]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.any.judge", *words],
            cwd=ROOT,
            capture_output=True,
            timeout=JUDGING,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return UNREAD
    return done.returncode if done.returncode in (ACCEPTED, UNREAD) else 1
