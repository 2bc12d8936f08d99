"""The strategy that pursues the most valuable part of a goal that can no longer be reached completely.

It makes the offer of `graftwork.decision.partial_goal` during a run, after the partial plans of AutoGPT+P (Birr et al.
2024). What is reached already counts, so a run may end with its current result. A person is asked, unless the settings
allow a part.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bt.recovery import Answer, NewGoal, Request
from domains.world import World
from graftwork.decision.partial_goal import offer
from graftwork.recovery.consent import Changed, ProposedGoal, with_consent
from graftwork.recovery.context import GoalStrategy
from graftwork.setup.plans import Plans, is_called_off
from planning import PartialPlan
from semantics.body.protocols import NoPlan
from semantics.logic.atoms import Conjunct
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import State

CODES = frozenset(
    {Code.NO_PLAN, Code.WHEREABOUTS_UNKNOWN, Code.BUDGET_SPENT, Code.NOT_VISIBLE, Code.EFFECT_MISSING, Code.DROPPED}
    | {Code.OUT_OF_REACH, Code.OBSTRUCTED, Code.NOT_GRASPED, Code.STUCK, Code.UNDONE, Code.NO_ROOM, Code.PRECONDITION}
)
"""Failures after which a part may still be reachable."""
MOST_TRIED = 4  # maximum number of the goal's alternatives that are searched for a part


@dataclass(eq=False)
class PursuePart(GoalStrategy):
    """Pursues the most valuable part of the goal; whether it asks a person first depends on the consent."""

    name = "part"
    codes = CODES

    start: State  # the state at the start of the run; facts that held then are no gain
    seconds: float  # seconds that the search takes on a simulated clock

    def propose(self, request: Request) -> Answer:
        """Return the best part, or the question for consent."""
        return with_consent(self._best, self.context.decider(request).part, request)

    def _best(self, request: Request) -> ProposedGoal | NoPlan:
        """Return the most valuable part of the goal that is reachable from the current state."""
        goal, state, feedback = self.pursued.goal, request.state, request.feedback
        parted = [conjunct for conjunct in goal.conjuncts if len(conjunct) > 1][:MOST_TRIED]
        if not parted:
            return _none("")

        decider = self.context.decider(request)

        def ask(plans: Plans, state: State) -> PartialPlan | NoPlan:
            return self._part(parted, plans, state, feedback)

        part = decider.plans.around(request, ask)
        if isinstance(part, NoPlan):
            return part
        left_out = {literal: _blamed(literal.atom.args, why, feedback) for literal, why in part.left_out.items()}
        part = replace(part, left_out=left_out)
        offered = offer(goal, part, state, decider.vocabulary.predicates, since=self.start)
        if offered is None:
            return _none("no part of it would be a gain")
        plan = part.plan
        left = " ".join(f"{literal} is left out." for literal in sorted(part.left_out))
        instead = NewGoal(offered.goal.conjuncts, plan if plan.steps else None, left, Changed(offered.goal, offered))
        return ProposedGoal(instead, offered.question)

    def _part(self, parted: list[Conjunct], plans: Plans, state: State, feedback: Feedback) -> PartialPlan | NoPlan:
        """Return the most valuable part of any alternative, with a validated plan."""
        parts, why = list[PartialPlan](), _none("no part of it can be had")
        for conjunct in parted:
            answer = plans.part(conjunct, _without(conjunct, plans.world, state, feedback))
            if is_called_off(answer):
                return answer
            if isinstance(answer, PartialPlan):
                parts.append(answer)
            elif not parts:
                why = answer
        if not parts:
            return why
        part = max(parts, key=lambda candidate: (candidate.value, -candidate.plan.cost))
        plan = plans.validated(part.plan, state)
        return plan if isinstance(plan, NoPlan) else replace(part, plan=plan)


def _without(wanted: Conjunct, world: World, state: State, feedback: Feedback) -> State:
    """Return the state without the facts of blamed objects, so that no plan relies on an object out of reach."""
    things, names = world.objects, world.domain.conventions
    missing = {name for fact in state.missing(wanted) for name in fact.atom.args}
    blamed = missing.intersection(feedback.culprits)
    blamed = {name for name in blamed if name in things and names.carry in things[name].affordances}
    held = {name for fact in wanted if state.holds(fact) for name in fact.atom.args}
    acting = {name for name, thing in things.items() if names.actor in thing.affordances}
    held |= {atom.args[0] for atom in state.atoms if len(atom.args) == 2 and atom.args[1] in acting}
    return state.with_atoms(deleted=[atom for atom in state.atoms if atom.args and atom.args[0] in blamed - held])


def _blamed(names: tuple[str, ...], why: Feedback, feedback: Feedback) -> Feedback:
    """Return why a literal is left out: the failure itself, if it blames an object of the literal."""
    return feedback if set(names) & set(feedback.culprits) else why


def _none(why: str) -> NoPlan:
    return NoPlan(Feedback(Code.NO_PLAN, "a part of the goal", why))
