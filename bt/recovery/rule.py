"""The strategy that repairs a known failure by a rule of the domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bt.recovery.repair_search import Mended, RepairSearch, Splice
from bt.recovery.request import Answer, Detour, NewPlan, Nothing, Request, Strategy
from domains.model import Domain
from semantics.atoms import Conjunct, Literal
from semantics.errors import UsageError
from semantics.feedback import Code, Feedback
from semantics.protocols import NoPlan
from semantics.state import Operator, Plan, State

__all__ = ["Rule"]

MOST_STARTS = 40
"""From how many steps of a plan that cannot go on a repair is tried, last ones first."""
NOTHING = NoPlan(Feedback(Code.INVALID_PLAN, "repair by rules", "no step is known that failed"))


@dataclass(eq=False)
class Rule(Strategy):
    """Repairs a failure by the rules of the domain; the repair is simulated on the model before the robot moves.

    A plan is replaced by the repaired plan, so that the repair is monitored and resumed like any plan. For a step of a
    hand-written tree, the repair is a detour: steps before it, and steps that restore the disturbed facts after it.

    Attributes:
        mender: The rules, and the model on which they are tried.
        codes: The failures to answer; None for those that a rule names.
        seconds: The duration of the search on a simulated clock, in its seconds.
    """

    name = "rule"
    makes_plans = True

    mender: RepairSearch
    codes: frozenset[Code] | None = None
    seconds: float = 0.0

    def applies(self, request: Request) -> bool:
        """Return whether a rule answers such a failure."""
        codes = {Code(rule.code) for rule in self.mender.rules} if self.codes is None else self.codes
        return request.feedback.recoverable and request.feedback.code in codes

    def propose(self, request: Request) -> Answer:
        """Search for a repair of the steps that are left."""
        domain = request.learned or self.mender.domain
        if request.plan is None:
            return Nothing.of(NOTHING) if request.step is None else self._around(request.step, request, domain)
        steps = tuple(self._grounded(step, request.state, domain) for step in request.plan.steps)
        mended = self._mended(steps, request.plan.goal, request, domain)
        if isinstance(mended, NoPlan):
            return Nothing.of(mended)
        plan = Plan(mended.steps, request.plan.goal | mended.owed, planner="rules")
        return NewPlan(plan, owed=mended.owed, notes=_notes(mended.applied))

    def _mended(self, steps: Sequence[Operator], goal: Conjunct, request: Request, domain: Domain) -> Mended | NoPlan:
        """Repair the rest of a plan: from the failed step, or from the latest step from which a repair works."""
        number, first = request.number, max(0, len(steps) - MOST_STARTS)
        starts = [number] if number is not None else range(len(steps) - 1, first - 1, -1)
        answer: Mended | NoPlan = NOTHING
        for start in starts:
            failure = request.feedback if number is not None else None
            answer = self.mender.mend(steps[start:], request.state, goal, failure, domain)
            if isinstance(answer, Mended):
                return answer
        return answer

    def _around(self, step: Operator, request: Request, domain: Domain) -> Answer:
        """Repair a single step by plans before it and restoring plans after it."""
        grounded = self._grounded(step, request.state, domain)
        mended = self.mender.mend((grounded,), request.state, frozenset(), request.feedback, domain)
        if isinstance(mended, NoPlan):
            return Nothing.of(mended)
        applied, state = mended.applied, request.state
        before = (_part(use.before, use.step.precondition, state) for use in reversed(applied) if use.before)
        after = (_part(use.after, frozenset(), state) for use in applied if use.after)
        return Detour(tuple(before), tuple(after), notes=_notes(applied))

    def _grounded(self, step: Operator, state: State, domain: Domain) -> Operator:
        """Ground a step in the learned domain; a step that is unknown there stays as it is."""
        try:
            return domain.ground(step.action, self.mender.things, state.numbers)
        except UsageError:
            return step


def _notes(applied: Sequence[Splice]) -> tuple[str, ...]:
    return tuple(f"repair {use.rule.name}: {use.rule.say}" for use in applied)


def _part(steps: tuple[Operator, ...], wanted: Conjunct, state: State) -> Plan:
    """Return a part of a repair as a plan, with the effects in `wanted` as its goal, or else all its effects.

    All effects are used when the goal already holds, since the plan would end before it began.
    """
    goal: dict[Literal, None] = {}
    for step in steps:
        for effect in step.effects:
            goal.pop(effect.negated(), None)
            goal[effect] = None
    made = frozenset(goal)
    asked = made & wanted
    return Plan(steps, made if state.satisfies(asked) else asked, planner="rules")
