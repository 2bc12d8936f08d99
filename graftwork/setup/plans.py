"""`Plans`: the planning calls in one world, and `PlanningOptions`, what a session sets for all of them.

`Plans.admitted` validates every plan before its compilation, whatever made the plan: it executes the plan in the model
of the complete world from the believed state. If the plan breaks, it is refused with the first failing step and the
facts that do not hold there.

If a body can perform several motions at a time, a plan is distributed among equal hands or robots. A request to a
person never moves to another person, because the choice of the person is not a question of time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from affordances.confidence import doubts
from bt import execution, recovery
from domains.model import Domain
from domains.problem import Problem
from domains.world import World
from graftwork.setup.limits import PATIENCE, SIMULATED_PATIENCE, Weights
from graftwork.setup.prices import Prices, Pricing
from planning.costs import CostModel
from planning.registry import PORTFOLIO
from planning.validation import Invalid, Valid, validate_actions
from semantics.body.protocols import ConcurrentMotion, NoPlan, Robot
from semantics.logic.atoms import Conjunct, Literal
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal
from semantics.logic.state import Action, Operator, Plan, State
from semantics.logic.vocabulary import Thing

if TYPE_CHECKING:
    from graftwork.memory import Memory
    from graftwork.setup.environment import Environment
    from graftwork.setup.settings import Limits
    from planning import PartialPlan, Replanned
    from planning.anytime import Best
    from planning.service import PlanningService

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PlanningOptions:
    """How a session plans, in whatever world."""

    service: PlanningService  # the planning service
    prices: Prices = field(default_factory=Prices)  # the costs of actions
    seconds: float = 20.0  # time limit of one call
    # time to wait for the proof that a plan is optimal, in seconds; None as in `PlanningService.solve`
    patience: float | None = 20.0
    improves: bool = False  # whether a cheaper plan is searched for while a plan without a proof is carried out
    together: bool = True  # whether independent steps run in parallel if the body supports it
    # distributes plans among equal hands or robots; None to execute one step after the other
    sharing: Sharing | None = None

    def plans(self, world: World) -> Plans:
        """Return the planning calls in a world."""
        return Plans(self, world, self.prices.of(world))


@dataclass(frozen=True, slots=True)
class Plans:
    """Calls a planning service."""

    options: PlanningOptions  # the service, and how it is asked
    world: World  # the world
    pricing: Pricing  # the costs of actions

    @property
    def domain(self) -> Domain:
        """The model of the world."""
        return self.world.domain

    @property
    def things(self) -> Mapping[str, Thing]:
        """All objects, by name."""
        return self.world.objects

    def found(self, goal: CheckedGoal, state: State) -> Plan | NoPlan:
        """Plan for a goal: return the proved answer, or the best plan when the patience is over.

        Raises:
            OutsideError: The planner cannot be started.
        """
        problem = self.problem(state, *goal.conjuncts)
        return self.options.service.solve(problem, seconds=self.options.seconds, patience=self.options.patience)

    def improving(self, goal: CheckedGoal, state: State) -> Best:
        """Start a search for better and better plans, and return at once."""
        return self.options.service.improve(self.problem(state, *goal.conjuncts), seconds=self.options.seconds)

    def again(self, old: Plan, expected: State, goal: CheckedGoal, state: State) -> Replanned:
        """Plan again; `old` is the rest of the previous plan, and `expected` the state in which it was to start.

        Raises:
            OutsideError: The planner cannot be started.
        """
        return self.options.service.replan(
            self.problem(state, *goal.conjuncts), old, expected, seconds=self.options.seconds
        )

    def part(
        self,
        conjunct: Conjunct,
        state: State,
        weights: Mapping[Literal, float] = MappingProxyType({}),
        hard: Conjunct = frozenset(),
    ) -> PartialPlan | NoPlan:
        """Plan for the most valuable part of a conjunction.

        Args:
            conjunct: The complete conjunction.
            state: The start state.
            weights: The value of each literal; 1 for a literal that is not listed.
            hard: Literals that must be reached.

        Raises:
            OutsideError: The planner cannot be started.
        """
        problem = replace(self.problem(state), goal=(conjunct,))
        return self.options.service.best_part(problem, weights=dict(weights), hard=hard, seconds=self.options.seconds)

    def problem(self, state: State, *alternatives: Conjunct) -> Problem:
        """Return the problem of reaching one of `alternatives` from `state`; without alternatives the goal is empty."""
        goals = map(self.world.vocabulary.decided, alternatives)
        return self.world.problem(state, *goals, costs=self.pricing.model)

    def decided(self, goal: Conjunct) -> Conjunct:
        """Return what decides whether a goal is reached."""
        return self.world.vocabulary.decided(goal)

    def around(self, request: recovery.Request, ask: Callable[[Plans, State], T | NoPlan]) -> T | NoPlan:
        """Call the planner in the model with the obstacles that the body has met.

        If there is no plan around the obstacles, plan again without those that were met only once.

        Args:
            request: The state and the learned model; the state contains only the current obstacles.
            ask: Makes the planning call.
        """
        request.must_be_wanted()
        world = request.learned or self.world
        if world.domain is not self.domain:
            answer = ask(self.within(world.domain), recovery.known_to(world.domain, request.state))
            if not isinstance(answer, NoPlan) or is_called_off(answer) or world == request.proven:
                return answer
        # An obstacle may have gone or been sensed wrongly, so a second try is better than no plan.
        least = (request.proven or self.world).domain
        return ask(self.within(least), recovery.known_to(least, request.state))

    def around_obstacles(self, goal: CheckedGoal, request: recovery.Request) -> Plan | NoPlan:
        """Plan for a goal around the obstacles that the body has met, and validate the plan."""

        def plan(plans: Plans, state: State) -> Plan | NoPlan:
            plan = plans.validated(plans.found(goal, state), state)
            return plan if isinstance(plan, NoPlan) else plans.shared(plan, state)

        return self.around(request, plan)

    def within(self, domain: Domain) -> Plans:
        """Return the same planning calls in another model of the world, such as one with obstacles."""
        return self if domain is self.domain else replace(self, world=self.world.within(domain))

    def regrounded(self, plan: Plan, state: State) -> Plan:
        """Return a plan whose actions are grounded again in this world, with its costs."""
        problem = self.problem(state)
        return replace(plan, steps=tuple(problem.ground(step.action) for step in plan.steps))

    def remembered(self, actions: tuple[Action, ...], goal: CheckedGoal, state: State, *, optimal: bool) -> Plan | None:
        """Return remembered actions as a plan, if they still reach the goal; None if the session has its own costs."""
        if self.pricing.model is not None:
            return None
        for conjunct in goal.conjuncts:
            if isinstance(validate_actions(actions, self.problem(state, conjunct)), Valid):
                steps = tuple(self.domain.ground(action, self.things, state.numbers) for action in actions)
                return Plan(steps, self.decided(conjunct), optimal, "memory")
        return None

    def shared(self, plan: Plan, state: State) -> Plan:
        """Return a plan distributed among equal hands or robots, if that is faster and costs no more."""
        if self.options.sharing is None:
            return plan
        shared = self.options.sharing.shared(plan, self.problem(state))
        admitted = plan if shared is plan else self.admitted(shared, state)
        return plan if isinstance(admitted, Feedback) else admitted

    def admitted(self, plan: Plan, state: State) -> Plan | Feedback:
        """Validate a plan: return it grounded again in this world, or feedback about the step at which it breaks."""
        actions = tuple(step.action for step in plan.steps)
        problem = self.problem(state, plan.goal)
        verdict = validate_actions(actions, problem)
        if isinstance(verdict, Invalid):
            return verdict.feedback
        return replace(plan, steps=tuple(map(problem.ground, actions)))

    def validated(self, answer: Plan | NoPlan, state: State) -> Plan | NoPlan:
        """Validate the plan of an answer; return why there is none if it breaks."""
        admitted = answer if isinstance(answer, NoPlan) else self.admitted(answer, state)
        return NoPlan(admitted) if isinstance(admitted, Feedback) else admitted

    def readmitted(self, replanned: Replanned, state: State) -> Replanned:
        """Validate the plan of a replanning answer; replace it by a refusal if it breaks."""
        answer = self.validated(replanned.answer, state)
        return replace(replanned, answer=answer if isinstance(answer, NoPlan) else self.shared(answer, state))


def session_planning(
    environment: Environment,
    service: PlanningService,
    weights: Weights,
    memory: Memory | None,
    limits: Limits,
    together: bool,
) -> PlanningOptions:
    """Return how a session with a body plans; `together` distributes steps among its hands."""
    robot, watcher, world = environment.robot, environment.watcher, environment.world
    prices = Prices.remembered(weights, world.domain.name, robot.observation, memory)
    prices = replace(prices, believed=lambda: doubts((scene := watcher.scene).beliefs, scene.world, scene.time))
    patience = {"first": 0.0, "optimal": limits.planning_seconds}.get(limits.search, limits.patience)
    # By default, a run on a simulated clock is the same on each machine, so no search runs beside it.
    improves = patience != limits.planning_seconds and not (patience is None and robot.clock.simulated)
    if patience is None:
        patience = SIMULATED_PATIENCE if robot.clock.simulated else PATIENCE
    sharing = Sharing.on(robot) if together else None
    return PlanningOptions(service, prices, limits.planning_seconds, patience, improves, together, sharing)


FEATURES = {
    "conditional-effects": "CONDITIONAL_EFFECTS",
    "quantified-conditions": "UNIVERSAL_CONDITIONS",
    "disjunctive-conditions": "DISJUNCTIVE_CONDITIONS",
    "derived-predicates": "DERIVED",
    "numeric": "NUMERIC",
    "costs-by-arguments": "COSTS",
}
"""The features of the portfolio, by the names of a world's features."""


