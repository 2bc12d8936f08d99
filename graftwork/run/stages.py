"""Goals that are reached one after the other: each is decided when its turn comes, from what is believed then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from bt import Runner, Tree
from bt.stages import Stages
from graftwork.decision import Decision, FinalDecision, PlanDecision
from graftwork.record.episode import Outcome
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal


def only_first(decision: PlanDecision) -> PlanDecision:
    """Return a decision without the goals that come later."""
    goal = decision.goal
    return replace(decision, goal=replace(goal, goal=goal.goal.stages[0]), ahead=())


@dataclass(eq=False)
class GoalsInOrder:
    """Decides the goals after the first one, for `bt.stages.Stages`.

    The next goal profits from what was seen meanwhile, and its tree recovers by itself. A goal that was sensed to hold
    need not hold any longer afterwards.

    Attributes:
        first: The first goal, with the others as `later`.
        decide: Returns the work that decides a goal from the present state.
        begun: Called with the decision of the next goal; returns its tree, or where its plan breaks.
        changed: Returns the goal that is pursued now, if it is no longer the one that was decided first.
        achieved: The goals that were sensed to hold, in order.
    """

    first: CheckedGoal
    decide: Callable[[Goal], Callable[[], Decision]]
    begun: Callable[[PlanDecision], Tree | Feedback]
    changed: Callable[[], CheckedGoal | None]
    achieved: list[CheckedGoal] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Begin with the first goal."""
        self.achieved.clear()
        self._later = self.first.goal.later
        self._holding: CheckedGoal | None = None

    def reached(self) -> bool:
        """Note that the present goal was sensed to hold; return whether another one follows."""
        goal = self._holding or self.changed() or self.first
        self.achieved.append(replace(goal, goal=goal.goal.stages[0]))
        self._holding = None
        return bool(self._later)

    def work(self) -> Callable[[], Decision]:
        """Return the work that decides the next goal, with a look at those after it."""
        following, *rest = self._later
        return self.decide(replace(following, later=tuple(rest)))

    def begin(self, decision: Decision) -> Tree | Feedback | None:
        """Return the tree of the next goal; None if it holds already."""
        self._later = self._later[1:]
        if isinstance(decision, PlanDecision):
            return self.begun(decision)
        if decision.outcome is Outcome.ALREADY and isinstance(decision.goal, CheckedGoal):
            self._holding = decision.goal
            return None
        return why_not(decision)


def in_order(runner: Runner | None) -> GoalsInOrder | None:
    """Return the goals that a runner's tree reaches one after the other; None if it pursues one."""
    root = None if runner is None else runner.root
    return root.following if isinstance(root, Stages) and isinstance(root.following, GoalsInOrder) else None


def why_not(decision: FinalDecision) -> Feedback:
    """Return why nothing is done, as one feedback."""
    return decision.feedback[0] if decision.feedback else Feedback(Code.NO_PLAN, "the goal", decision.message)
