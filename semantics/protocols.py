"""The seams: what a body, a clock, a language model, a planner and a skill must offer.

Each is small. An implementation is tested by naming itself in the conformance suite of `tests/contracts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from semantics.atoms import Literal
from semantics.feedback import Feedback
from semantics.observation import Observation
from semantics.state import Action, Command, Operator, State

__all__ = [
    "Beliefs",
    "Clock",
    "Found",
    "LanguageModel",
    "Message",
    "Motion",
    "NoPlan",
    "Planner",
    "Progress",
    "Reply",
    "Robot",
    "Skill",
    "Stage",
]


class Stage(StrEnum):
    """How far a motion is."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Progress:
    """A motion's state when polled: `fraction` done from 0 to 1, and why it failed if it did."""

    stage: Stage
    fraction: float = 0.0
    feedback: Feedback | None = None


@runtime_checkable
class Motion(Protocol):
    """A started motion. It advances by itself (or as the clock sleeps); polling never blocks."""

    def poll(self) -> Progress:
        """Return how far it is."""
        ...

    def cancel(self) -> None:
        """Stop it where it is, at once and without error when it has already ended."""
        ...


@runtime_checkable
class Clock(Protocol):
    """Time as the body lives it. In a simulation, sleeping advances the world."""

    @property
    def simulated(self) -> bool:
        """Whether time stands still unless somebody sleeps, so that waiting for an answer costs none of it."""
        ...

    def now(self) -> float:
        """Return seconds since the clock started."""
        ...

    def sleep(self, seconds: float) -> None:
        """Let `seconds` pass."""
        ...


@runtime_checkable
class Beliefs(Protocol):
    """What is held true now. Each fact has a source and an age; what was not sensed anew is kept."""

    revision: int
    """Grows by one whenever `state` changed."""

    @property
    def state(self) -> State:
        """What is held true, bookkeeping facts included."""
        ...

    def refresh(self) -> bool:
        """Take in the body's latest sensing, if it is new; return whether `state` changed."""
        ...

    def sensed(self, literal: Literal, since: float = 0.0) -> bool | None:
        """Return what the last sensing of `literal` at or after `since` showed; None when it was not sensed."""
        ...


@runtime_checkable
class Robot(Protocol):
    """A body: it senses by itself, and does one motion per agent at a time."""

    name: str

    @property
    def clock(self) -> Clock:
        """The time it lives in."""
        ...

    def observation(self) -> Observation:
        """Return the latest sensing; never waits for one."""
        ...

    def start(self, command: Command) -> Motion:
        """Begin a motion. What cannot be done is a motion that is already failed, with the reason."""
        ...

    def stop(self) -> None:
        """Bring everything to rest; safe to call at any time, any number of times."""
        ...

    def close(self) -> None:
        """Stop, and let go of every resource; safe to call twice."""
        ...


@runtime_checkable
class Skill(Protocol):
    """A capability of one's own: it gives a motion for an operator instead of the domain's primitive."""

    def start(self, operator: Operator, robot: Robot) -> Motion:
        """Begin it."""
        ...


@dataclass(frozen=True, slots=True)
class NoPlan:
    """No plan: the reason, and whether that is proven or only ran out of time.

    Attributes:
        feedback: The reason.
        proven: Whether there is none.
        seconds: How long that took.
        bound: What every plan costs at least, as far as was found out; 0 when nothing is known.
    """

    feedback: Feedback
    proven: bool = False
    seconds: float = 0.0
    bound: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """A planner's answer.

    Attributes:
        actions: In order.
        optimal: Whether it proved that no cheaper sequence exists.
        seconds: How long that took.
        bound: What every sequence costs at least, as far as it found out; 0 when nothing is known.
    """

    actions: tuple[Action, ...]
    optimal: bool
    seconds: float = 0.0
    bound: int = 0


@runtime_checkable
class Planner(Protocol):
    """Finds a cheapest sequence of actions for a problem written in PDDL."""

    name: str

    def solve(self, domain: str, problem: str, *, seconds: float) -> Found | NoPlan:
        """Answer within about `seconds`; names in the answer are those of the PDDL text.

        Raises:
            OutsideError: The planner cannot be started.
        """
        ...

    def close(self) -> None:
        """End every process it started; safe to call twice."""
        ...


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation: role ``system``, ``user`` or ``assistant``."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a language model said, and what that cost in tokens."""

    text: str
    tokens: int = 0
    data: Mapping[str, Any] = field(default_factory=dict)


@runtime_checkable
class LanguageModel(Protocol):
    """A language model behind one method."""

    name: str

    def complete(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> Reply:
        """Answer; with `schema`, as JSON that obeys it.

        Raises:
            OutsideError: The model cannot be reached after bounded retries.
        """
        ...
