"""`Pricing`: the cost model of a session, from the scene, the earlier runs, and the weights of a person.

- **Distance** is measured between the robot's working positions at two places, as the body senses them. A place without
  such a position (the floor) counts as the robot's position at its first look, so that no path through it is shorter
  than the straight line.
- **Duration** comes from the world, or else is the average of a capability in earlier runs of this world. A capability
  that moves its agent from place to place has no measured duration: its distance stands for its time.
- **Risk** joins the probabilities of affordances (`affordances.mapping`, with the evidence of earlier runs), how sure
  the places of things are by now (`affordances.confidence`), and the success rate of each action in those runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from domains.conventions import Conventions
from domains.model import Capability, Domain
from domains.problem import Problem
from domains.world import World
from graftwork.setup.limits import Weights
from planning.costs import CostModel, Shares, Tries, shares
from semantics.body.observation import Observation
from semantics.errors import UsageError
from semantics.logic.atoms import Atom
from semantics.logic.state import Action, Plan
from semantics.logic.vocabulary import Thing

if TYPE_CHECKING:
    from affordances.mapping import ObjectAffordances
    from graftwork.memory import Memory
    from graftwork.record.episode import Tried

DIGITS = 6
NO_WEIGHTS = Weights()  # with these, actions have the costs of their world


@dataclass(frozen=True, slots=True)
class Pricing:
    """The costs of actions in a scene."""

    model: CostModel | None = None  # the cost model for planning; None for the world's costs
    scale: int = 1  # how many units of planning make one unit of the world's costs, see `domains.cost_scale`

    def units(self, cost: float) -> float:
        """Convert a planner's cost to the displayed unit."""
        scale = self.scale if self.model is None else self.model.scale
        return cost if scale == 1 else cost / scale

    def shares(self, plan: Plan, problem: Problem) -> tuple[Shares, ...]:
        """Return the parts of the cost of each step of a plan for a problem, in the displayed unit."""
        model = self.model
        if model is None:
            return tuple(Shares(self.units(step.cost), 0.0, 0.0, 0.0) for step in plan.steps)
        return tuple(shares(problem, model, step.action) for step in plan.steps)


@dataclass(frozen=True, slots=True)
class Prices:
    """What the costs of actions depend on besides the world."""

    # the weights of distance, duration and risk; without any, actions have the world's costs
    weights: Weights = field(default_factory=Weights)
    observe: Callable[[], Observation] = Observation  # returns what the body sees now, for the positions of places
    evidence: ObjectAffordances | None = None  # evidence about the affordances of classes
    tried: Sequence[Tried] = ()  # successes, failures and durations of actions
    # returns how sure it is now where things are, see `CostModel.believed`
    believed: Callable[[], Mapping[Atom, float]] = dict

    def of(self, world: World) -> Pricing:
        """Return the costs of actions in a world, computed once a revision but for what is believed now."""
        if self.weights == NO_WEIGHTS:
            return Pricing(scale=world.domain.cost_scale(world.numbers))
        priced = world.remember(
            "pricing", lambda: pricing(self.weights, world, self.observe(), self.evidence, self.tried)
        )
        believed = self.believed() if self.weights.risk else {}
        return replace(priced, model=replace(priced.model, believed=believed)) if believed and priced.model else priced

    @classmethod
    def remembered(
        cls, weights: Weights, world: str, observe: Callable[[], Observation], memory: Memory | None
    ) -> Prices:
        """Return the costs by weights, by what `observe` sees, and by the earlier runs of a world in a memory.

        Raises:
            MemoryFileError, EvidenceFileError: A file cannot be read.
        """
        if weights == NO_WEIGHTS or memory is None:
            return cls(weights, observe)
        from graftwork.memory.evidence import store_beside  # it also records runs

        return cls(weights, observe, store_beside(memory.path).load(), memory.tried(world))


def pricing(
    weights: Weights,
    world: World,
    seen: Observation,
    evidence: ObjectAffordances | None = None,
    tried: Sequence[Tried] = (),
) -> Pricing:
    """Return the costs of actions in a world by weights; `seen` says where places are, the rest as in `Prices`."""
    domain, things = world.domain, world.objects
    scale = domain.cost_scale(world.numbers)
    if weights == NO_WEIGHTS:
        return Pricing(scale=scale)
    model = CostModel(
        unit=scale,
        per_metre=weights.per_metre,
        per_second=weights.per_second,
        risk=weights.risk,
        places=_places(things, seen, domain.conventions) if weights.per_metre else {},
        durations=_durations(domain, tried) if weights.per_second else {},
        record=_record(domain, things, tried) if weights.risk else {},
        sure=_sure(domain, things, evidence) if weights.risk else {},
    )
    return Pricing(model, scale)


