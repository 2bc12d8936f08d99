"""The interfaces of bodies, clocks, language models, planners and skills, with their optional abilities.

Each is small. The conformance suite of `tests/contracts` tests each implementation that it lists. An optional ability
is a separate protocol, tested with `isinstance`; a body, a planner or a model without it works too:

=====================  ========  =====================================================
protocol               of a      without it
=====================  ========  =====================================================
`ExactSensing`         body      sensing may err, so a failure has to last for a while
`ConcurrentMotion`     body      one motion at a time
`LimitedMotion`        body      it counts as having all motion primitives
`Informable`           body      facts come from its own sensing only
`Interlocked`          body      the first step over it adds an interlock
`PictureSource`        body      no pictures in the record
`ReachTelling`         body      programs cannot ask what is in reach
`CameraSource`         body      a detector gets no pictures; see `semantics.body.detector`
`LocatingBeliefs`      beliefs   programs cannot ask where things are
`Cancellable`          planner   it is closed to cancel its search
`ProfiledPlanner`      planner   it gets ``adl-costs``, and ``numeric`` where numbers are planned
`AbandonableModel`     model     its answer is awaited in vain after the run was stopped
`ServedModel`          model     messages show its name instead of its server
`NotingModel`          model     nothing of its server is told in the record
=====================  ========  =====================================================
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from semantics.body.motion import (
    Motion as Motion,
    MotionInterlock,
    MotionProgress as MotionProgress,
    MotionStatus as MotionStatus,
)
from semantics.body.observation import Observation, Sighting
from semantics.geometry.geometry import Vector
from semantics.geometry.points import NORTH
from semantics.logic.atoms import Atom, Literal
from semantics.logic.feedback import Feedback
from semantics.logic.state import Action, Command, Operator, State
from semantics.plain_text import whole_characters


@runtime_checkable
class Clock(Protocol):
    """The time of a body. In a simulation, sleeping advances the world."""

    @property
    def simulated(self) -> bool:
        """Whether time stands still unless a caller sleeps, so that waiting for an answer takes none of it."""
        ...

    def now(self) -> float:
        """Return seconds since the clock started."""
        ...

    def sleep(self, seconds: float) -> None:
        """Let `seconds` pass."""
        ...


@runtime_checkable
class Beliefs(Protocol):
    """The current beliefs. Each fact has a source and an age; facts that were not sensed again are kept."""

    revision: int
    """Increases by one with each change of `state`."""

    @property
    def state(self) -> State:
        """The believed state, bookkeeping facts included."""
        ...

    def refresh(self) -> bool:
        """Integrate the latest observation, if it is new; return whether `state` changed."""
        ...

    def sensed(self, literal: Literal, since: float = 0.0) -> bool | None:
        """Return whether `literal` held when it was last sensed, at or after `since`; None when it was not sensed."""
        ...


@runtime_checkable
class LocatingBeliefs(Protocol):
    """Beliefs that know where things are."""

    @property
    def sightings(self) -> Mapping[str, Sighting]:
        """The last sighting of each thing that is, as far as is known, still where it was seen."""
        ...

    @property
    def heading(self) -> float:
        """Where the viewer looks from whom left, right, in front and behind are said, in radians."""
        ...

    @property
    def views(self) -> Mapping[str, float]:
        """Where each agent looks, and who stands at the front of each piece of furniture and faces it, in radians."""
        ...


def views_of(beliefs: Beliefs) -> Mapping[str, float]:
    """Return where each viewer looks; empty for beliefs that do not know."""
    return beliefs.views if isinstance(beliefs, LocatingBeliefs) else {}


def heading_of(beliefs: Beliefs) -> float:
    """Return where the viewer looks; to the north for beliefs that do not know."""
    return beliefs.heading if isinstance(beliefs, LocatingBeliefs) else NORTH


def sightings_of(beliefs: Beliefs) -> Mapping[str, Sighting]:
    """Return where things are; empty for beliefs that do not know."""
    return beliefs.sightings if isinstance(beliefs, LocatingBeliefs) else {}


@runtime_checkable
class AttentiveBeliefs(Protocol):
    """Beliefs that sense some facts only where somebody asks for them."""

    def attend(self, atoms: Collection[Atom]) -> None:
        """Sense these facts from now on, beginning with the last sensing."""
        ...


@runtime_checkable
class Robot(Protocol):
    """A body: it senses by itself, and executes one motion per agent at a time."""

    name: str

    @property
    def clock(self) -> Clock:
        """The clock of the body."""
        ...

    def observation(self) -> Observation:
        """Return the latest observation, without waiting for a new one."""
        ...

    def start(self, command: Command) -> Motion:
        """Start a motion. A command that cannot be executed gives a motion that has already failed, with the reason."""
        ...

    def stop(self) -> None:
        """Stop all motions; safe to call at any time, any number of times."""
        ...

    def close(self) -> None:
        """Stop, and release every resource; safe to call twice."""
        ...


@runtime_checkable
class ExactSensing(Protocol):
    """A body whose sensing never errs, such as a fake without cameras, or the beliefs that such a body feeds.

    Its observations count at once; they need not last for a while. A body with cameras can be wrong for a picture or
    two, because an arm may hide the view.
    """

    @property
    def exact_within(self) -> float | None:
        """The longest delay in seconds of the body's clock until a change is sensed; None when sensing may err."""
        ...


