"""One run: an instruction is said, and corrected until it is done right or a person has had enough.

Each time that it is said is a session of its own in the same scene, so the things stand as at first again: many of
these instructions mean another block once one was moved. The correction is said in the session of what it is about.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from benchmarks.tabletop.instance import Instance
from benchmarks.tabletop.programs import filled
from benchmarks.tabletop.trial import Observed, observed
from benchmarks.teaching.tabletop.erring_model import ErringModel
from benchmarks.teaching.tabletop.rates import MOST_CORRECTIONS
from benchmarks.teaching.tabletop.skills import ErrorKind, Instruction, Skills
from benchmarks.teaching.talk import corrected
from graftwork import Outcome, Session
from graftwork.run.run import Run
from semantics.errors import OutsideError, UsageError
from semantics.plain_text import shortened

__all__ = ["Attempt", "RunResult", "Table", "Teacher", "try_run"]

FAULT, LONGEST = "fault", 80
GENERAL = "No, that is not what I wanted. I said: {words}."


@dataclass(frozen=True, slots=True)
class Attempt:
    """What became of an instruction that was said once, and of its correction.

    Attributes:
        is_right: Whether it was done, as the judge sees it.
        error: The kind of error of the program that was carried out; empty if it has none.
        outcome: What the session says.
        message: Its message.
        reasons: Why the judge says no.
        calls: Number of requests to the model for the instruction.
        answer: How what the person said then was answered; empty if nothing was said.
        told: The beginning of why it was not kept.
        is_asked: Whether it was asked if it shall be kept.
    """

    is_right: bool
    error: str
    outcome: str
    message: str = ""
    reasons: tuple[str, ...] = ()
    calls: int = 0
    answer: str = ""
    told: str = ""
    is_asked: bool = False


@dataclass(frozen=True, slots=True)
class RunResult:
    """What became of a run.

    Attributes:
        split: The split.
        template: The template.
        number: Which run of the template in the split.
        words: The instruction.
        kind: The error that the model makes in this run if it errs at first; the same under every condition.
        is_unseen: Whether that kind of error is one of those that were not looked at.
        attempts: How often it was said, and what came of it.
        seconds: How long the run took.
    """

    split: str
    template: str
    number: int
    words: str
    kind: str
    is_unseen: bool
    attempts: tuple[Attempt, ...]
    seconds: float

    @property
    def is_right(self) -> bool:
        """Whether it was right in the end."""
        return self.attempts[-1].is_right

    @property
    def corrections(self) -> int:
        """How many corrections there were before it was right, or before the end."""
        return len(self.attempts) - 1


@dataclass(frozen=True, slots=True)
class Teacher:
    """Says what is wrong, in a line of those that people say of such an error."""

    skills: Skills
    seed: str

    def line(self, given: Instance, error: ErrorKind | None, number: int) -> str:
        """Return what is said of an error; of one that is not known, what was wanted.

        Args:
            given: The instruction.
            error: The error that was seen.
            number: Which correction of the run it is.
        """
        if error is None:
            return GENERAL.format(words=given.words)
        text = Random(f"{self.seed}, line {number}").choice(error.teacher)
        said = {name: str(value).replace("_", " ") for name, value in given.attributes.items()}
        return filled(text, said)


@dataclass(frozen=True, slots=True)
class Table:
    """Where a run takes place: the same scene each time.

    Attributes:
        folder: A folder for the scene.
        memory: The file of the memory.
        robot: The body.
        learn: Whether lessons are asked about: ``ask`` or ``allow``.
        observe: Carries out what is begun, and judges it.
    """

    folder: Path
    memory: Path
    robot: str = "pybullet"
    learn: str = "ask"
    observe: Callable[[Session, Instance, Callable[[], Run]], Observed] = observed

    def opened(self, given: Instance, model: ErringModel) -> Session:
        """Open a session in the scene of an instance."""
        scene = self.folder / "scene.yaml"
        scene.write_text(given.scene, encoding="utf-8")
        return Session(
            domain="tabletop",
            scene=str(scene),
            robot=self.robot,
            model=model,
            memory=self.memory,
            learn=self.learn,
            unsaid="allow",  # the evaluation is about what is learned: a program is run as it was written
        )


def try_run(split: str, given: Instance, model: ErringModel, teacher: Teacher, table: Table) -> RunResult:
    """Say an instruction until it is done right, with a correction after each time that it is not."""
    begun, attempts = time.monotonic(), list[Attempt]()
    kind = model.error_of(given.template)
    while len(attempts) <= MOST_CORRECTIONS:
        attempts.append(_tried(given, model, teacher, table, len(attempts)))
        if attempts[-1].is_right:
            break
    seconds = time.monotonic() - begun
    return RunResult(split, given.template, given.seed, given.words, kind.id, kind.is_unseen, tuple(attempts), seconds)


def _tried(given: Instance, model: ErringModel, teacher: Teacher, table: Table, number: int) -> Attempt:
    """Say an instruction once, and correct it if it is wrong and may be said again."""
    with table.opened(given, model) as session:
        try:
            seen = table.observe(session, given, lambda: session.converse(given.words))
        except (UsageError, OutsideError) as fault:
            return Attempt(False, "", FAULT, f"{type(fault).__name__}: {fault}")
        episode, verdict = seen.episode, seen.verdict
        asked = Instruction(given.template, given.attributes)
        error = None if verdict.completed else teacher.skills.error_in(asked, episode.program or "")
        kind, outcome, calls = error.id if error is not None else "", str(episode.outcome), episode.model_calls
        attempt = Attempt(verdict.completed, kind, outcome, episode.message, tuple(verdict.reasons), calls)
        if verdict.completed or number == MOST_CORRECTIONS:
            return attempt
        done = corrected(session, teacher.line(given, error, number))
        told = "" if done.outcome == str(Outcome.ANSWERED) else shortened(done.message, LONGEST)
        return replace(attempt, answer=done.outcome, told=told, is_asked=bool(done.question))