def _places(things: Mapping[str, Thing], seen: Observation, names: Conventions) -> dict[str, tuple[float, float]]:
    stands = {name: sighting.stand for name, sighting in seen.sightings.items() if sighting.stand is not None}
    places = {name: (stand.x, stand.y) for name, stand in stands.items()}
    robots = [name for name, thing in sorted(things.items()) if thing.class_name == names.robot and name in seen.agents]
    if places and robots:
        pose = seen.agents[robots[0]].pose
        start = (pose.x, pose.y)
        elsewhere = (
            name for name, thing in things.items() if names.location in thing.affordances and name not in places
        )
        places |= dict.fromkeys(elsewhere, start)
    return places


def _durations(domain: Domain, tried: Sequence[Tried]) -> dict[str, float]:
    measured = {}
    for name, capability in domain.capabilities.items():
        # How long an action took that somebody wanted slow tells nothing of the others.
        usual = (attempt for attempt in tried if not attempt.action.values)
        tries = [attempt for attempt in usual if attempt.action.name == name and attempt.worked]
        if tries and not _moves(capability):
            measured[name] = sum(attempt.seconds for attempt in tries) / sum(attempt.worked for attempt in tries)
    stated = {
        name: capability.duration for name, capability in domain.capabilities.items() if capability.duration is not None
    }
    return {**measured, **stated}


def _moves(capability: Capability) -> bool:
    """Return whether a capability changes the place of its agent."""
    agent = f"?{capability.parameters[0].name}" if capability.parameters else ""
    changes = [
        (template.predicate, template.positive)
        for template in capability.effect
        if template.args[:1] == (agent,) and template.args[1:]
    ]
    return any((predicate, not positive) in changes for predicate, positive in changes)


def _record(domain: Domain, things: Mapping[str, Thing], tried: Sequence[Tried]) -> dict[str | Action, Tries]:
    """Return the tries by capability, and by action with the objects of this scene."""
    relevant = [attempt for attempt in tried if attempt.action.name in domain.capabilities]
    record: dict[str | Action, Tries] = {}
    for attempt in relevant:
        before = record.get(attempt.action.name, Tries())
        record[attempt.action.name] = Tries(before.successes + attempt.worked, before.failures + attempt.failed)
    grounded = (
        attempt
        for attempt in relevant
        if things.keys() >= set(attempt.action.args) and _can(domain, attempt.action, things)
    )
    return record | {attempt.action: Tries(attempt.worked, attempt.failed) for attempt in grounded}


def _can(domain: Domain, action: Action, things: Mapping[str, Thing]) -> bool:
    try:
        domain.ground(action, things)
    except UsageError:
        return False
    return True


def _sure(
    domain: Domain, things: Mapping[str, Thing], evidence: ObjectAffordances | None
) -> dict[tuple[str, str], float]:
    """Return the probability of each affordance of each object; those that the scene states explicitly are certain."""
    from affordances.mapping import ObjectAffordances  # only a risk that has a price asks for it

    mapping = ObjectAffordances.from_domain(domain)
    if evidence is not None:
        mapping = mapping.with_mapping(evidence)
    return {
        (thing.name, affordance): mapping.probability(thing.class_name, affordance)
        for thing in things.values()
        for affordance in thing.affordances - thing.gains - domain.conventions.structural
    }


def shares_told(shares: Iterable[Shares]) -> tuple[dict[str, float], ...]:
    """Return the parts of the cost of each step as plain data."""
    return tuple(
        {name: round(share, DIGITS) for name, share in step_shares._asdict().items()} for step_shares in shares
    )


def cost_words(cost: float | None) -> str:
    """Return a cost without needless digits."""
    return f"{cost or 0:.6g}"


def parts_words(shares: Mapping[str, float]) -> str:
    """Return the parts of a step's cost, such as "1 agent + 0.75 distance"; empty if only the agent's part counts."""
    more = {name: share for name, share in shares.items() if share and name != "agent"}
    if not more:
        return ""
    parts = "".join(f" + {cost_words(share)} {name}" for name, share in more.items())
    return f" = {cost_words(shares['agent'])} agent{parts}"
