"""The base of all nodes of a program: their line, their values, their position, and how they go on after a stop.

A program is procedural: a statement that has ended is not begun again because the world has changed, so blocks have
memory. A running node that was stopped from above goes on at the same position in its next tick; a node that has ended
begins again.

The position of a running program is the statement of each block that runs or comes next, as values. Nodes report it
(`Flow.standing`, `Block.stand`), and new nodes of the same or of an edited program are set to it (`Flow.go_on`,
`Block.go_on`). It is valid between two ticks only.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.background import Cancellation
from bt.execution.improvement import WorldBeliefs
from bt.execution.step import ActionLeaf
from bt.node import Accountable, failure_of, path_of, walk
from bt.programs.evaluation import ExpressionEvaluator, Spent, Trouble, trouble
from bt.programs.language import Language
from bt.programs.values import Odd, Value, answer_of
from bt.programs.writer import value_of
from bt.record import Journal
from bt.recovery.inquiry import UserPrompt
from domains.world import World
from semantics.body.observation import Sighting
from semantics.body.protocols import Beliefs, NoPlan, Robot, Skill, heading_of, reaches_of, sightings_of, views_of
from semantics.logic.atoms import Atom, Literal
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Rejection
from semantics.logic.goal_check import check_goal
from semantics.logic.program import Comments, Function, ProgramLimits, Statement, TextPosition, Voice
from semantics.logic.rules import RuleBook
from semantics.logic.state import Action, Plan, State


class Jump(StrEnum):
    """What ends a block before its last statement."""

    BREAK = "break"
    CONTINUE = "continue"
    RETURN = "return"


@dataclass(slots=True)
class Frame:
    """The values of a call of a function, or of the program itself."""

    values: dict[str, Value] = field(default_factory=dict)  # the values by name
    depth: int = 0  # the number of calls above this one
    jump: Jump | None = None  # the statement that ends the current block; None while it goes on
    returned: Value | None = None  # the result, once there is one

    def clear(self) -> None:
        """Forget everything."""
        self.values.clear()
        self.jump = self.returned = None


@dataclass(frozen=True, slots=True)
class Stand:
    """The position in a block."""

    number: int  # the number of the statement that runs or comes next; the number of statements at the end
    within: Under | None = None  # the position in that statement; None before it begins
    passed: frozenset[int] = frozenset()  # the numbers of later statements that are already done in this pass


@dataclass(frozen=True, slots=True)
class Going:
    """A running statement without blocks; its node goes on."""

    node: Behaviour


@dataclass(frozen=True, slots=True)
class Chosen:
    """The block of an ``if`` or ``try`` that runs, 1 for the ``else`` or ``except``."""

    which: int
    block: Stand


@dataclass(frozen=True, slots=True)
class Round:
    """A loop."""

    members: tuple[Value, ...] | None  # The list of a ``for``; None to make it now. Empty for a ``while``.
    next_one: int  # the number of passes that were begun
    block: Stand | None  # the position in the current pass; None between two passes


@dataclass(frozen=True, slots=True)
class Called:
    """A running function, with its values."""

    frame: Frame
    block: Stand


Under = Going | Chosen | Round | Called


GoalPlanner = Callable[[CheckedGoal, State], Plan | NoPlan]
Recall = Callable[[CheckedGoal, Sequence[Action], State], Plan | None]
"""Returns the actions that a program gives for a goal as a plan, if they still reach it from a state."""
GoalCheck = Callable[[Goal, State], CheckedGoal | Rejection]
Pursuer = Callable[[CheckedGoal, Plan, State], Behaviour | Feedback]
"""Makes the tree that pursues a goal by a plan that was made from a state, or says where the plan breaks."""


@dataclass(frozen=True, slots=True)
class Asking:
    """Where questions to the person lie, and how long an answer is waited for, in seconds of the body's clock."""

    desk: UserPrompt
    seconds: float = 60.0


