"""The strategy that mends a known small mishap by a rule of the domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bt.recovery.request import Answer, Detour, NewPlan, Nothing, Request, Strategy
from bt.recovery.rules.repair_search import Applied, Mended, RepairSearch
from domains.model import Domain
from semantics.atoms import Conjunct, Literal
from semantics.errors import UsageError
from semantics.feedback import Code, Feedback
from semantics.protocols import NoPlan
from semantics.state import Operator, Plan, State

__all__ = ["Rule"]

MOST_STARTS = 40
"""From how many steps of a lost plan, the last ones first, mending is tried."""
NOTHING = NoPlan(Feedback(Code.INVALID_PLAN, "repair by rules", "no step is known that failed"))


@dataclass(eq=False)
class Rule(Strategy):
    """Mends what failed by the rules of the domain, checked on the model before anything moves.

    A plan is replaced by the mended plan, so that the repair resumes and is watched like any plan. Around a single step
    of a tree of one's own, the repair is done before it and what was disturbed is restored after: a detour.

    Attributes:
        mender: The rules, and the model they are tried on.
        codes: The failures it is for; None for those that a rule names.
        seconds: How long looking for a repair takes on a simulated clock, in its seconds.
    """

    name = "rule"
    makes_plans = True

    mender: RepairSearch
    codes: frozenset[Code] | None = None
    seconds: float = 0.0

    def applies(self, request: Request) -> bool:
        """Return whether a rule is for such a failure."""
        codes = {Code(rule.code) for rule in self.mender.rules} if self.codes is None else self.codes
        return request.feedback.recoverable and request.feedback.code in codes

    def propose(self, request: Request) -> Answer:
        """Look for a repair of what is left to do."""
        domain = request.learned or self.mender.domain
        if request.plan is None:
            return Nothing.of(NOTHING) if request.step is None else self._around(request.step, request, domain)
        steps = self._grounded(request.plan.steps, request.state, domain)
        mended = self._mended(steps, request.plan.goal, request, domain)
        if isinstance(mended, NoPlan):
            return Nothing.of(mended)
        plan = Plan(mended.steps, request.plan.goal | mended.owed, planner="rules")
        return NewPlan(plan, owed=mended.owed, notes=_notes(mended.applied))

    def _mended(self, steps: Sequence[Operator], goal: Conjunct, request: Request, domain: Domain) -> Mended | NoPlan:
        """Mend what is left of a plan: from the step that failed, or from the latest step from which that helps."""
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
        """Mend a single step: by what is done before it and restored after it, each a plan of its own."""
        (again,) = self._grounded((step,), request.state, domain)
        mended = self.mender.mend((again,), request.state, frozenset(), request.feedback, domain)
        if isinstance(mended, NoPlan):
            return Nothing.of(mended)
        applied, state = mended.applied, request.state
        before = (_part(use.before, use.step.precondition, state) for use in reversed(applied) if use.before)
        after = (_part(use.after, frozenset(), state) for use in applied if use.after)
        return Detour(tuple(before), tuple(after), notes=_notes(applied))

    def _grounded(self, steps: Sequence[Operator], state: State, domain: Domain) -> tuple[Operator, ...]:
        """Ground steps in the domain with what was learned; one that is not of the domain stays as it is."""
        return tuple(_ground(step, state, domain, self.mender) for step in steps)


def _ground(step: Operator, state: State, domain: Domain, mender: RepairSearch) -> Operator:
    try:
        return domain.ground(step.action, mender.things, state.numbers)
    except UsageError:
        return step


def _notes(applied: Sequence[Applied]) -> tuple[str, ...]:
    return tuple(f"repair {use.rule.name}: {use.rule.say}" for use in applied)


def _part(steps: tuple[Operator, ...], wanted: Conjunct, state: State) -> Plan:
    """Return a part of a repair as a plan, for what of `wanted` it brings about, or else for all its effects.

    What holds already is nothing to go for: the part would be over before it began.
    """
    goal: dict[Literal, None] = {}
    for step in steps:
        for effect in step.effects:
            goal.pop(effect.negated(), None)
            goal[effect] = None
    made = frozenset(goal)
    asked = made & wanted
    return Plan(steps, made if state.satisfies(asked) else asked, planner="rules")
