"""The strategy that goes for a part: of a goal that cannot be had as a whole any more, what is worth most.

It is the offer of `graftwork.decision.partial_goal` under way, after the partial plans of AutoGPT+P (Birr et al. 2024).
What has been reached already counts, so that a run may end with what it has. A person is asked, unless it is allowed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bt.recovery import Answer, NewGoal, Request, Scope, Strategy
from graftwork.decision.partial_goal import offer
from graftwork.recovery.consent import Changed, Finding, with_consent
from graftwork.recovery.context import Pursued, RecoveryContext
from graftwork.setup.plans import Plans, is_called_off
from planning import PartialPlan
from semantics.atoms import Conjunct
from semantics.feedback import Code, Feedback
from semantics.protocols import NoPlan
from semantics.state import State

__all__ = ["PursuePart"]

CODES = frozenset(
    {Code.NO_PLAN, Code.WHEREABOUTS_UNKNOWN, Code.BUDGET_SPENT, Code.NOT_VISIBLE, Code.EFFECT_MISSING, Code.DROPPED}
    | {Code.OUT_OF_REACH, Code.OBSTRUCTED, Code.NOT_GRASPED, Code.STUCK, Code.NO_ROOM, Code.PRECONDITION}
)
"""Failures after which a part may still be had."""
MOST_TRIED = 4
"""Of how many alternatives of a goal a part is looked for."""


@dataclass(eq=False)
class PursuePart(Strategy):
    """Goes for the most valuable part of the goal; it asks a person first, or goes ahead, as they have allowed.

    Attributes:
        pursued: What is wanted.
        context: Who plans, and what is allowed.
        start: The world when the run began: what held then is no gain.
        seconds: How long looking for it takes on a simulated clock, in its seconds.
    """

    name = "part"
    scope = Scope.RUN
    needs_goal = makes_plans = True

    pursued: Pursued
    context: RecoveryContext
    start: State
    seconds: float

    def applies(self, request: Request) -> bool:
        """Return whether a part may still be had after such a failure."""
        return request.feedback.code in CODES

    def propose(self, request: Request) -> Answer:
        """Return the best part, or ask for consent."""
        search = _PartSearch(self.pursued, self.context, self.start)
        return with_consent(search.best, self.context.decider.part, request)


@dataclass(frozen=True, slots=True)
class _PartSearch:
    """Looks for the best part."""

    pursued: Pursued
    context: RecoveryContext
    start: State

    def best(self, request: Request) -> Finding | NoPlan:
        """Return the part of the goal that is worth most and can be had from where the world is."""
        goal, state, feedback = self.pursued.goal, request.state, request.feedback
        parted = [conjunct for conjunct in goal.conjuncts if len(conjunct) > 1][:MOST_TRIED]
        if not parted:
            return _none("")

        def ask(plans: Plans, state: State) -> PartialPlan | NoPlan:
            return self._part(parted, plans, state, feedback)

        part = self.context.decider.plans.around(request, ask)
        if isinstance(part, NoPlan):
            return part
        left_out = {literal: _blamed(literal.atom.args, why, feedback) for literal, why in part.left_out.items()}
        part = replace(part, left_out=left_out)
        offered = offer(goal, part, state, self.context.decider.vocabulary.predicates, since=self.start)
        if offered is None:
            return _none("no part of it would be a gain")
        plan = part.plan
        left = " ".join(f"{literal} is left out." for literal in sorted(part.left_out))
        instead = NewGoal(offered.goal.conjuncts, plan if plan.steps else None, left, Changed(offered.goal, offered))
        return Finding(instead, offered.question)

    def _part(self, parted: list[Conjunct], plans: Plans, state: State, feedback: Feedback) -> PartialPlan | NoPlan:
        """Return the part of the alternatives that is worth most, its plan let through the door."""
        parts, why = list[PartialPlan](), _none("no part of it can be had")
        for conjunct in parted:
            answer = plans.part(conjunct, self._without(conjunct, state, feedback))
            if is_called_off(answer):
                return answer
            if isinstance(answer, PartialPlan):
                parts.append(answer)
            elif not parts:
                why = answer
        if not parts:
            return why
        part = max(parts, key=lambda candidate: (candidate.value, -candidate.plan.cost))
        plan = plans.admitted(part.plan, state)
        return NoPlan(plan) if isinstance(plan, Feedback) else replace(part, plan=plan)

    def _without(self, wanted: Conjunct, state: State, feedback: Feedback) -> State:
        """Return the state without what was blamed: where a thing is that no body can get, is of no use to know."""
        things, carry = self.context.decider.plans.things, self.context.decider.domain.conventions.carry
        missing = {name for fact in state.missing(wanted) for name in fact.atom.args}
        blamed = missing.intersection(feedback.culprits)
        blamed = {name for name in blamed if name in things and carry in things[name].affordances}
        held = {name for fact in wanted if state.holds(fact) for name in fact.atom.args}
        held |= {
            a.args[0] for a in state.atoms if len(a.args) == 2 and self._acts(a.args[1])
        }  # it is in somebody's hand
        return state.with_atoms(deleted=[a for a in state.atoms if a.args and a.args[0] in blamed - held])

    def _acts(self, name: str) -> bool:
        thing = self.context.decider.plans.things.get(name)
        return thing is not None and self.context.decider.domain.conventions.actor in thing.affordances


def _blamed(names: tuple[str, ...], why: Feedback, feedback: Feedback) -> Feedback:
    """Return why something is left out: what has failed, where that was blamed on a thing it speaks of."""
    return feedback if set(names) & set(feedback.culprits) else why


def _none(why: str) -> NoPlan:
    return NoPlan(Feedback(Code.NO_PLAN, "a part of the goal", why))
