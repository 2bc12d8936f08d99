"""A planner of the user's, guarded: what it raises is told as its error, and its time limit is kept."""

from __future__ import annotations

from semantics.errors import OutsideError
from semantics.feedback import Code, Feedback
from semantics.foreign import guarded, in_time
from semantics.protocols import Cancellable, FoundPlan, NoPlan, Planner, ProfiledPlanner
from semantics.state import Action

__all__ = ["OwnPlanner"]

LATE = 2.0
"""How much longer than its time limit a planner may take, in seconds."""


class OwnPlanner:
    """A planner object; implements `semantics.protocols.Planner`, and `ProfiledPlanner` where the object does."""

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
        with guarded(self._broken):
            try:
                answer = in_time(lambda: self._planner.solve(domain, problem, seconds=seconds), seconds + LATE)
            except TimeoutError as late:
                self.cancel()
                return NoPlan(Feedback(Code.PLANNER_TIMEOUT, f"the planner {self.name}", str(late)))
        actions = answer.actions if isinstance(answer, FoundPlan) else ()
        if not isinstance(answer, FoundPlan | NoPlan) or not all(isinstance(each, Action) for each in actions):
            raise self._broken(f"it answers {answer!r:.80}, which is neither a FoundPlan of Actions nor a NoPlan")
        return answer

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
