"""What a batch consists of, what came of it, and the figures of that."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, Self

from graftwork.record.episode import Outcome
from semantics.errors import UsageError
from semantics.proportion import wilson_interval

MOST_RUNS = 100_000
SUCCEEDED = frozenset({Outcome.ACHIEVED, Outcome.ALREADY, Outcome.ANSWERED})
FIGURES = ("body_seconds", "seconds", "ticks", "repairs", "solved", "cost", "message", "record")
WITHOUT_RESULT = frozenset({Outcome.UNAVAILABLE, Outcome.UNUSABLE_REPLY, Outcome.FAULT})


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """What is wanted: one of an instruction, a goal and a program, or the goal of the scene, then a PDDL problem.

    Attributes:
        instruction: An instruction.
        goal: A goal in PDDL.
        program: The file of a program.
        scene: The scene, by name or path; None for that of the settings.
        name: A name that no other request of the batch has, such as ``line3``; empty if there is only one request.
    """

    instruction: str | None = None
    goal: str | None = None
    program: str | None = None
    scene: str | None = None
    name: str = ""

    def __str__(self) -> str:
        return self.instruction or self.goal or self.program or "the goal of the scene"


@dataclass(frozen=True, slots=True)
class BatchRun:
    """One run of a batch: a request, and the seed of the scene."""

    request: BatchRequest
    seed: int

    @property
    def name(self) -> str:
        """Its name, unique in the batch, and that of the folder of its record."""
        return "-".join(filter(None, (self.request.name, f"seed{self.seed}")))


@dataclass(frozen=True, slots=True)
class BatchResult:
    """How a run of a batch ended."""

    run: BatchRun  # the run
    outcome: Outcome  # Its outcome. A run beyond its time limit counts as failed, one whose process ended as a fault.
    message: str  # one sentence for a person
    body_seconds: float = 0.0  # how long it took on the body's clock
    # how long it took on the wall clock, with the opening of the session; of a conversation an equal share
    seconds: float = 0.0
    ticks: int = 0  # number of ticks of the tree
    repairs: int = 0  # how often a recovery strategy answered a failure
    solved: int = 0  # how many of these answers helped
    cost: float | None = None  # cost of the first plan; None without one
    record: str | None = None  # folder of the record; None if there is none

    @property
    def succeeded(self) -> bool:
        """Whether the goal holds at the end, or a question was answered."""
        return self.outcome in SUCCEEDED

    @property
    def is_final(self) -> bool:
        """Whether it says something about the request: the run neither crashed nor lacked something outside."""
        return self.outcome not in WITHOUT_RESULT

    def as_dict(self) -> dict[str, Any]:
        """Return plain data: a row of the CSV file, and an object of the JSON output."""
        wanted = asdict(self.run.request)
        named = {"name": self.run.name, "request": wanted.pop("name"), **wanted, "seed": self.run.seed}
        came = {"outcome": str(self.outcome), "succeeded": self.succeeded}
        return named | came | {name: getattr(self, name) for name in FIGURES}

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Self:
        """Read what `as_dict` wrote.

        Raises:
            KeyError, ValueError: It is something else.
        """
        request = BatchRequest(row["instruction"], row["goal"], row["program"], row["scene"], row["request"])
        run = BatchRun(request, row["seed"])
        return cls(run, Outcome(row["outcome"]), **{name: row[name] for name in FIGURES})


@dataclass(frozen=True, slots=True)
class BatchSummary:
    """The figures of some results."""

    runs: int  # how many there are
    succeeded: int  # how many of them reached their goal
    low: float  # lower bound of the rate of success: Wilson's interval at 95 %
    high: float  # upper bound
    body_seconds: float | None  # median of the seconds on the body's clock, of those that succeeded; None without any
    seconds: float | None  # median of the seconds on the wall clock, of all; None without results
    repairs: int  # all uses of recovery strategies
    solved: int  # how many of them helped

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)


def batch_runs(requests: Iterable[BatchRequest], seeds: Iterable[int]) -> list[BatchRun]:
    """Return the runs of a batch: each request with each seed.

    Raises:
        UsageError: There are too many, or two have the same name.
    """
    every = tuple(seeds)
    runs = [BatchRun(request, seed) for request in requests for seed in every]
    if len(runs) > MOST_RUNS:
        raise UsageError(f"{len(runs)} runs are too many for a batch; at most {MOST_RUNS}")
    if len({run.name for run in runs}) < len(runs):
        raise UsageError("two runs of the batch have the same name: give each request a name of its own")
    return runs


def summary_of(results: Sequence[BatchResult]) -> BatchSummary:
    """Return the figures of results."""
    succeeded = [result.body_seconds for result in results if result.succeeded]
    return BatchSummary(
        len(results),
        len(succeeded),
        *wilson_interval(len(succeeded), len(results)),
        median(succeeded) if succeeded else None,
        median([result.seconds for result in results]) if results else None,
        sum(result.repairs for result in results),
        sum(result.solved for result in results),
    )


def csv_of(results: Iterable[BatchResult]) -> str:
    """Return results as a CSV text, with a line of names first."""
    text = io.StringIO()
    columns = BatchResult(BatchRun(BatchRequest(), 0), Outcome.FAILED, "").as_dict()
    writer = csv.DictWriter(text, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(result.as_dict() for result in results)
    return text.getvalue()
