"""The part of a run that takes in what comes into view, where its goal asks for all things of a sort."""

from __future__ import annotations

from abc import abstractmethod

from bt import Runner
from domains.world import World
from graftwork.decision import Decision, FinalDecision, PlanDecision
from graftwork.decision.newcomers import newcomers, with_newcomers
from graftwork.record.episode import Outcome
from graftwork.run.context import RunState, Services, changed_meanwhile, names_needed
from graftwork.run.program_text import all_told
from graftwork.run.stages import in_order
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal
from semantics.plain_text import together

MOST_ANEW = 3  # how often a run decides anew because what its decision needs has become another thing meanwhile


class Growing:
    """The part of a run that pursues its goal again with what has appeared, before it ends."""

    runner: Runner | None
    _services: Services
    _state: RunState
    _grown: Goal | None = None  # the goal with what has appeared; None while nothing has
    _reached: tuple[CheckedGoal, ...] = ()
    _considered: frozenset[str] = frozenset()  # the unknown things that the last decision knew of
    _ticks_before: int = 0  # the ticks of the trees before the present one
    _decided_anew: int = 0

    @property
    @abstractmethod
    def goal(self) -> CheckedGoal | Goal | None:
        """The goal that is pursued now."""

    @abstractmethod
    def _decide(self) -> None: ...

    @abstractmethod
    def _end(
        self, outcome: Outcome, message: str, feedback: tuple[Feedback, ...], goal: CheckedGoal | Goal | None
    ) -> None: ...

    def _as_now(self, decision: Decision, then: World) -> Decision | None:
        """Return a decision that was made when the world was `then`, if it holds; else decide anew, or refuse it."""
        services = self._services
        if isinstance(decision, PlanDecision):
            why = changed_meanwhile(names_needed(decision), then, services.world)
        else:
            goal = decision.goal if decision.outcome is Outcome.ALREADY else None
            new = newcomers(goal.goal, services.world, services.watcher.state) if isinstance(goal, CheckedGoal) else ()
            why = f"{together(new)} came into view meanwhile" if new else ""
        if not why:
            return decision
        self._decided_anew += 1
        if self._decided_anew > MOST_ANEW:
            feedback = Feedback(Code.UNKNOWN_NAME, "what is decided", why, "Say it again.")
            return FinalDecision(Outcome.REFUSED, str(feedback), (feedback,))
        assert self._state.record is not None
        self._state.record.note(f"{why}; it is decided anew")
        self._decide()
        return None

    def _takes_in(self) -> bool:
        """Decide anew if the goal, which was reached, means more things than when it was read; say whether it does."""
        goals, goal = in_order(self.runner), self.goal
        if not isinstance(goal, CheckedGoal) or self.runner is None or self._state.record is None:
            return False
        said = goal.goal if goals is None else goals.first.goal
        world, state = self._services.world, self._services.watcher.state
        new = newcomers(said, world, state)
        asks = any(stage.every for stage in said.stages) and bool({*world.unknown} - self._considered)
        if not (new or asks):
            return False
        if new:
            self._state.record.note(f"{together(new)} came into view meanwhile; it is asked for as well")
        self._reached = (goal,) if goals is None else tuple(goals.achieved)
        self._grown, self._ticks_before = with_newcomers(said, world, state), self._ticks_before + self.runner.ticks
        self._state.goal, self.runner = None, None
        self._decide()
        return True

    def _end_grown(self, decision: FinalDecision) -> bool:
        """End with what was reached, if what has appeared needs nothing more, has no plan, or nobody answers."""
        if self._grown is None or decision.outcome not in (Outcome.ALREADY, Outcome.REFUSED, Outcome.QUESTION):
            return False
        left = "" if decision.outcome is Outcome.ALREADY else f" Left out of what came into view: {decision.message}"
        message = all_told(self._reached, self._services.watcher) + left
        self._end(Outcome.ACHIEVED, message, (), self._reached[-1])
        return True
