"""A planner of the user's, guarded: what it raises is told as its error, and its time limit is kept."""

from __future__ import annotations

from semantics.body.foreign import guarded, in_time
from semantics.body.protocols import Cancellable, FoundPlan, NoPlan, Planner, ProfiledPlanner
from semantics.errors import OutsideError
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Action

LATE = 2.0  # how much longer than its time limit a planner may take, in seconds


class OwnPlanner:
    """A planner object; implements `semantics.body.protocols.Planner`, and `ProfiledPlanner` where the object does."""

    def __init__(self, planner: Planner) -> None:
        self.name = planner.name
        self._planner = planner
        if isinstance(planner, ProfiledPlanner):
            self.profile = planner.profile

    def solve(self, domain: str, problem: str, *, seconds: float) -> FoundPlan | NoPlan:
        """Ask it.

        Raises:
            OutsideError: It raises an error, or its answer is no answer of a planner.
        """
        limit = seconds + LATE
        with guarded(self._broken):
            try:
                return in_time(lambda: self._checked(self._planner.solve(domain, problem, seconds=seconds)), limit)
            except TimeoutError:
                self.cancel()
                return NoPlan(Feedback(Code.PLANNER_TIMEOUT, f"the planner {self.name}", f"no answer in {limit:.3g} s"))

    def _checked(self, answer: FoundPlan | NoPlan) -> FoundPlan | NoPlan:
        if isinstance(answer, NoPlan) and isinstance(answer.feedback, Feedback):
            return answer
        if isinstance(answer, FoundPlan):
            actions = tuple(Action(each.name, tuple(each.args)) for each in answer.actions)
            if all(isinstance(word, str) for action in actions for word in (action.name, *action.args)):
                return FoundPlan(actions, answer.optimal, answer.seconds, answer.bound)
        raise self._broken(f"it answers {answer!r:.80}, which is neither a FoundPlan of Actions nor a NoPlan")

    def cancel(self) -> None:
        """Cancel its search, if it can."""
        if isinstance(self._planner, Cancellable):
            with guarded(self._broken):
                self._planner.cancel()

    def close(self) -> None:
        """Close it."""
        with guarded(self._broken):
            self._planner.close()

    def _broken(self, why: str) -> OutsideError:
        return OutsideError(f"planner {self.name}: {why}")