@dataclass(frozen=True)
class ProgramContext:
    """The means that all nodes of a program use; see `bt.programs.compile_program`.

    A name keeps its meaning while the program runs; what else there is, the beliefs say at each use.
    """

    bound: Mapping[str, str]
    given: Language | None
    functions: dict[str, Function]
    limits: ProgramLimits
    beliefs: Beliefs
    robot: Robot
    skills: Mapping[str, Skill]
    patience: float
    journal: Journal | None
    build: Callable[[Sequence[Statement], TextPosition, ProgramContext, Frame], Behaviour]
    check: GoalCheck | None = None
    planner: GoalPlanner | None = None
    voice: Voice | None = None
    delay: float | None = None
    around: Callable[[Behaviour], Behaviour] | None = None
    pursuer: Pursuer | None = None
    recall: Recall | None = None
    asking: Asking | None = None
    cancellation: Cancellation | None = None
    spent: Spent = field(default_factory=Spent)
    achieved: list[CheckedGoal] = field(default_factory=list)

    @property
    def world(self) -> World:
        """The present world, of beliefs that know one."""
        assert isinstance(self.beliefs, WorldBeliefs)
        return self.beliefs.world

    @property
    def language(self) -> Language:
        """The names of the present world; for beliefs about no known world, those that the program was checked with."""
        if self.given is not None:
            return self.given
        world = self.world
        key = ("language", frozenset(self.bound.items()))
        return world.remember(key, lambda: Language(world.domain, world.objects, self.bound))

    def check_goal(self, goal: Goal, state: State) -> CheckedGoal | Rejection:
        """Check the goal of an ``achieve``."""
        if self.check is not None:
            return self.check(goal, state)
        if self.given is None:
            vocabulary, rules = self.world.vocabulary, self.world.rules
        else:
            domain = self.given.domain
            vocabulary, rules = domain.vocabulary(self.given.things), RuleBook(domain.rules)
        return check_goal(goal, vocabulary, rules=rules, state=state)

    @property
    def state(self) -> State:
        """The believed state, including derived facts."""
        state, axioms = self.beliefs.state, self.language.axioms
        return axioms.close(state) if axioms else state

    def holds(self, atom: Atom) -> bool:
        """Return whether a fact that is sensed on demand held at the last sensing."""
        return self.beliefs.sensed(Literal(atom)) is True

    def sightings(self) -> Mapping[str, Sighting]:
        """Return where things are, as far as the beliefs say so."""
        return sightings_of(self.beliefs)

    @property
    def paused(self) -> bool:
        """Whether the limit of this tick is reached."""
        return self.spent.in_tick >= self.limits.steps_per_tick or self.spent.work >= self.limits.work // 2

    def record(self, event: str, fields: Mapping[str, object]) -> None:
        """Write an event with its time to the journal, if there is one."""
        if self.journal is not None:
            self.journal.write(event, {"t": round(self.robot.clock.now(), 3), **fields})

    def spend(self, place: TextPosition) -> None:
        """Count the start of a statement.

        Raises:
            Trouble: The limit of statements is exceeded.
        """
        self.spent.steps += 1
        self.spent.in_tick += 1
        if self.spent.steps > self.limits.steps:
            why = f"more than {self.limits.steps} statements were begun"
            raise trouble(place, "the program", why, Code.BUDGET_SPENT, "Ask for less at a time.")


