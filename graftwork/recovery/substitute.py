"""The strategy that replaces an object of the goal that the robot cannot get.

It first tries another object of the same class, then objects with suitable affordances
(`graftwork.decision.substitute`), as AutoGPT+P suggests alternatives (Birr et al. 2024). The new goal is checked like
any other, and has a plan before it is proposed. A person is asked, unless the settings allow substitutes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bt.recovery import Answer, NewGoal, Request
from graftwork.decision.substitute import Absence, proposals, with_others
from graftwork.recovery.consent import YES, Changed, ProposedGoal, with_consent
from graftwork.recovery.context import GoalStrategy
from graftwork.setup.plans import Plans, is_called_off
from planning.reasons import nowhere
from semantics.body.protocols import NoPlan
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Question
from semantics.logic.state import Plan, State
from semantics.plain_text import shortened

CODES = frozenset(
    {Code.NO_PLAN, Code.WHEREABOUTS_UNKNOWN, Code.BUDGET_SPENT, Code.NOT_VISIBLE, Code.EFFECT_MISSING, Code.DROPPED}
    | {Code.OUT_OF_REACH, Code.OBSTRUCTED, Code.NOT_GRASPED, Code.STUCK, Code.UNDONE, Code.PRECONDITION}
    | {Code.REFUSED_BY_BODY}
)
"""Failures that a single object may cause."""


@dataclass(eq=False)
class Substitute(GoalStrategy):
    """Pursues the goal with a substitute; whether it asks a person first depends on the consent."""

    name = "substitute"
    codes = CODES

    seconds: float  # seconds that the search takes on a simulated clock

    def propose(self, request: Request) -> Answer:
        """Return the goal with a substitute, or the question for consent."""
        return with_consent(self._first, self.context.decider(request).consent, request)

    def _first(self, request: Request) -> ProposedGoal | NoPlan:
        """Return the first goal with a substitute that passes the check and has a plan."""
        missing = self._missing(request)
        for thing in missing:
            for goal, other in self._others(thing, request):
                plan = self.context.planned(goal, request)
                if isinstance(plan, Plan):
                    return _proposed(thing, other, goal, plan, request.feedback)
                if is_called_off(plan):
                    return plan
        why = f"nothing here would do instead of {missing[0]}" if missing else ""
        return NoPlan(Feedback(Code.NO_PLAN, "something else", why, culprits=tuple(missing[:1])))

    def _missing(self, request: Request) -> list[str]:
        """Return the unavailable objects that the goal still needs: those without a place, then the blamed ones."""
        plans, state, goal = self.context.decider(request).plans, request.state, self.pursued.goal
        needed = dict.fromkeys(
            name
            for conjunct in goal.conjuncts
            for fact in state.missing(conjunct)
            if fact.positive
            for name in fact.atom.args
        )
        lost = nowhere(needed, plans.problem(state))
        things, carry = plans.things, plans.domain.conventions.carry
        blamed = [name for name in request.feedback.culprits if name in needed and carry in things[name].affordances]
        return list(dict.fromkeys((*lost, *blamed)))

    def _others(self, missing: str, request: Request) -> Iterator[tuple[CheckedGoal, str]]:
        """Yield the goals in which another object replaces `missing`, each with a sentence about it, the best first."""
        decider, goal, state = self.context.decider(request), self.pursued.goal.goal, request.state
        things = decider.world.objects
        thing, present = things[missing], self._available(decider.plans, state)
        same = [name for name in present if things[name].class_name == thing.class_name and name != missing]
        same = [name for name in same if not _is_so(self.pursued.goal, missing, name, state)]
        if same:
            note = f"another {thing.class_name} instead of {missing}"
            checked = self.context.checked(with_others(goal, missing, same, f"{note}."), request)
            if isinstance(checked, CheckedGoal) and not checked.already:
                yield checked, note
        absence = Absence(missing, thing)
        # The data only, because asking a model costs more.
        suggestions = replace(decider, guesses=False).substitutes.suggestions(absence, goal)
        ranked = [
            replace(suggestion, names=tuple(name for name in suggestion.names if name in present))
            for suggestion in suggestions.ranked
        ]
        suggestions = replace(suggestions, ranked=tuple(suggestion for suggestion in ranked if suggestion.names))
        for proposal in proposals(absence, goal, suggestions, lambda goal: self.context.checked(goal, request)):
            if not proposal.goal.already:
                yield proposal.goal, proposal.suggestion.sentence

    def _available(self, plans: Plans, state: State) -> list[str]:
        """Return the objects that have a place and that the goal does not name."""
        named = {name for conjunct in self.pursued.goal.conjuncts for fact in conjunct for name in fact.atom.args}
        lost = nowhere(plans.things, plans.problem(state))
        return sorted(plans.things.keys() - named - set(lost))


def _is_so(goal: CheckedGoal, missing: str, name: str, state: State) -> bool:
    """Return whether the goal already holds with another object, so that nothing would be done for the request."""
    names = {missing: name}
    return any(state.satisfies(literal.replaced(names) for literal in conjunct) for conjunct in goal.conjuncts)


def _proposed(missing: str, other: str, goal: CheckedGoal, plan: Plan, feedback: Feedback) -> ProposedGoal:
    text = f"{missing} cannot be had ({shortened(feedback.why.rstrip('.'), 200)}). Would this do: {other}?"
    why = Feedback(Code.QUESTION, missing, "it cannot be had", text)
    instead = NewGoal(goal.conjuncts, plan, f"{other[:1].upper()}{other[1:]}.", Changed(goal))
    return ProposedGoal(instead, Question(text, (YES, "no"), why))