def choice_told(planner: str, domain: Domain) -> dict[str, Any] | None:
    """Return the portfolio's choice for a world, with the features that exclude the others; None for another planner.

    Raises:
        UnplannableError: No installed planner supports the world.
    """
    if planner != PORTFOLIO:
        return None
    from planning.portfolio import Feature, Features, choose, present

    traits = frozenset(Feature[FEATURES[name]] for name in domain.features if name in FEATURES)
    return choose(Features(traits), present=present()).as_dict()


def is_called_off(answer: object) -> bool:
    """Return whether an answer says that planning was cancelled."""
    return isinstance(answer, NoPlan) and answer.feedback.code is Code.CANCELLED


SECONDS = 1.0  # default duration of a capability, for comparing plans


@dataclass(frozen=True, slots=True)
class Sharing:
    """How a plan is distributed among hands or robots that can replace each other."""

    occupied: execution.Occupied  # returns the parts of the body that a step occupies

    @classmethod
    def on(cls, robot: Robot) -> Sharing | None:
        """Return how the plans of a body are shared; None if it performs one motion at a time."""
        return cls(robot.occupies) if isinstance(robot, ConcurrentMotion) else None

    def shared(self, plan: Plan, problem: Problem) -> Plan:
        """Return a plan for the same goal that takes no longer than `plan` from the problem's state, nor costs more."""
        groups = tuple(alike(problem.domain, problem.objects))
        if not groups:
            return plan
        durations = {name: capability.duration or SECONDS for name, capability in problem.domain.capabilities.items()}
        durations |= problem.costs.durations if isinstance(problem.costs, CostModel) else {}

        def seconds(step: Operator) -> float:
            return durations[step.action.name]

        return execution.shared_out(plan, problem.state, groups, problem.ground, self.occupied, seconds=seconds)


def alike(domain: Domain, things: Mapping[str, Thing]) -> Iterator[tuple[str, ...]]:
    """Yield the names of each class with several hands or several robots."""
    robot = domain.conventions.robot
    classes = {thing.class_name for thing in things.values() if thing.class_name == robot or _is_hand(domain, thing)}
    for class_name in sorted(classes):
        names = tuple(sorted(name for name, thing in things.items() if thing.class_name == class_name))
        if len(names) > 1:
            yield names


def _is_hand(domain: Domain, thing: Thing) -> bool:
    """Return whether an object is a hand: by its affordance, or else because capabilities occupy it as a resource."""
    if domain.conventions.hand in domain.affordances:
        return domain.conventions.hand in thing.affordances
    return any(
        set(parameter.affordances) != {"object"} and thing.affords(parameter.affordances)
        for capability in domain.capabilities.values()
        for parameter in capability.parameters
        if parameter.name in capability.resources
    )