class Flow(Accountable):
    """A node that chooses in each tick the child to tick, or the status with which it ends.

    Args:
        kind: The kind of the statement.
        head: Its first line as text.
        place: The position of that line.
        setting: The means of the program.
        frame: The values.
        children: Its blocks.
        statement: The statement; None for a block and for the whole program.

    Raises:
        RuntimeError: From a tick, never: what cannot go on fails with `feedback`.
    """

    def __init__(
        self,
        kind: str,
        head: str,
        place: TextPosition,
        setting: ProgramContext,
        frame: Frame,
        children: Sequence[Behaviour] = (),
        statement: Any = None,  # noqa: ANN401 - each kind of node has its own
    ) -> None:
        super().__init__(name=kind)
        self.children = list(children)
        for child in self.children:
            child.parent = self
        self.kind = kind
        self.what = head
        self.place = place
        self.setting = setting
        self.frame = frame
        self.statement = statement
        self._held = False
        self._begun = False

    @property
    def call(self) -> Any:  # noqa: ANN401 - only nodes of calls ask for it
        """The call of the statement."""
        return value_of(self.statement)

    @abstractmethod
    def begin(self) -> None:
        """Start from the beginning; may raise `Trouble`."""

    def upcoming(self) -> Behaviour | Status:
        """Return the child to tick now, or the status; without a child succeed. May raise `Trouble`."""
        return self.children[0] if self.children else Status.SUCCESS

    def took(self, child: Behaviour) -> Status | None:
        """Handle a child that has ended; return the final status, or None to go on; may raise `Trouble`."""
        return self.failed_by(child) if child.status == Status.FAILURE else Status.SUCCESS

    def again(self) -> None:
        """Go on after it was stopped from above."""

    def details(self) -> dict[str, Any]:
        """Return the details of the node for its tree document."""
        comments = Comments() if self.statement is None else self.statement.comments
        return {"text": self.what, **({"comments": asdict(comments)} if comments.text else {})}

    @property
    def comment(self) -> str:
        """What is written about the statement; empty without a comment."""
        return "" if self.statement is None else str(self.statement.comments.text)

    def give_back(self, value: Value | None) -> None:
        """End the function with a result; outside of functions, the result is the answer of the program.

        Raises:
            Trouble: The value is no answer.
        """
        try:
            if self.frame.depth == 0 and value is not None:
                answer_of(value, self.setting.language.things)
        except Odd as error:
            raise trouble(self.place, self.what, str(error), how=error.how) from None
        self.frame.returned, self.frame.jump = value, Jump.RETURN

    def evaluation(self) -> ExpressionEvaluator:
        """Return the evaluator of expressions in the believed state."""
        setting = self.setting
        return ExpressionEvaluator(
            setting.language,
            setting.state,
            self.frame.values,
            setting.limits,
            setting.spent,
            setting.sightings,
            lambda: heading_of(setting.beliefs),
            setting.holds,
            lambda: views_of(setting.beliefs),
            reaches_of(setting.robot),
        )

    def failed_by(self, child: Behaviour) -> Status:
        """Fail with the reason of a child."""
        return self.fail(failure_of(child))

    def update(self) -> Status:
        """Return the status that `tick` has set."""
        return Status(self.status)

    def stop(self, new_status: Status) -> None:
        """End it, and its children with it when it is stopped from above."""
        if new_status == Status.INVALID:
            for child in self.children:
                if child.status != Status.INVALID:
                    child.stop(new_status)
        super().stop(new_status)

    def initialise(self) -> None:
        """Begin, or go on where it was stopped."""
        super().initialise()
        self._begun = self._held

    def terminate(self, new_status: Status) -> None:
        """Remember whether it was stopped while it ran, also when it is stopped once more."""
        running = self.status == Status.RUNNING and self._begun
        self._held = new_status == Status.INVALID and (running or self._held)

    def forget(self) -> None:
        """Begin again with the next tick, also after a stop during the run."""
        self._held = False

    def tick(self) -> Iterator[Behaviour]:
        """Tick children until one of them runs or the statement ends."""
        if self.status != Status.RUNNING:
            self.initialise()
        verdict = self._next()
        while isinstance(verdict, Behaviour):
            yield from verdict.tick()
            verdict = self._after(verdict)
        if verdict != Status.RUNNING:
            self.stop(verdict)
        self.status = verdict
        yield self

    def _next(self) -> Behaviour | Status:
        try:
            if not self._begun:
                self._begun = True
                if self.kind != "block":
                    self.setting.spend(self.place)
                self.begin()
            elif self._held:
                self.again()
            self._held = False
            return self.upcoming()
        except Trouble as error:
            self.note(error.feedback)
            return self.fail(error.feedback)

    def _after(self, child: Behaviour) -> Behaviour | Status:
        if child.status == Status.RUNNING:
            return Status.RUNNING
        try:
            verdict = self.took(child)
            return self.upcoming() if verdict is None else verdict
        except Trouble as error:
            self.note(error.feedback)
            return self.fail(error.feedback)

    @property
    def is_under_way(self) -> bool:
        """Whether the node has begun and not ended, including a stop in between."""
        return self._held or (self.status == Status.RUNNING and self._begun)

    def standing(self) -> Under:
        """Return the position of the node while it runs."""
        return Going(self)

    def go_on(self, under: Any) -> None:  # noqa: ANN401 - each kind of node takes its own
        """Go on at a position with the next tick, instead of beginning; may raise `Trouble`."""
        self._held = True

    def note(self, feedback: Feedback) -> None:
        """Record a failure that occurs first in this node."""
        self.setting.record("feedback", {"node": path_of(self), "feedback": feedback.as_dict()})


def at_rest(root: Behaviour) -> bool:
    """Return whether all motions that were begun below are at rest."""
    return all(node.at_rest() for node in walk(root) if isinstance(node, ActionLeaf))
