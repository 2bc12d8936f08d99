"""The gate for proposed rules: a rule is tried in simulation in many states before it is used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from bt.recovery.rules.instances import bound
from bt.recovery.rules.repair_search import Mended, RepairSearch
from domains.model import Capability, Domain, RepairRule
from domains.problem import Problem
from semantics.atoms import Literal
from semantics.errors import UsageError
from semantics.feedback import Code, Feedback
from semantics.state import Action, Operator, State
from semantics.vocabulary import Thing

__all__ = ["Trial", "passes", "tried"]

LEAST_TRIED = 10
ENOUGH = 15
"""The number of states in which a rule is tried; sampling stops then."""
WALK = 6
DRAWS = 400
BLAMED = 40
"""The number of random choices of culprits that are examined for one step."""

Scene = tuple[Mapping[str, Thing], State]


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of the trials of a rule.

    Attributes:
        tried: The number of sampled states in which it applied.
        mended: The number of those in which the effects were achieved and an unrelated next step was applicable.
    """

    tried: int
    mended: int


def passes(trial: Trial, share: float = 1.0) -> bool:
    """Return whether a rule was tried often enough and has worked often enough."""
    return trial.tried >= LEAST_TRIED and trial.mended >= share * trial.tried


def tried(rule: RepairRule, domain: Domain, scenes: Sequence[Scene], *, samples: int = 40, seed: int = 0) -> Trial:
    """Try a rule in states that random steps lead to, and count the successes.

    In each state a random step of its capability fails. The rule alone has to achieve the effects of that step, and a
    random next step that is not related to the moved objects has to stay applicable as if nothing had failed.

    Args:
        rule: The rule. For a physical failure, the failing step is applicable in the model, and its culprits are random
            objects that the rule is for.
        domain: The model of the world.
        scenes: The objects and the start state of each scene.
        samples: The number of states to sample in each scene.
        seed: The seed of the random choices.
    """
    random = Random(seed)
    counts = [0, 0]
    for things, start in scenes:
        for problem in _states(Problem(domain, things, start), samples, random):
            outcome = _once(rule, problem, random)
            counts[0] += outcome is not None
            counts[1] += outcome is True
            if counts[0] >= ENOUGH:
                return Trial(*counts)
    return Trial(*counts)


def _states(problem: Problem, samples: int, random: Random) -> Iterator[Problem]:
    """Yield the problem with states that random steps lead to."""
    for _ in range(samples):
        now = problem
        for _ in range(random.randrange(WALK + 1)):
            step = next(_drawn(now, random, tuple(problem.domain.capabilities)), None)
            now = now.with_state(step.apply(now.state)) if step is not None else now
        yield now


def _drawn(problem: Problem, random: Random, names: Sequence[str], can: bool = True) -> Iterator[Operator]:
    """Yield random operators that are (or are not) applicable."""
    choices_of: dict[str, list[list[str]]] = {}
    for _ in range(DRAWS):
        capability = problem.domain.capabilities[random.choice(names)]
        if capability.name not in choices_of:
            choices_of[capability.name] = _choices(capability, problem.objects)
        choices = choices_of[capability.name]
        if not all(choices):
            continue
        action = Action(capability.name, tuple(random.choice(objects) for objects in choices))
        try:
            operator = problem.ground(action)
            if operator.applicable(problem.state) is can:
                yield operator
        except UsageError:
            continue


def _choices(capability: Capability, things: Mapping[str, Thing]) -> list[list[str]]:
    """Return the possible objects of each parameter of a capability."""
    asked = [set(parameter.affordances) - {"object"} for parameter in capability.parameters]
    return [[name for name, thing in things.items() if affordances <= thing.affordances] for affordances in asked]


def _once(rule: RepairRule, problem: Problem, random: Random) -> bool | None:
    """Return whether the rule repairs a random failure; None when it applies to none."""
    domain, things = problem.domain, problem.objects
    names = (rule.capability,) if rule.capability else tuple(domain.capabilities)
    physical = rule.code != Code.PRECONDITION
    for step in _drawn(problem, random, names, can=physical):
        ways = ((blamed, way) for blamed in _blamed(rule, things, random) for way in bound(rule, step, blamed, problem))
        culprits, way = next(ways, ((), None))
        if way is None:
            continue
        failure = Feedback(Code(rule.code), str(step), "as tried", culprits=culprits) if physical else None
        rest = _unrelated(step, set(way.binding.values()), problem, random)
        sought = frozenset(Literal(atom) for atom in step.added - step.bookkeeping)
        goal = sought if not rest else frozenset()
        repair = RepairSearch((rule,), domain, things).mend((step, *rest), problem.state, goal, failure)
        return isinstance(repair, Mended)
    return None


def _blamed(rule: RepairRule, things: Mapping[str, Thing], random: Random) -> Iterator[tuple[str, ...]]:
    """Yield random culprits of a failure; an empty tuple when the rule has none."""
    if not rule.culprits:
        yield ()
        return
    for _ in range(BLAMED):
        yield tuple(random.sample(sorted(things), min(len(rule.culprits), len(things))))


def _unrelated(step: Operator, moved: set[str], problem: Problem, random: Random) -> tuple[Operator, ...]:
    """Return a random step that uses no object of the repair and is applicable after the failed step had worked."""
    agents = {name for name, thing in problem.objects.items() if thing.class_name in problem.domain.agents}
    worked = problem.with_state(step.apply(problem.state))
    fitting = (
        operator
        for operator in _drawn(worked, random, tuple(problem.domain.capabilities))
        if not (set(operator.action.args) - agents) & moved and operator.applicable(problem.state)
    )
    return tuple(operator for operator in (next(fitting, None),) if operator is not None)
