"""Random small kitchens and goals, the same for the same seed."""

import dataclasses
from random import Random

from domains.model import Domain
from semantics.logic.atoms import Atom, Conjunct, Literal
from tests.planning.kitchen import DOMAIN, Scene, scene

MOVABLE = ("apple0", "milk0", "spoon0", "bowl0", "plate0", "pan0", "bowl1", "towel0")
SURFACES = ("table0", "counter0", "shelf0")
CONTAINERS = ("fridge0", "sink0")


def kitchen(random: Random, size: int = 5) -> Scene:
    """Return a kitchen with `size` things that can be carried, some stacked or in another, one perhaps in the hand."""
    names = random.sample(MOVABLE, size)
    where: dict[str, str] = {}
    for index, name in enumerate(names):
        tops = [one for one in names[:index] if one[:-1] in ("plate", "towel") and where[one] in SURFACES]
        tops = [one for one in tops if one not in where.values()]
        insides = [one for one in names[:index] if one[:-1] in ("bowl", "pan")]
        free = ["robot0"] if "robot0" not in where.values() else []
        where[name] = random.choice([*SURFACES, *CONTAINERS, *tops, *tops, *insides, *free])
    return scene(where, at=random.choice([*SURFACES, "fridge0", "floor0"]), opened=random.random() < 0.5)


def goal(random: Random, found: Scene, size: int = 2) -> Conjunct:
    """Return up to `size` literals that might hold together, and do not yet."""
    names = random.sample([name for name in found[0] if name in MOVABLE], size)
    literals = frozenset(_literal(random, name, found) for name in names)
    doors = [literal for literal in literals if literal.atom.args == ("fridge0",)]
    if len(doors) > 1 or found[1].satisfies(literals):
        return goal(random, found, size)
    return literals


def _literal(random: Random, name: str, found: Scene) -> Literal:
    tops = [one for one, thing in found[0].items() if "support" in thing.affordances and one != name]
    insides = [one for one, thing in found[0].items() if "contain" in thing.affordances and one != name]
    return random.choice(
        [
            Literal(Atom("on", (name, random.choice(tops)))),
            Literal(Atom("in", (name, random.choice(insides)))),
            Literal(Atom("inhand", (name, "human0"))),
            Literal(Atom(random.choice(["opened", "closed"]), ("fridge0",))),
            Literal(Atom("on", (name, "table0")), False),
        ]
    )


def with_dear_moves(cost: int) -> Domain:
    """Return the kitchen in which driving costs as much as `cost` other actions, so that a bowl can save some."""
    move = dataclasses.replace(DOMAIN.capabilities["move"], cost=cost)
    return dataclasses.replace(DOMAIN, capabilities={**DOMAIN.capabilities, "move": move})
