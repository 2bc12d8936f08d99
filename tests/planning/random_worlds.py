"""Random small problems of any world that comes with the program, the same for the same seed."""

from functools import cache
from random import Random

from affordances.bookkeeping import derive
from domains.model import Domain
from domains.reading import available_scenes, load_domain, load_scene
from planning import ground
from semantics.atoms import Atom, Conjunct, Literal
from semantics.state import State
from semantics.vocabulary import Thing

Problem = tuple[dict[str, Thing], State, Conjunct]
SIZE = 4
"""How many things that can be carried are left in a scene, so that the whole problem can be checked."""


@cache
def world(name: str) -> Domain:
    return load_domain(name)


def random_problem(name: str, seed: int) -> Problem:
    """Return a piece of a shipped scene after a random walk, and up to three literals, reachable or not."""
    random, domain = Random(f"{name} {seed}"), world(name)
    found, state = _scene(random, domain)
    state = _walked(random, found, state, domain, random.randrange(25))
    goal = _wished(random, found, domain) if random.random() < 0.6 else _reached(random, found, state, domain)
    return found, state, goal


def _scene(random: Random, domain: Domain) -> tuple[dict[str, Thing], State]:
    scene = load_scene(domain, random.choice(available_scenes(domain)))
    light = [name for name, thing in scene.things.items() if "carry" in thing.affordances]
    kept = {*random.sample(light, min(SIZE, len(light))), *(scene.things.keys() - light)}
    found = {name: thing for name, thing in scene.things.items() if name in kept}
    facts = {atom for atom in (*scene.facts, *scene.beliefs) if kept.issuperset(atom.args)}
    follows = [name for name, model in domain.predicates.items() if model.bookkeeping]
    return found, State(frozenset(facts) | derive(facts, found, follows))


def _walked(random: Random, found: dict[str, Thing], state: State, domain: Domain, steps: int) -> State:
    operators = ground(domain, found)
    for _ in range(steps):
        names = sorted({one.action.name for one in operators if one.applicable(state)})
        name = random.choice(names)  # by name first: most actions are moves
        state = random.choice([one for one in operators if one.action.name == name and one.applicable(state)]).apply(
            state
        )
    return state


def _reached(random: Random, found: dict[str, Thing], state: State, domain: Domain) -> Conjunct:
    """Return what another walk makes true, so that there is a plan."""
    there = _walked(random, found, state, domain, 15)
    goals = [name for name, model in domain.predicates.items() if model.predicate.goal and not model.bookkeeping]
    new = sorted(atom for atom in there.atoms - state.atoms if atom.predicate in goals)
    old = sorted(atom for atom in state.atoms - there.atoms if atom.predicate in goals)
    literals = [*map(Literal, new), *(Literal(atom, False) for atom in old)] or [
        Literal(random.choice(sorted(there.atoms)))
    ]
    return frozenset(random.sample(literals, min(len(literals), random.choice([1, 2, 3]))))


def _wished(random: Random, found: dict[str, Thing], domain: Domain) -> Conjunct:
    """Return atoms whose arguments afford what their predicates ask; whether there is a plan is open."""
    models = [model.predicate for model in domain.predicates.values() if model.predicate.goal and not model.bookkeeping]
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
