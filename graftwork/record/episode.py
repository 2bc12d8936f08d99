"""`Episode`: what came of one instruction, as ``graftwork run --json`` prints it and as memory keeps it.

The document is versioned: a field may be added within a version, a changed meaning raises `VERSION`.

`Stopwatch` takes the wall-clock seconds of each named stage; a stage inside another is taken out of the outer one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, Self

from semantics.errors import UsageError
from semantics.feedback import Code, Feedback
from semantics.state import Action

__all__ = ["VERSION", "Episode", "Outcome", "RungUse", "Stopwatch", "Tried"]


VERSION = 1


class Outcome(StrEnum):
    """How it ended."""

    ACHIEVED = "achieved"  # acted, and the goal was sensed
    ALREADY = "already"  # it held before; nothing moved
    FAILED = "failed"  # acted, goal not reached
    REFUSED = "refused"  # before anything moved
    QUESTION = "question"  # it needed an answer and had nobody to ask; nothing moved
    STOPPED = "stopped"  # by the person
    UNAVAILABLE = "unavailable"  # something outside is not there
    FAULT = "fault"  # of this program
    PLANNED = "planned"  # a dry run: the plan stands, nothing was to move

    @property
    def exit_code(self) -> int:
        """Exit code of the command line (2 is for bad usage and bad files, which make no episode)."""
        return _EXIT_CODES[self]


_EXIT_CODES = {
    Outcome.ACHIEVED: 0,
    Outcome.ALREADY: 0,
    Outcome.FAILED: 1,
    Outcome.REFUSED: 3,
    Outcome.QUESTION: 3,
    Outcome.STOPPED: 4,
    Outcome.UNAVAILABLE: 5,
    Outcome.FAULT: 70,
    Outcome.PLANNED: 0,
}


@dataclass(frozen=True, slots=True)
class RungUse:
    """One use of the repair ladder.

    Attributes:
        code: Of the failure.
        rung: Who took it.
        solved: Whether the run got further with the answer: what had failed was brought about, or the goal was.
        seconds: From the failure to the answer, on the body's clock.
    """

    code: Code
    rung: str
    solved: bool
    seconds: float = 0.0

    def as_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {"code": str(self.code), "rung": self.rung, "solved": self.solved, "seconds": self.seconds}


@dataclass(frozen=True, slots=True)
class Episode:
    """What came of one instruction.

    Attributes:
        outcome: How it ended.
        instruction: The sentence as given; empty when a goal was given instead.
        domain: Name of the domain.
        scene: Name of the scene.
        robot: Name of the body, such as ``pybullet``.
        model: Name of the language model, such as ``offline``.
        seed: Of the scene.
        goal: The goal as PDDL, the one that was pursued in the end; None when there is none.
        plan: The actions of the first plan, as PDDL, in order.
        cost: Of that plan, in the domain's unit; None without a plan.
        costs: The parts of the cost of each of its steps: ``agent``, ``distance``, ``duration``, ``risk``.
        planner: Who made it; ``memory`` when it was remembered; empty without a plan.
        choice: Why that planner, and which feature excluded which other one; None where there was no choice.
        optimal: Whether the planner proved that no plan is cheaper.
        feedback: Everything that went wrong, in order.
        ticks: How many the tree had.
        rungs: Which rung of the repair ladder took which failure.
        model_calls: Requests made to a language model.
        tokens: What those cost.
        recalled: Whether the goal came from memory.
        seconds: Wall-clock seconds of each stage, by name.
        message: One sentence for a person.
        report: Where the report is; None when nothing was recorded.
        requests: What persons were asked to do, in order: ``t`` (seconds of the body's clock), ``agent``, ``step`` and
            ``text`` each.
        tried: How often each action worked and failed, and how long it took.
        failures: Every failure on the way, oldest first: ``t``, the ``step``, its ``feedback``, which ``rungs`` were
            asked (``rung``, whether it ``answered``, whether that ``solved`` it, and ``seconds`` to the answer), and
            ``solved_by``, the rung that solved it or null.
        fixes: What mended failures by further steps, for `graftwork.recovery.accepted_rules`: ``code``, ``step``, the
            steps ``before`` and ``after`` it, the ``rung`` that they came from, and the ``culprits``.
        part: What of the goal was gone for, when not all of it can be had: ``reached``, ``left_out`` (each a literal
            with its feedback), ``value`` and ``optimal``; None when all of it was.
        program: The text of the program that was to be carried out; None for a sentence.
        first_goal: The goal as it was understood, as PDDL, where another was pursued in the end; None where it stood.
        turns: How the run went on where no plan was left: ``t``, the ``rung``, what was ``said`` of it, and the
            ``goal`` (its literals) from then on, or the steps of the ``errand`` that was done first.
        notes: What was assumed of the goal, one sentence each: a word that was read as a thing, something used instead.
    """

    outcome: Outcome
    instruction: str
    domain: str
    scene: str
    robot: str
    model: str
    seed: int = 0
    goal: str | None = None
    plan: tuple[str, ...] = ()
    cost: float | None = None
    optimal: bool = False
    feedback: tuple[Feedback, ...] = ()
    ticks: int = 0
    rungs: tuple[RungUse, ...] = ()
    model_calls: int = 0
    tokens: int = 0
    recalled: bool = False
    seconds: Mapping[str, float] = field(default_factory=dict)
    message: str = ""
    report: str | None = None
    requests: tuple[Mapping[str, Any], ...] = ()
    costs: tuple[Mapping[str, float], ...] = ()
    planner: str = ""
    choice: Mapping[str, Any] | None = None
    tried: tuple[Tried, ...] = ()
    part: Mapping[str, Any] | None = None
    failures: tuple[Mapping[str, Any], ...] = ()
    fixes: tuple[Mapping[str, Any], ...] = ()
    program: str | None = None
    first_goal: str | None = None
    turns: tuple[Mapping[str, Any], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """Exit code of the command line."""
        return self.outcome.exit_code

    def as_dict(self) -> dict[str, Any]:
        """Return the versioned document: plain data, ready for JSON."""
        return {
            "version": VERSION,
            "outcome": str(self.outcome),
            "instruction": self.instruction,
            "domain": self.domain,
            "scene": self.scene,
            "robot": self.robot,
            "model": self.model,
            "seed": self.seed,
            "goal": self.goal,
            "plan": list(self.plan),
            "cost": self.cost,
            "optimal": self.optimal,
            "feedback": [record.as_dict() for record in self.feedback],
            "ticks": self.ticks,
            "rungs": [use.as_dict() for use in self.rungs],
            "model_calls": self.model_calls,
            "tokens": self.tokens,
            "recalled": self.recalled,
            "seconds": dict(self.seconds),
            "message": self.message,
            "report": self.report,
            "requests": [dict(request) for request in self.requests],
            "costs": [dict(shares) for shares in self.costs],
            "planner": self.planner,
            "choice": self.choice,
            "tried": [tried.as_dict() for tried in self.tried],
            "part": self.part,
            "failures": [dict(failure) for failure in self.failures],
            "fixes": [dict(fix) for fix in self.fixes],
            "program": self.program,
            "first_goal": self.first_goal,
            "turns": [dict(turn) for turn in self.turns],
            "notes": list(self.notes),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Episode:
        """Read a document that `as_dict` wrote.

        Raises:
            UsageError: It is of another version, or lacks a field.
        """
        fields = dict(document)
        version = fields.pop("version", None)
        if version != VERSION:
            raise UsageError(f"an episode of version {version}; this program reads version {VERSION}")
        try:
            fields["outcome"] = Outcome(fields["outcome"])
            fields["plan"] = tuple(fields["plan"])
            fields["requests"] = tuple(map(dict, fields.get("requests", ())))
            fields["costs"] = tuple(map(dict, fields.get("costs", ())))
            fields["notes"] = tuple(map(str, fields.get("notes", ())))
            fields["turns"] = tuple(map(dict, fields.get("turns", ())))
            fields["fixes"] = tuple(map(dict, fields.get("fixes", ())))
            fields["failures"] = tuple(map(dict, fields.get("failures", ())))
            fields["tried"] = tuple(map(Tried.from_dict, fields.get("tried", ())))
            fields["feedback"] = tuple(map(Feedback.from_dict, fields["feedback"]))
            fields["rungs"] = tuple(RungUse(**{**use, "code": Code(use["code"])}) for use in fields["rungs"])
            return cls(**fields)
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(f"not an episode: {error}") from error


class Tried(NamedTuple):
    """Tries of one action.

    Attributes:
        action: What was tried.
        worked: How often its effects were sensed afterwards.
        failed: How often the body gave it up, or they were not.
        seconds: How long those that worked took together, in seconds of the body's clock.
    """

    action: Action
    worked: int = 0
    failed: int = 0
    seconds: float = 0.0

    def as_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        counts = {"worked": self.worked, "failed": self.failed, "seconds": round(self.seconds, 3)}
        return {"action": str(self.action), **counts}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `as_dict` wrote.

        Raises:
            KeyError, UsageError: It is none.
        """
        words = str(document["action"]).strip("()").split()
        if not words:
            raise UsageError("a try of no action")
        action = Action(words[0], tuple(words[1:]))
        return cls(action, int(document["worked"]), int(document["failed"]), float(document["seconds"]))


@dataclass(eq=False)
class Stopwatch:
    """Adds up the wall-clock seconds spent in each named stage; `total` counts from the start."""

    _started: float = field(init=False, default_factory=time.perf_counter)
    _spent: dict[str, float] = field(init=False, default_factory=dict)
    _inner: list[float] = field(init=False, default_factory=lambda: [0.0])

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count what happens inside as `name`."""
        begun = time.perf_counter()
        self._inner.append(0.0)
        try:
            yield
        finally:
            passed = time.perf_counter() - begun
            self._spent[name] = self._spent.get(name, 0.0) + passed - self._inner.pop()
            self._inner[-1] += passed

    def seconds(self) -> dict[str, float]:
        """Return the seconds of every stage, and in all."""
        return {name: round(spent, 4) for name, spent in self._spent.items()} | {
            "total": round(time.perf_counter() - self._started, 4)
        }
