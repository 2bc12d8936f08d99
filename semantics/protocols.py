"""The seams: what a body, a clock, a language model, a planner and a skill must offer, and what they may.

Each is small. An implementation is tested by naming itself in the conformance suite of `tests/contracts`. What only
some can do is a protocol of its own, asked for with `isinstance`; a body, a planner or a model without it works too:

=====================  ========  =====================================================
protocol               of a      without it
=====================  ========  =====================================================
`ExactSensing`         body      a sensing may err, so trouble has to last for a while
`ConcurrentMotion`     body      one motion at a time
`Interlocked`          body      it is given an interlock by who drives it
`PictureSource`        body      no pictures in the record
`Cancellable`          planner   it is closed to be called off
`CountingModel`        model     the answers are counted, not the requests
`ServedModel`          model     messages say its name instead of its server
=====================  ========  =====================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from semantics.atoms import Literal
from semantics.feedback import Feedback
from semantics.motion import Motion, MotionInterlock, MotionProgress, MotionStatus
from semantics.observation import Observation
from semantics.state import Action, Command, Operator, State

__all__ = [
    "Beliefs",
    "Cancellable",
    "Clock",
    "ConcurrentMotion",
    "Costs",
    "CountingModel",
    "ExactSensing",
    "FoundPlan",
    "Interlocked",
    "LanguageModel",
    "Message",
    "ModelReply",
    "Motion",
    "MotionProgress",
    "MotionStatus",
    "NoPlan",
    "PictureSource",
    "Planner",
    "Robot",
    "ServedModel",
    "Skill",
]


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
class ExactSensing(Protocol):
    """A body, or the beliefs that it feeds, whose sensing never errs: one without cameras, such as a fake.

    What it says need not last for a while before it counts. A body with cameras can be wrong for a picture or two,
    since an arm may be in front of them.
    """

    @property
    def exact_within(self) -> float | None:
        """After how many seconds of the body's clock at most it has sensed what is so; None when it may err."""
        ...


@runtime_checkable
class ConcurrentMotion(Protocol):
    """A body that can do several motions at a time."""

    def occupies(self, operator: Operator) -> frozenset[str]:
        """Return the hands that doing a step keeps busy, or the whole agent."""
        ...


@runtime_checkable
class Interlocked(Protocol):
    """A body that carries the interlock of its motions, so that all trees that drive it share one.

    A body that wraps another carries the interlock of that one. A body without one is given one by whoever builds the
    first step over it; see `bt.execution.step.interlocked`.
    """

    motion_interlock: MotionInterlock
    """What was begun of it and has not come to rest."""


@runtime_checkable
class PictureSource(Protocol):
    """A body that can be looked at."""

    def picture(self, width: int, height: int) -> bytes:
        """Return a picture of it in its surroundings as PNG, `width` by `height` pixels."""
        ...


@runtime_checkable
class Skill(Protocol):
    """A capability of one's own: it gives a motion for an operator instead of the domain's primitive."""

    def start(self, operator: Operator, robot: Robot) -> Motion:
        """Begin it."""
        ...


class Costs(Protocol):
    """What actions cost, where that is not what their domain says.

    Prices are whole numbers from 1, in units of which `scale` make one unit of the domain's costs.
    """

    @property
    def scale(self) -> int:
        """How many units make one unit of the domain's costs."""
        ...

    def price(self, operator: Operator, needs: Mapping[str, tuple[str, ...]]) -> int:
        """Return what `operator` costs.

        Args:
            operator: An action on objects that exist; its own `cost` is what the domain says.
            needs: The affordances that are asked of each of its arguments.
        """
        ...

    def least(self, operator: Operator) -> int:
        """Return what an action of this name and by this agent costs at least, whatever it is about."""
        ...

    def dearest(self, cost: int) -> int:
        """Return an upper bound on the price of any action that the domain says costs `cost`, in the domain's units."""
        ...

    def signature(self, name: str) -> object:
        """Return what the prices of actions on the object called `name` depend on: equal means interchangeable."""
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
class FoundPlan:
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

    def solve(self, domain: str, problem: str, *, seconds: float) -> FoundPlan | NoPlan:
        """Answer within about `seconds`; names in the answer are those of the PDDL text.

        Raises:
            OutsideError: The planner cannot be started.
        """
        ...

    def close(self) -> None:
        """End every process it started; safe to call twice."""
        ...


@runtime_checkable
class Cancellable(Protocol):
    """A planner that can be called off."""

    def cancel(self) -> None:
        """Call off what it is at, from any thread and without waiting; it can be asked again afterwards."""
        ...


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation: role ``system``, ``user`` or ``assistant``."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a language model said, and what that cost in tokens."""

    text: str
    tokens: int = 0
    data: Mapping[str, Any] = field(default_factory=dict)


@runtime_checkable
class LanguageModel(Protocol):
    """A language model behind one method."""

    name: str

    def complete(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> ModelReply:
        """Answer; with `schema`, as JSON that obeys it.

        Raises:
            OutsideError: The model cannot be reached after bounded retries.
        """
        ...


@runtime_checkable
class CountingModel(Protocol):
    """A language model that counts its requests."""

    calls: int
    """Requests sent so far, those that failed or were repeated included."""


@runtime_checkable
class ServedModel(Protocol):
    """A language model on a server."""

    server: str
    """Its address as shown in messages, without secrets."""