@runtime_checkable
class ConcurrentMotion(Protocol):
    """A body that can execute several motions at a time."""

    def occupies(self, operator: Operator) -> frozenset[str]:
        """Return the hands that a step occupies, or the whole agent."""
        ...


@runtime_checkable
class LimitedMotion(Protocol):
    """A body that tells its motion primitives.

    A session plans without the capabilities that need another primitive, or that leave a role of a primitive empty. A
    body that wraps another exposes the primitives of that body.
    """

    @property
    def primitives(self) -> Collection[str] | None:
        """The names of its motion primitives; a mapping from names to `Primitive` tells roles and limits as well.

        None when the body takes every command.
        """
        ...


@runtime_checkable
class Informable(Protocol):
    """A body that passes on facts, which a skill tells, in its observations; a session makes every body one."""

    def tell(self, facts: Mapping[Atom, bool], *, assumed: bool = False) -> None:
        """Report facts with their truth values from the next observation on, until the body reports otherwise.

        Args:
            facts: The facts.
            assumed: Whether they follow from the success of an action. Then only those count whose predicate is
                `believed` in the world.
        """
        ...


class Sensor(Protocol):
    """Decides facts of one predicate, which a world names by ``sensed: NAME``."""

    def __call__(self, robot: Robot, observation: Observation) -> Mapping[tuple[str, ...], bool]:
        """Return the truth of each fact that was looked at, by its arguments; called once per observation."""
        ...


@runtime_checkable
class Interlocked(Protocol):
    """A body that owns the interlock of its motions, so that all trees that control it share one.

    A body that wraps another exposes the interlock of that body. For a body without one, the first step over it adds
    one; see `semantics.body.interlock.interlocked`.
    """

    motion_interlock: MotionInterlock
    """The motions that were started and have not stopped."""


@runtime_checkable
class PictureSource(Protocol):
    """A body that can render pictures."""

    def picture(self, width: int, height: int) -> bytes:
        """Return a picture of the body in its surroundings as PNG, `width` by `height` pixels."""
        ...


@runtime_checkable
class ReachTelling(Protocol):
    """A body that tells what its hand reaches; it is asked only on demand, and an answer is no belief."""

    def reaches(self, point: Vector) -> bool:
        """Return whether the hand can work at a point in space, in metres, from where the robot stands now.

        Nothing moves, and nothing changes: a rehearsal may ask on another thread while motions run. The limits of the
        joints decide, and not what stands in the way.
        """
        ...


