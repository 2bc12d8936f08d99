"""The gate: a proposed rule is tried in simulation, in many states, before anybody is to rely on it."""

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
"""In how many states a rule is tried; no more are looked for then."""
WALK = 6
DRAWS = 400
BLAMED = 40
"""How many random choices of what a failure blames are looked at for one step."""

Scene = tuple[Mapping[str, Thing], State]


@dataclass(frozen=True, slots=True)
class Trial:
    """How a rule did.

    Attributes:
        tried: In how many sampled states it applied.
        mended: In how many of them what was sought was brought about, and an unrelated next step could be taken.
    """

    tried: int
    mended: int


def passes(trial: Trial, share: float = 1.0) -> bool:
    """Return whether a rule was tried often enough, and has worked often enough."""
    return trial.tried >= LEAST_TRIED and trial.mended >= share * trial.tried


def tried(rule: RepairRule, domain: Domain, scenes: Sequence[Scene], *, samples: int = 40, seed: int = 0) -> Trial:
    """Try a rule in states that random steps lead to.

    In each a random step of its capability fails. The rule alone must bring about what that step is for, and a random
    next step that has nothing to do with the things the repair moves must be possible as if nothing had failed.

    Args:
        rule: What is tried. Of a physical failure, the step that fails is one that the model allows, and what is blamed
            for it are random things that the rule is for.
        domain: The world's model.
        scenes: Things and what holds at the start, each.
        samples: How many states are looked for in each scene.
        seed: Makes the same choices again.
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
    """Yield the scene in states that random steps lead to."""
    for _ in range(samples):
        now = problem
        for _ in range(random.randrange(WALK + 1)):
            step = next(_drawn(now, random, tuple(problem.domain.capabilities)), None)
            now = now.with_state(step.apply(now.state)) if step is not None else now
        yield now


def _drawn(problem: Problem, random: Random, names: Sequence[str], can: bool = True) -> Iterator[Operator]:
    """Yield random operators that can (or cannot) be taken."""
    known: dict[str, list[list[str]]] = {}
    for _ in range(DRAWS):
        capability = problem.domain.capabilities[random.choice(names)]
        if capability.name not in known:
            known[capability.name] = _choices(capability, problem.objects)
        choices = known[capability.name]
        if not all(choices):
            continue
        action = Action(capability.name, tuple(random.choice(one) for one in choices))
        try:
            operator = problem.ground(action)
            if operator.applicable(problem.state) is can:
                yield operator
        except UsageError:
            continue


def _choices(capability: Capability, things: Mapping[str, Thing]) -> list[list[str]]:
    """Return what each parameter of a capability may be."""
    asked = [set(parameter.affordances) - {"object"} for parameter in capability.parameters]
    return [[name for name, thing in things.items() if one <= thing.affordances] for one in asked]


def _once(rule: RepairRule, problem: Problem, random: Random) -> bool | None:
    """Return whether the rule mends a random failure; None when it applies to none."""
    domain, things = problem.domain, problem.objects
    names = (rule.capability,) if rule.capability else tuple(domain.capabilities)
    physical = rule.code != Code.PRECONDITION
    for step in _drawn(problem, random, names, can=physical):
        ways = ((one, way) for one in _blamed(rule, things, random) for way in bound(rule, step, one, problem))
        culprits, way = next(ways, ((), None))
        if way is None:
            continue
        failure = Feedback(Code(rule.code), str(step), "as tried", culprits=culprits) if physical else None
        rest = _unrelated(step, set(way.binding.values()), problem, random)
        sought = frozenset(Literal(atom) for atom in step.added - step.bookkeeping)
        goal = sought if not rest else frozenset()
        found = RepairSearch((rule,), domain, things).mend((step, *rest), problem.state, goal, failure)
        return isinstance(found, Mended)
    return None


def _blamed(rule: RepairRule, things: Mapping[str, Thing], random: Random) -> Iterator[tuple[str, ...]]:
    """Yield random things that a failure may blame; nothing where the rule asks for none."""
    if not rule.culprits:
        yield ()
        return
    for _ in range(BLAMED):
        yield tuple(random.sample(sorted(things), min(len(rule.culprits), len(things))))


def _unrelated(step: Operator, moved: set[str], problem: Problem, random: Random) -> tuple[Operator, ...]:
    """Return a random step that would be possible had the failed one worked, and touches nothing of the repair."""
    agents = {name for name, thing in problem.objects.items() if thing.class_name in problem.domain.agents}
    worked = problem.with_state(step.apply(problem.state))
    fitting = (
        one
        for one in _drawn(worked, random, tuple(problem.domain.capabilities))
        if not (set(one.action.args) - agents) & moved and one.applicable(problem.state)
    )
    return tuple(one for one in (next(fitting, None),) if one is not None)
