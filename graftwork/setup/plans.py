"""`Plans`: what a session asks of planning, with its world, its costs and its patience filled in.

It is also the one door that every plan goes through before it is compiled, wherever it comes from (`admitted`): it is
run through the model of the whole world from what is believed, and one that breaks is refused with the first step, and
the fact, that fail.

Where a body does several motions at once, a plan is shared out among hands, or robots, that can do the same. What a
person is asked to do is never given to another person: whom to ask is no matter of time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeVar

from bt.execution import Occupied, shared_out
from bt.recovery import Request, known_to
from domains.model import Domain
from domains.problem import ANYTHING, Problem
from graftwork.setup.prices import Pricing
from planning import Invalid, PartialPlan, Replanned, Valid, validate_actions
from planning.portfolio import Feature, Features, Portfolio, choose, present
from planning.service import ImprovingSearch, PlanningService
from semantics.atoms import Conjunct, Literal
from semantics.errors import UnknownNameError
from semantics.feedback import Code, Feedback
from semantics.goal import CheckedGoal
from semantics.protocols import ConcurrentMotion, NoPlan, Robot
from semantics.state import Action, Operator, Plan, State
from semantics.vocabulary import Thing

__all__ = ["TOGETHER", "Plans", "Sharing", "choice_told", "is_called_off", "together_named"]

T = TypeVar("T")


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
        plan: Plan | NoPlan | None
        if self.patience >= self.seconds:
            plan = self.service.solve(self.problem(state, *goal.conjuncts), seconds=self.seconds)
        else:
            search = self.improving(goal, state)
            try:
                plan = search.wait(self.patience) or search.wait(first=True)
            finally:
                search.cancel()
            assert plan is not None
        return plan if isinstance(plan, NoPlan) else self.shared(plan, state)

    def improving(self, goal: CheckedGoal, state: State) -> ImprovingSearch:
        """Start a search for ever better plans, and return at once."""
        return self.service.improve(self.problem(state, *goal.conjuncts), seconds=self.seconds)

    def again(self, old: Plan, expected: State, goal: CheckedGoal, state: State) -> Replanned:
        """Plan again where the rest `old` of a plan was to be carried out from `expected`.

        Raises:
            OutsideError: The planner cannot be started.
        """
        return self.service.replan(self.problem(state, *goal.conjuncts), old, expected, seconds=self.seconds)

    def part(
        self,
        conjunct: Conjunct,
        state: State,
        weights: Mapping[Literal, float] = MappingProxyType({}),
        hard: Conjunct = frozenset(),
    ) -> PartialPlan | NoPlan:
        """Plan for the part of a conjunction that is worth most.

        Args:
            conjunct: All that is wished for.
            state: Where the plan starts.
            weights: What each wish is worth; one where nothing is said.
            hard: What may not be left out.

        Raises:
            OutsideError: The planner cannot be started.
        """
        problem = self.problem(state, conjunct)
        return self.service.best_part(problem, weights=dict(weights), hard=hard, seconds=self.seconds)

    def problem(self, state: State, *alternatives: Conjunct) -> Problem:
        """Return the problem of reaching one of `alternatives` from `state`; without any, it asks for nothing."""
        return Problem(self.domain, self.things, state, alternatives or ANYTHING, self.pricing.model)

    def around(self, request: Request, ask: Callable[[Plans, State], T | NoPlan]) -> T | NoPlan:
        """Ask for an answer of planning in the model with what was learned, such as what is in the way.

        Where that leaves none, what was met is tried once more rather than nothing.

        Args:
            request: The state, and what was learned; obstacles that are forgotten by now are left out of the state.
            ask: Asks for the answer.
        """
        request.must_be_wanted()
        domain = request.learned or self.domain
        if domain is not self.domain:
            answer = ask(self.within(domain), known_to(domain, request.state))
            if not isinstance(answer, NoPlan) or is_called_off(answer):
                return answer
        return ask(self, known_to(self.domain, request.state))

    def around_obstacles(self, goal: CheckedGoal, request: Request) -> Plan | NoPlan:
        """Plan for a goal around what the body has met, and let the plan through the door."""

        def plan(plans: Plans, state: State) -> Plan | NoPlan:
            answer = plans.found(goal, state)
            admitted = answer if isinstance(answer, NoPlan) else plans.admitted(answer, state)
            return NoPlan(admitted) if isinstance(admitted, Feedback) else admitted

        return self.around(request, plan)

    def within(self, domain: Domain) -> Plans:
        """Return who plans in another model of the same world, such as one that knows what is in the way."""
        return replace(self, domain=domain, pricing=replace(self.pricing, domain=domain))

    def regrounded(self, plan: Plan, state: State) -> Plan:
        """Return a plan with its actions as this world knows them, at what they cost here."""
        problem = self.problem(state)
        return replace(plan, steps=tuple(problem.ground(step.action) for step in plan.steps))

    def remembered(self, actions: tuple[Action, ...], goal: CheckedGoal, state: State, *, optimal: bool) -> Plan | None:
        """Return remembered actions as a plan, if they still lead to the goal; at its own costs each is made anew."""
        if self.pricing.model is not None:
            return None
        for conjunct in goal.conjuncts:
            if isinstance(validate_actions(actions, self.problem(state, conjunct)), Valid):
                steps = tuple(self.domain.ground(action, self.things, state.numbers) for action in actions)
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
        actions = tuple(step.action for step in plan.steps)
        problem = self.problem(state, plan.goal)
        verdict = validate_actions(actions, problem)
        if isinstance(verdict, Invalid):
            return verdict.feedback
        return replace(plan, steps=tuple(map(problem.ground, actions)))

    def readmitted(self, replanned: Replanned, state: State) -> Replanned:
        """Return a replan that was let through the door, or the refusal in its place."""
        if isinstance(replanned.answer, NoPlan):
            return replanned
        admitted = self.admitted(replanned.answer, state)
        return replace(
            replanned, answer=NoPlan(admitted) if isinstance(admitted, Feedback) else self.shared(admitted, state)
        )


FEATURES = {
    "conditional-effects": Feature.CONDITIONAL_EFFECTS,
    "quantified-conditions": Feature.UNIVERSAL_CONDITIONS,
    "disjunctive-conditions": Feature.DISJUNCTIVE_CONDITIONS,
    "derived-predicates": Feature.DERIVED,
    "numeric": Feature.NUMERIC,
    "costs-by-arguments": Feature.COSTS,
}
"""What the portfolio looks for, by what a world calls it."""


def choice_told(planner: str, domain: Domain) -> dict[str, Any] | None:
    """Return whom the portfolio takes for a world and which feature excludes which other; None for another planner.

    Raises:
        UnplannableError: No planner that is installed takes the world.
    """
    if planner != Portfolio.name:
        return None
    traits = frozenset(FEATURES[name] for name in domain.features if name in FEATURES)
    return choose(Features(traits), present=present()).as_dict()


def is_called_off(answer: object) -> bool:
    """Return whether planning was called off: nobody waits for an answer any more."""
    return isinstance(answer, NoPlan) and answer.feedback.code is Code.CANCELLED


TOGETHER = ("auto", "never")
"""Whether steps that do not depend on each other are done at once: where a body can do that, or never."""

SECONDS = 1.0
"""How long a capability takes of which nothing is known, for comparing plans."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """Who may stand in for whom.

    Attributes:
        alike: Groups of hands or robots of one class.
        occupied: What a step keeps busy of the body.
    """

    alike: tuple[tuple[str, ...], ...]
    occupied: Occupied

    @classmethod
    def on(cls, robot: Robot, domain: Domain, things: Mapping[str, Thing]) -> Sharing | None:
        """Return who may stand in for whom on a body; None where it does one motion at a time, or all are single."""
        if not isinstance(robot, ConcurrentMotion):
            return None
        alike = tuple(_alike(domain, things))
        return cls(alike, robot.occupies) if alike else None

    def shared(self, plan: Plan, state: State, pricing: Pricing) -> Plan:
        """Return a plan that takes no longer than `plan` from `state`, costs no more, and comes to the same goal."""
        problem = pricing.problem(state)
        durations = {name: capability.duration or SECONDS for name, capability in problem.domain.capabilities.items()}
        durations |= pricing.model.durations if pricing.model is not None else {}

        def seconds(step: Operator) -> float:
            return durations[step.action.name]

        return shared_out(
            plan,
            state,
            self.alike,
            problem.ground,
            self.occupied,
            seconds=seconds,
        )


def together_named(name: str) -> bool:
    """Return whether steps may be done at once.

    Raises:
        UnknownNameError: There is no such setting.
    """
    if name not in TOGETHER:
        raise UnknownNameError("way to do steps together", name, TOGETHER)
    return name == "auto"


def _alike(domain: Domain, things: Mapping[str, Thing]) -> Iterator[tuple[str, ...]]:
    """Yield the names of each class of which there are several hands, or several robots."""
    robot = domain.conventions.robot
    classes = {thing.class_name for thing in things.values() if thing.class_name == robot or _is_hand(domain, thing)}
    for class_name in sorted(classes):
        names = tuple(sorted(name for name, thing in things.items() if thing.class_name == class_name))
        if len(names) > 1:
            yield names


def _is_hand(domain: Domain, thing: Thing) -> bool:
    """Return whether a thing is a hand: by the world's word for hands, else what a capability can keep busy."""
    if domain.conventions.hand in domain.affordances:
        return domain.conventions.hand in thing.affordances
    occupied = (
        set(parameter.affordances) - {"object"}
        for capability in domain.capabilities.values()
        for parameter in capability.parameters
        if parameter.name in capability.resources
    )
    return any(asked and asked <= thing.affordances for asked in occupied)
