"""The rung that uses something else: for a thing that the goal names and that cannot be had under way.

First another thing of its class, then what could stand in for it by what it affords
(`graftwork.deciding.substituting`), as AutoGPT+P suggests alternatives (Birr et al. 2024). The new goal is checked like
any other, and has a plan before it is proposed. A person is asked, unless it is allowed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from bt.repairing import Finder, Turn
from graftwork.deciding.substituting import MOST_NAMES, Absence, Substitutes, proposals, replaced
from graftwork.mending.upper.around import is_called_off
from graftwork.mending.upper.changing import YES, Changed, Finding, with_consent
from graftwork.mending.upper.counsel import Counsel, Pursued
from planning.reasons import nowhere
from semantics.atoms import Atom, Or
from semantics.feedback import Code, Feedback
from semantics.goal import CheckedGoal, Goal, Question
from semantics.protocols import NoPlan
from semantics.state import Plan, State
from semantics.wording import shortened

__all__ = ["CODES", "substitute_rung"]

CODES = frozenset(
    {Code.NO_PLAN, Code.WHEREABOUTS_UNKNOWN, Code.BUDGET_SPENT, Code.NOT_VISIBLE, Code.EFFECT_MISSING, Code.DROPPED}
    | {Code.OUT_OF_REACH, Code.OBSTRUCTED, Code.NOT_GRASPED, Code.STUCK, Code.REFUSED_BY_BODY, Code.PRECONDITION}
)
"""Failures that may lie in a thing."""
CARRY = "carry"


def substitute_rung(pursued: Pursued, counsel: Counsel) -> Finder:
    """Return the finder of the rung that uses something else; it asks or goes ahead as the person has allowed."""
    return with_consent(_Search(pursued, counsel).first, counsel.decider.consent)


@dataclass(slots=True)
class _Search:
    """Looks for what could be used instead, by the data alone: to consult a model is a rung of its own, and dearer."""

    pursued: Pursued
    counsel: Counsel
    substitutes: Substitutes = field(init=False)

    def __post_init__(self) -> None:
        self.substitutes = replace(self.counsel.decider.substitutes, model=None)

    def first(self, state: State, feedback: Feedback) -> Finding | NoPlan:
        """Return the first other goal that passes its check and has a plan."""
        missing = self._missing(state, feedback)
        for thing in missing:
            for goal, other in self._others(thing, state):
                plan = self.counsel.planned(goal, state)
                if isinstance(plan, Plan):
                    return _finding(thing, other, goal, plan, feedback)
                if is_called_off(plan):
                    return plan
        why = f"nothing here would do instead of {missing[0]}" if missing else ""
        return NoPlan(Feedback(Code.NO_PLAN, "something else", why, culprits=tuple(missing[:1])))

    def _missing(self, state: State, feedback: Feedback) -> list[str]:
        """Return what the goal still needs and what cannot be had: what is nowhere, then what was blamed."""
        plans, goal = self.counsel.decider.plans, self.pursued.goal
        needed = dict.fromkeys(
            name for one in goal.conjuncts for fact in state.missing(one) if fact.positive for name in fact.atom.args
        )
        lost = nowhere(needed, state, plans.things, plans.domain)
        things = plans.things
        blamed = [name for name in feedback.culprits if name in needed and CARRY in things[name].affordances]
        return list(dict.fromkeys((*lost, *blamed)))

    def _others(self, missing: str, state: State) -> Iterator[tuple[CheckedGoal, str]]:
        """Yield goals with something else in the place of a thing, each with a sentence of it, the best first."""
        decider, goal = self.counsel.decider, self.pursued.goal.goal
        thing = decider.things[missing]
        here = self._here(state)
        same = [name for name in here if decider.things[name].class_name == thing.class_name and name != missing]
        same = [name for name in same if not _is_so(self.pursued.goal, missing, name, state)]
        if same:
            branches = tuple(replaced(goal.formula, missing, name) for name in same[:MOST_NAMES])
            formula = branches[0] if len(branches) == 1 else Or(branches)
            said = f"another {thing.class_name} instead of {missing}"
            checked = self.counsel.checked(Goal(formula, goal.text, (*goal.notes, f"{said}.")), state)
            if isinstance(checked, CheckedGoal) and not checked.already:
                yield checked, said
        absence = Absence(missing, thing)
        found = self.substitutes.suggestions(absence, goal.formula)
        ranked = [replace(one, names=tuple(name for name in one.names if name in here)) for one in found.ranked]
        found = replace(found, ranked=tuple(one for one in ranked if one.names))
        for one in proposals(absence, goal, found, lambda goal: self.counsel.checked(goal, state)):
            if not one.goal.already:
                yield one.goal, one.suggestion.sentence

    def _here(self, state: State) -> list[str]:
        """Return the things that are somewhere, and that the goal does not name."""
        plans, goal = self.counsel.decider.plans, self.pursued.goal
        named = {name for one in goal.conjuncts for fact in one for name in fact.atom.args}
        lost = nowhere(plans.things, state, plans.things, plans.domain)
        return sorted(plans.things.keys() - named - set(lost))


def _is_so(goal: CheckedGoal, missing: str, name: str, state: State) -> bool:
    """Return whether a goal holds with another name: then nothing would be done about the request."""

    def named(atom: Atom) -> Atom:
        return Atom(atom.predicate, tuple(name if arg == missing else arg for arg in atom.args))

    with_it = (frozenset(fact._replace(atom=named(fact.atom)) for fact in one) for one in goal.conjuncts)
    return any(map(state.satisfies, with_it))


def _finding(missing: str, other: str, goal: CheckedGoal, plan: Plan, feedback: Feedback) -> Finding:
    text = f"{missing} cannot be had ({shortened(feedback.why.rstrip('.'), 200)}). Would this do: {other}?"
    why = Feedback(Code.QUESTION, missing, "it cannot be had", text)
    turn = Turn(plan, goal.conjuncts, f"{other[:1].upper()}{other[1:]}.", token=Changed(goal))
    return Finding(turn, Question(text, (YES, "no"), why))
