"""`Episode`: the result of one instruction, as ``graftwork run --json`` prints it and as the memory stores it.

The document has a version: a version may get new fields; a change of meaning increases `VERSION`.

`Stopwatch` measures the wall-clock seconds of each named stage, without the stages inside it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, NamedTuple, Self

from semantics.errors import UsageError
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Action

VERSION = 1


class Outcome(StrEnum):
    """The outcome of an instruction."""

    ACHIEVED = "achieved"  # the robot acted, and the goal was sensed
    ANSWERED = "answered"  # a question was answered; nothing moved
    ALREADY = "already"  # the goal held before; nothing moved
    FAILED = "failed"  # the robot acted, but the goal was not reached
    REFUSED = "refused"  # refused before anything moved
    QUESTION = "question"  # a question stayed without an answer; nothing moved
    STOPPED = "stopped"  # stopped by the person
    UNAVAILABLE = "unavailable"  # an outside service is missing
    UNUSABLE_REPLY = "unusable-reply"  # no answer of a language model can be used
    FAULT = "fault"  # a fault of this program
    PLANNED = "planned"  # a dry run: there is a plan, and nothing moved

    @property
    def exit_code(self) -> int:
        """Exit code of the command line (2 is for bad usage and bad files, which make no episode)."""
        return _EXIT_CODES[self]


_EXIT_CODES = {
    Outcome.ACHIEVED: 0,
    Outcome.ALREADY: 0,
    Outcome.ANSWERED: 0,
    Outcome.FAILED: 1,
    Outcome.REFUSED: 3,
    Outcome.QUESTION: 3,
    Outcome.STOPPED: 4,
    Outcome.UNAVAILABLE: 5,
    Outcome.UNUSABLE_REPLY: 6,
    Outcome.FAULT: 70,
    Outcome.PLANNED: 0,
}


@dataclass(frozen=True, slots=True)
class RungUse:
    """One use of a recovery strategy."""

    code: Code  # code of the failure
    rung: str  # name of the strategy that answered
    solved: bool  # whether the answer helped: the failed step succeeded afterwards, or the goal was reached
    seconds: float = 0.0  # time from the failure to the answer, on the body's clock

    def as_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {"code": str(self.code), "rung": self.rung, "solved": self.solved, "seconds": self.seconds}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `as_dict` wrote."""
        return cls(**{**document, "code": Code(document["code"])})