def reaches_of(robot: Robot) -> Callable[[Vector], bool] | None:
    """Return the question of what the hand of a body reaches; None for a body that does not tell it."""
    return robot.reaches if isinstance(robot, ReachTelling) else None


@runtime_checkable
class Skill(Protocol):
    """A custom implementation of a capability: its motion replaces the domain's primitive.

    In a session the robot is `Informable`, so that a skill may tell facts which nothing senses.
    """

    def start(self, operator: Operator, robot: Robot) -> Motion:
        """Start the motion."""
        ...


class Costs(Protocol):
    """Prices of actions, which replace the costs in the domain.

    Prices are whole numbers from 1; `scale` of them make one unit of the domain's costs.
    """

    @property
    def scale(self) -> int:
        """How many units of price make one unit of the domain's costs."""
        ...

    def price(self, operator: Operator, needs: Mapping[str, tuple[str, ...]]) -> int:
        """Return the price of `operator`.

        Args:
            operator: An action on objects that exist; its own `cost` is the one of the domain.
            needs: The affordances that each argument must have.
        """
        ...

    def least(self, operator: Operator) -> int:
        """Return a lower bound of the price of all actions with the same name and agent."""
        ...

    def dearest(self, cost: int) -> int:
        """Return an upper bound on the price of any action that the domain says costs `cost`, in the domain's units."""
        ...

    def signature(self, name: str) -> object:
        """Return what the prices of actions on the object `name` depend on: equal values mean equal prices."""
        ...


@dataclass(frozen=True, slots=True)
class NoPlan:
    """The answer that there is no plan: the reason, and whether it is proven or the time ran out.

    Attributes:
        feedback: The reason.
        proven: Whether it is proven that no plan exists.
        seconds: Duration of the search.
        bound: The best known lower bound of the cost of a plan; 0 when none is known.
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
        seconds: Duration of the search.
        bound: The best known lower bound of the cost of a sequence; 0 when none is known.
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
    """A planner whose search can be cancelled."""

    def cancel(self) -> None:
        """Cancel the running search, from any thread and without waiting; the planner stays usable."""
        ...


@runtime_checkable
class ProfiledPlanner(Protocol):
    """A planner that names the profile of PDDL that it reads, one of `domains.pddl.PROFILES`."""

    profile: str
    """Such as ``strips``. In a profile without costs, the planner gets problems without costs."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation: role ``system``, ``user`` or ``assistant``."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The answer of a language model, and its cost in tokens.

    Attributes:
        text: The answer; a lone surrogate becomes a replacement character.
        tokens: Number of tokens, those that were read and those that were written.
        data: Further data of the model.
        is_cut: Whether the server ended it before its end.
        tokens_out: Those of the tokens that were written.
        model: The name of the model that answered; empty for the one that was asked.
    """

    text: str
    tokens: int = 0
    data: Mapping[str, Any] = field(default_factory=dict)
    is_cut: bool = False
    tokens_out: int = 0
    model: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", whole_characters(self.text))


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
class AbandonableModel(LanguageModel, Protocol):
    """A language model whose requests can be called off."""

    def complete(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> ModelReply:
        """Answer a request that nobody calls off."""
        return self.complete_unless(lambda: False, messages, schema=schema)

    def complete_unless(
        self, called_off: Callable[[], object], messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None
    ) -> ModelReply:
        """Answer as `LanguageModel.complete` does; as soon as `called_off` returns true, close the connection.

        Raises:
            OutsideError: The model cannot be reached, or the answer was called off.
        """
        ...


@runtime_checkable
class ServedModel(Protocol):
    """A language model on a server."""

    server: str
    """Its address as shown in messages, without secrets."""


@runtime_checkable
class NotingModel(Protocol):
    """A language model that notes what a person should know of its server."""

    notes: list[str]
    """One sentence each, oldest first; each is noted once."""
