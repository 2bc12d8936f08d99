"""Random small problems of any world that comes with the program, the same for the same seed."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from affordances.scene import completed
from domains.invariants.mentions import lasting_capabilities
from domains.model import Domain
from domains.problem import Problem
from domains.reader import available_scenes, load_domain, load_scene
from domains.relations import for_goal
from planning.problem.grounding import actions
from planning.problem.reduced import without_inapplicable
from semantics.logic.atoms import Atom, Conjunct, Literal
from semantics.logic.state import Operator, State
from semantics.logic.vocabulary import Thing

__all__ = ["random_problem", "world"]

Drawn = tuple[dict[str, Thing], State, Conjunct]
SIZE = 4
"""How many things that can be carried are left in a scene, so that the whole problem can be checked."""


@cache
def world(name: str) -> Domain:
    """Return a shipped world without relations of places, as a goal without one is planned."""
    domain, _ = for_goal(load_domain(name), {}, ())
    kept = {key: model for key, model in domain.predicates.items() if not model.predicate.on_demand}
    return replace(domain, predicates=kept)


def random_problem(name: str, seed: int) -> Drawn:
    """Return a piece of a shipped scene after a random walk, and up to three literals, reachable or not."""
    random, domain = Random(f"{name} {seed}"), world(name)
    found, state = _scene(random, domain)
    walk = _Walk(random, _operators(domain, found, state))
    state = walk.take(state, random.randrange(25))
    goal = _wished(random, found, domain) if random.random() < 0.6 else _reached(random, walk, state, domain)
    return found, state, goal


def _scene(random: Random, domain: Domain) -> tuple[dict[str, Thing], State]:
    scene = load_scene(domain, random.choice(available_scenes(domain)))
    light = [name for name, thing in scene.things.items() if "carry" in thing.affordances]
    told = (*scene.facts, *scene.beliefs)
    kept = _with_places(random.sample(light, min(SIZE, len(light))), told) | (scene.things.keys() - light)
    found = {name: thing for name, thing in scene.things.items() if name in kept}
    facts = frozenset(atom for atom in told if kept.issuperset(atom.args))
    numbers = {number: value for number, value in scene.numbers.items() if kept.issuperset(number.args)}
    return found, completed(Problem(domain, found, State(facts, numbers)))


def _with_places(names: Sequence[str], told: Sequence[Atom]) -> set[str]:
    """Return `names` with what those things are on or in, and what that is on or in."""
    places = {atom.args[0]: atom.args[1] for atom in told if atom.predicate in ("on", "in")}
    kept = set(names)
    for name in names:
        while (name := places.get(name, "")) and name not in kept:
            kept.add(name)
    return kept


def _operators(domain: Domain, found: Mapping[str, Thing], state: State) -> dict[str, list[Operator]]:
    """Return the ground actions by name, without those of capabilities that need what nothing ever makes so."""
    domain = without_inapplicable(Problem(domain, found, state)).domain
    axioms = domain.axioms(found)
    operators = defaultdict(list)
    for capability in map(domain.capabilities.__getitem__, lasting_capabilities(domain)):
        for action in actions(domain, capability, found):
            operators[capability.name].append(domain.ground(action, found, state.numbers, axioms))
    return operators


@dataclass(frozen=True)
class _Walk:
    """Takes steps at random, by name first: most actions are moves."""

    random: Random
    operators: Mapping[str, Sequence[Operator]]

    def take(self, state: State, steps: int) -> State:
        for _ in range(steps):
            state = self._step(state)
        return state

    def _step(self, state: State) -> State:
        for name in self.random.sample(sorted(self.operators), len(self.operators)):
            ready = [one for one in self.operators[name] if one.applicable(state)]
            if ready:
                return self.random.choice(ready).apply(state)
        return state


def _reached(random: Random, walk: _Walk, state: State, domain: Domain) -> Conjunct:
    """Return what another walk makes true, so that there is a plan."""
    there = walk.take(state, 15)
    goals = [name for name, model in domain.predicates.items() if model.predicate.goal and not model.bookkeeping]
    new = sorted(atom for atom in there.atoms - state.atoms if atom.predicate in goals)
    old = sorted(atom for atom in state.atoms - there.atoms if atom.predicate in goals)
    literals = [*map(Literal, new), *(Literal(atom, False) for atom in old)] or [
        Literal(random.choice(sorted(there.atoms)))
    ]
    return frozenset(random.sample(literals, min(len(literals), random.choice([1, 2, 3]))))


def _wished(random: Random, found: dict[str, Thing], domain: Domain) -> Conjunct:
    """Return atoms whose arguments afford what their predicates ask; whether there is a plan is open."""
    models = [
        model.predicate
        for name, model in domain.predicates.items()
        if model.predicate.goal and not model.bookkeeping and name not in domain.momentary
    ]
    literals: set[Literal] = set()
    for _ in range(random.choice([1, 2, 2, 3])):
        predicate = random.choice(models)
        choices = [
            [name for name, thing in found.items() if need == "object" or need in thing.affordances]
            for need in predicate.parameters
        ]
        if all(choices):
            atom = Atom(predicate.name, tuple(map(random.choice, choices)))
            literals.add(Literal(atom, random.random() < 0.85))
    return frozenset(one for one in literals if one.negated() not in literals) or _wished(random, found, domain)
