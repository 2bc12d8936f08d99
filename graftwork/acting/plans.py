"""`Plans`: what a session asks of planning, with its world, its costs and its patience filled in.

It is also the one door that every plan goes through before it is compiled, wherever it comes from (`admitted`): it is
run through the model of the whole world from what is believed, and one that breaks is refused with the first step, and
the fact, that fail.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from domains.model import Domain
from graftwork.acting.sharing import Sharing
from graftwork.pricing.pricing import Pricing
from planning import Invalid, Part, Replanned, Valid, validate_actions
from planning.service import Improvement, PlanningService
from semantics.atoms import Conjunct
from semantics.exclusions import Exclusion
from semantics.feedback import Feedback
from semantics.goal import CheckedGoal
from semantics.protocols import NoPlan
from semantics.state import Action, Plan, State
from semantics.vocabulary import Thing

__all__ = ["Plans"]


@dataclass(frozen=True, slots=True)
class Plans:
    """Asks a planning service.

    Attributes:
        service: Who plans.
        domain: The world.
        things: What exists in the scene.
        pricing: What actions cost.
        seconds: Time limit of one call.
        patience: How long the proof that a plan is cheapest is waited for, in seconds.
        together: Whether steps that do not depend on each other are done at once, where the body can do that.
        sharing: Shares every plan out among those who can do the same; None where one thing is done at a time.
    """

    service: PlanningService
    domain: Domain
    things: Mapping[str, Thing]
    pricing: Pricing
    seconds: float = 20.0
    patience: float = 20.0
    together: bool = True
    sharing: Sharing | None = None

    def found(self, goal: CheckedGoal, state: State) -> Plan | NoPlan:
        """Plan: return the proved answer, or the first plan when the proof takes longer than the patience.

        Raises:
            OutsideError: The planner cannot be started.
        """
        found = self._found(goal, state)
        return found if isinstance(found, NoPlan) else self.shared(found, state)

    def _found(self, goal: CheckedGoal, state: State) -> Plan | NoPlan:
        if self.patience >= self.seconds:
            world, costs = (self.things, self.domain), self.pricing.model
            return self.service.solve(goal, state, *world, seconds=self.seconds, costs=costs)
        search = self.improving(goal, state)
        try:
            found = search.wait(self.patience) or search.wait(first=True)
        finally:
            search.cancel()
        assert found is not None
        return found

    def improving(self, goal: CheckedGoal, state: State) -> Improvement:
        """Start a search for ever better plans, and return at once."""
        world, costs = (self.things, self.domain), self.pricing.model
        return self.service.improve(goal, state, *world, seconds=self.seconds, costs=costs)

    def again(self, old: Plan, expected: State, goal: CheckedGoal, state: State) -> Replanned:
        """Plan again where the rest `old` of a plan was to be carried out from `expected`.

        Raises:
            OutsideError: The planner cannot be started.
        """
        world, costs = (self.things, self.domain), self.pricing.model
        return self.service.replan(old, expected, goal, state, *world, seconds=self.seconds, costs=costs)

    def part(self, conjunct: Conjunct, state: State) -> Part | NoPlan:
        """Plan for the part of a conjunction that is worth most.

        Raises:
            OutsideError: The planner cannot be started.
        """
        world, costs = (self.things, self.domain), self.pricing.model
        return self.service.best_part(conjunct, state, *world, weights={}, seconds=self.seconds, costs=costs)

    def within(self, domain: Domain) -> Plans:
        """Return who plans in another model of the same world, such as one that knows what is in the way."""
        return replace(self, domain=domain, pricing=replace(self.pricing, domain=domain))

    def regrounded(self, plan: Plan, state: State) -> Plan:
        """Return a plan with its actions as this world knows them."""
        world, axioms = self.pricing.priced, self.domain.axioms(self.things)
        steps = tuple(world.ground(one.action, self.things, state.numbers, axioms) for one in plan.steps)
        return replace(plan, steps=steps)

    def exclusions(self) -> tuple[Exclusion, ...]:
        """Return what excludes each other in this world."""
        return self.service.exclusions(self.domain, self.things)

    def remembered(self, actions: tuple[Action, ...], goal: CheckedGoal, state: State, *, optimal: bool) -> Plan | None:
        """Return remembered actions as a plan, if they still lead to the goal; at its own costs each is made anew."""
        if self.pricing.model is not None:
            return None
        for conjunct in goal.conjuncts:
            if isinstance(self._judged(actions, state, conjunct), Valid):
                steps = tuple(self.domain.ground(one, self.things, state.numbers) for one in actions)
                return self.shared(Plan(steps, conjunct, optimal, "memory"), state)
        return None

    def shared(self, plan: Plan, state: State) -> Plan:
        """Return a plan shared out among those who can do the same, where that takes less time and costs no more."""
        if self.sharing is None:
            return plan
        admitted = self.admitted(self.sharing.shared(plan, state, self.pricing), state)
        return plan if isinstance(admitted, Feedback) else admitted

    def admitted(self, plan: Plan, state: State) -> Plan | Feedback:
        """Return a plan as it may be compiled: its actions as the world knows them; or where it breaks and why."""
        verdict = self._judged(tuple(step.action for step in plan.steps), state, plan.goal)
        return verdict.feedback if isinstance(verdict, Invalid) else self.pricing.repriced(plan, state)

    def readmitted(self, found: Replanned, state: State) -> Replanned:
        """Return a replan that was let through the door, or the refusal in its place."""
        if isinstance(found.answer, NoPlan):
            return found
        admitted = self.admitted(found.answer, state)
        return replace(
            found, answer=NoPlan(admitted) if isinstance(admitted, Feedback) else self.shared(admitted, state)
        )

    def _judged(self, actions: tuple[Action, ...], state: State, conjunct: Conjunct) -> Valid | Invalid:
        return validate_actions(actions, state, conjunct, self.things, self.domain)
