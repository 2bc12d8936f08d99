"""The rung that goes for a part: of a goal that cannot be had as a whole any more, what is worth most.

It is the offer of `graftwork.deciding.partly` under way, after the partial plans of AutoGPT+P (Birr et al. 2024). What
has been reached already counts, so that a run may end with what it has. A person is asked, unless it is allowed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bt.repairing import Finder, Turn
from graftwork.acting.plans import Plans
from graftwork.deciding.partly import offer
from graftwork.mending.upper.around import around, is_called_off
from graftwork.mending.upper.changing import Changed, Finding, with_consent
from graftwork.mending.upper.counsel import Counsel, Pursued
from planning import Part
from semantics.atoms import Conjunct
from semantics.feedback import Code, Feedback
from semantics.protocols import NoPlan
from semantics.state import State

__all__ = ["CODES", "part_rung"]

CODES = frozenset(
    {Code.NO_PLAN, Code.WHEREABOUTS_UNKNOWN, Code.BUDGET_SPENT, Code.NOT_VISIBLE, Code.EFFECT_MISSING, Code.DROPPED}
    | {Code.OUT_OF_REACH, Code.OBSTRUCTED, Code.NOT_GRASPED, Code.STUCK, Code.NO_ROOM, Code.PRECONDITION}
)
"""Failures after which a part may still be had."""
MOST_TRIED = 4
"""Of how many alternatives of a goal a part is looked for."""
CARRY, ACTOR = "carry", "actor"


def part_rung(pursued: Pursued, counsel: Counsel, start: State) -> Finder:
    """Return the finder of the rung that goes for a part; it asks or goes ahead as the person has allowed.

    Args:
        pursued: What is wanted.
        counsel: Who plans, and what is allowed.
        start: The world when the run began: what held then is no gain.
    """
    return with_consent(_Search(pursued, counsel, start).best, counsel.decider.part)


@dataclass(frozen=True, slots=True)
class _Search:
    """Looks for the best part."""

    pursued: Pursued
    counsel: Counsel
    start: State

    def best(self, state: State, feedback: Feedback) -> Finding | NoPlan:
        """Return the part of the goal that is worth most and can be had from a state."""
        goal = self.pursued.goal
        parted = [one for one in goal.conjuncts if len(one) > 1][:MOST_TRIED]
        if not parted:
            return _none("")

        def ask(plans: Plans, state: State) -> Part | NoPlan:
            return self._part(parted, plans, state, feedback)

        part = around(self.counsel.decider.plans, self.counsel.obstacles, state, ask)
        if isinstance(part, NoPlan):
            return part
        left_out = {one: _blamed(one.atom.args, why, feedback) for one, why in part.left_out.items()}
        part = replace(part, left_out=left_out)
        found = offer(goal, part, state, self.counsel.decider.vocabulary.predicates, since=self.start)
        if found is None:
            return _none("no part of it would be a gain")
        plan = part.plan
        left = " ".join(f"{literal} is left out." for literal in sorted(part.left_out))
        turn = Turn(plan if plan.steps else None, found.goal.conjuncts, left, token=Changed(found.goal, found))
        return Finding(turn, found.question)

    def _part(self, parted: list[Conjunct], plans: Plans, state: State, feedback: Feedback) -> Part | NoPlan:
        """Return the part of the alternatives that is worth most, its plan let through the door."""
        parts, why = list[Part](), _none("no part of it can be had")
        for one in parted:
            found = plans.part(one, self._without(one, state, feedback))
            if is_called_off(found):
                return found
            if isinstance(found, Part):
                parts.append(found)
            elif not parts:
                why = found
        if not parts:
            return why
        part = max(parts, key=lambda one: (one.value, -one.plan.cost))
        plan = plans.admitted(part.plan, state)
        return NoPlan(plan) if isinstance(plan, Feedback) else replace(part, plan=plan)

    def _without(self, wanted: Conjunct, state: State, feedback: Feedback) -> State:
        """Return the state without what was blamed: where a thing is that no body can get, is of no use to know."""
        things = self.counsel.decider.things
        missing = {name for fact in state.missing(wanted) for name in fact.atom.args}
        blamed = missing.intersection(feedback.culprits)
        blamed = {name for name in blamed if name in things and CARRY in things[name].affordances}
        kept = {name for fact in wanted if state.holds(fact) for name in fact.atom.args}
        kept |= {
            a.args[0] for a in state.atoms if len(a.args) == 2 and self._acts(a.args[1])
        }  # it is in somebody's hand
        return state.with_atoms(deleted=[a for a in state.atoms if a.args and a.args[0] in blamed - kept])

    def _acts(self, name: str) -> bool:
        thing = self.counsel.decider.things.get(name)
        return thing is not None and ACTOR in thing.affordances


def _blamed(names: tuple[str, ...], why: Feedback, feedback: Feedback) -> Feedback:
    """Return why something is left out: what has failed, where that was blamed on a thing it speaks of."""
    return feedback if set(names) & set(feedback.culprits) else why


def _none(why: str) -> NoPlan:
    return NoPlan(Feedback(Code.NO_PLAN, "a part of the goal", why))