@dataclass(frozen=True, slots=True)
class Episode:
    """The result of one instruction.

    Attributes:
        outcome: The outcome.
        instruction: The instruction; for a goal, its text.
        domain: Name of the domain.
        scene: Name of the scene.
        robot: Name of the body, such as ``pybullet``.
        model: Name of the language model, such as ``offline``.
        seed: Seed of the scene.
        goal: The last pursued goal, as PDDL; None when there is none.
        plan: The actions of the first plan, as PDDL, in order.
        cost: Cost of that plan, in the domain's unit; None without a plan.
        costs: The parts of the cost of each of its steps: ``agent``, ``distance``, ``duration``, ``risk``.
        planner: Name of its planner; ``memory`` for a remembered plan; empty without a plan.
        choice: The reason for that planner, and the features that exclude the others; None without a choice.
        optimal: Whether the planner proved that no plan is cheaper.
        feedback: All problems, in order.
        ticks: Number of ticks of the tree.
        rungs: The uses of recovery strategies.
        model_calls: Number of requests to a language model.
        tokens: Number of tokens of these requests.
        exchange: The answers of the model, in order: ``text``, the ``errors`` of one that could not be used, and what
            it was ``told`` if it had chosen a tool.
        recalled: Whether the goal came from memory.
        seconds: Wall-clock seconds of each stage, by name.
        message: One sentence for a person.
        report: Path of the report; None when nothing was recorded.
        requests: The requests to persons to do something, in order, each with ``t`` (seconds of the body's clock),
            ``agent``, ``step`` and ``text``.
        tried: Successes, failures and duration of each action.
        failures: All failures, oldest first: ``t``, the ``step``, its ``feedback``, the strategies asked as ``rungs``
            (``rung``, whether it ``answered``, whether that ``solved`` the failure, and ``seconds`` to the answer), and
            ``solved_by``, the strategy that solved it or null.
        fixes: The failures that additional steps solved, for `graftwork.recovery.accepted_rules`: ``code``, ``step``,
            the steps ``before`` and ``after`` it, the ``rung`` that proposed them, and the ``culprits``.
        part: The pursued part of the goal: ``reached``, ``left_out`` (each a literal with its feedback), ``value`` and
            ``optimal``; None when all of the goal was pursued.
        program: The text of the program; None for an instruction.
        first_goal: The first goal, as PDDL, if another one was pursued later; else None.
        turns: The changes of the goal and the detours: ``t``, the ``rung``, the sentence ``said`` about it, and either
            the new ``goal`` (its literals) or the steps of the ``errand``.
        notes: One sentence each: assumptions about the goal, such as the object that a word was taken for, or a
            substitute; and that a simulation was slower than real time.
        dropped: Why alternatives of the goal, and denials of what can never hold, were left out.
        answer: What a program answered: its ``type`` and ``value``; or the answer to a query, see docs/questions.md.
        treatments: What a person lets things of an unknown class be treated as: ``label``, ``class``, ``source`` and
            ``probability``.
        question: The question that stayed without an answer: its ``text`` and its ``options``; None without one.
        money: What the tokens cost, by the settings ``model_prices`` and ``model_price``.
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
    dropped: tuple[Feedback, ...] = ()
    answer: Mapping[str, Any] | None = None
    treatments: tuple[Mapping[str, Any], ...] = ()
    exchange: tuple[Mapping[str, Any], ...] = ()
    question: Mapping[str, Any] | None = None
    money: float = 0.0

    @property
    def exit_code(self) -> int:
        """Exit code of the command line."""
        return self.outcome.exit_code

    def as_dict(self) -> dict[str, Any]:
        """Return the versioned document: plain data, ready for JSON."""
        return {"version": VERSION} | {each.name: _plain(getattr(self, each.name)) for each in fields(self)}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Episode:
        """Read a document that `as_dict` wrote.

        Raises:
            UsageError: The document has another version, or lacks a field.
        """
        if document.get("version") != VERSION:
            raise UsageError(f"an episode of version {document.get('version')}; this program reads version {VERSION}")
        read = {name: value for name, value in document.items() if name != "version"}
        try:
            read |= {name: reader(read[name]) for name, reader in _REQUIRED.items()}
            read |= {name: tuple(map(reader, read.get(name, ()))) for name, reader in _OPTIONAL.items()}
            return cls(**read)
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(f"not an episode: {error}") from error


def _plain(value: object) -> object:
    """Return a field of an episode as plain data for JSON."""
    match value:
        case Outcome():
            return str(value)
        case Feedback() | RungUse() | Tried():
            return value.as_dict()
        case tuple():
            return list(map(_plain, value))
        case Mapping():
            return dict(value)
    return value


class Tried(NamedTuple):
    """The results of one action in a run."""

    action: Action  # the action
    worked: int = 0  # how often its effects were sensed afterwards
    failed: int = 0  # how often the body gave up or the effects were not sensed
    seconds: float = 0.0  # total time of the successful tries, in seconds of the body's clock

    def as_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        counts = {"worked": self.worked, "failed": self.failed, "seconds": round(self.seconds, 3)}
        return {"action": str(self.action), **counts}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `as_dict` wrote.

        Raises:
            KeyError, UsageError: The document is none of a `Tried`.
        """
        if not str(document["action"]).strip("()").split():
            raise UsageError("a try of no action")
        action = Action.read(str(document["action"]))
        return cls(action, int(document["worked"]), int(document["failed"]), float(document["seconds"]))


_REQUIRED: Mapping[str, Callable[[Any], object]] = {
    "outcome": Outcome,
    "plan": tuple,
    "feedback": lambda records: tuple(map(Feedback.from_dict, records)),
    "rungs": lambda uses: tuple(map(RungUse.from_dict, uses)),
}
"""The reader of each field that every document has."""
_OPTIONAL: Mapping[str, Callable[[Any], object]] = {
    **dict.fromkeys(("requests", "costs", "turns", "fixes", "failures", "treatments", "exchange"), dict),
    "notes": str,
    "dropped": Feedback.from_dict,
    "tried": Tried.from_dict,
}
"""The reader of each item of the lists that older documents do not have."""


@dataclass(eq=False)
class Stopwatch:
    """Adds up the wall-clock seconds of each named stage; `total` counts from the creation of the stopwatch."""

    _started: float = field(init=False, default_factory=time.perf_counter)
    _spent: dict[str, float] = field(init=False, default_factory=dict)
    _inner: list[float] = field(init=False, default_factory=lambda: [0.0])

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count the time inside the context as `name`."""
        begun = time.perf_counter()
        self._inner.append(0.0)
        try:
            yield
        finally:
            passed = time.perf_counter() - begun
            self._spent[name] = self._spent.get(name, 0.0) + passed - self._inner.pop()
            self._inner[-1] += passed

    def seconds(self) -> dict[str, float]:
        """Return the seconds of each stage, and the total."""
        return {name: round(spent, 4) for name, spent in self._spent.items()} | {
            "total": round(time.perf_counter() - self._started, 4)
        }
