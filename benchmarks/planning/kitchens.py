"""Kitchens of any size, with a task each: the same for the same size and seed.

The number of objects counts all things but the robot and the person. Four in five movable things stand on furniture,
the others on or in each other, in the sink, in a fridge. Of four tasks one names all it needs; one moves a thing that
is covered by another; one is behind a closed door; one wants any of a class, of which there are many in different
situations. Plans have 2 to 12 actions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from random import Random

from affordances.bookkeeping import derive
from domains.model import Domain
from domains.reading import load_domain
from semantics.atoms import Atom, Conjunct, Literal
from semantics.state import State
from semantics.vocabulary import Thing

__all__ = ["KINDS", "SIZES", "Kitchen", "make"]

SIZES = (10, 20, 70, 300, 1000)
KINDS = ("named", "covered", "door", "any")
FIRST = ("floor", "counter", "table", "shelf", "fridge")
MORE = ("sink", "trash", "table", "counter", "shelf", "fridge", "table", "counter", "shelf")


@dataclass(frozen=True, slots=True)
class Kitchen:
    """A scene with a task.

    Attributes:
        kind: One of `KINDS`.
        things: Everything.
        state: Where everything is, bookkeeping facts included.
        goals: Conjuncts, one of which is to be reached.
    """

    kind: str
    things: Mapping[str, Thing]
    state: State
    goals: tuple[Conjunct, ...]


@cache
def kitchen_domain() -> Domain:
    """Return the shipped kitchen."""
    return load_domain("kitchen")


def make(size: int, seed: int) -> Kitchen:
    """Return the kitchen of `size` objects with that seed."""
    random = Random(f"{size} {seed}")
    builder = _Builder(random, size)
    kind = KINDS[seed % len(KINDS)]
    goals = builder.task(kind)
    domain = kitchen_domain()
    follows = [name for name, model in domain.predicates.items() if model.bookkeeping]
    state = State(frozenset(builder.facts) | derive(builder.facts, builder.things, follows))
    return Kitchen(kind, builder.things, state, goals)


class _Builder:
    def __init__(self, random: Random, size: int) -> None:
        self.random = random
        self.things: dict[str, Thing] = {}
        self.facts: set[Atom] = set()
        furniture = min(len(FIRST) + len(MORE), 5 + size.bit_length() - 4)
        places = [self._add(name) for name in (*FIRST, *MORE)[:furniture]]
        self.surfaces = [name for name in places if self._affords(name, "support") and name != "floor0"]
        self.fridges = [name for name in places if name.startswith("fridge")]
        self.open_boxes = [name for name in places if name[:4] in ("sink", "tras")]
        for name in ("robot", "human"):
            self._add(name)
        self.facts |= {
            Atom("at", ("robot0", random.choice(["floor0", *self.surfaces]))),
            Atom("at", ("human0", "floor0")),
        }
        self.facts |= {Atom("closed", (name,)) for name in self.fridges}
        self.movable: list[str] = []
        self.covered: dict[str, str] = {}
        self.where: dict[str, str] = {}
        for _ in range(size - furniture):
            self._place(self._add(random.choice(self._movables())))

    def _movables(self) -> list[str]:
        return [name for name, found in kitchen_domain().classes.items() if "carry" in found.affordances]

    def _add(self, class_name: str) -> str:
        number = 0
        while f"{class_name}{number}" in self.things:
            number += 1
        name = f"{class_name}{number}"
        self.things[name] = kitchen_domain().thing(name, class_name)
        return name

    def _affords(self, name: str, affordance: str) -> bool:
        return affordance in self.things[name].affordances

    def _place(self, name: str) -> None:
        tops = [
            one for one in self.movable
            if self._affords(one, "support") and one not in self.covered and self.where[one] in self.surfaces
        ]  # fmt: skip
        boxes = [one for one in self.movable if self._affords(one, "contain") and self.where[one] in self.surfaces]
        draw = self.random.random()
        if draw < 0.1 and tops:
            place = self.random.choice(tops)
            self.covered[place] = name
        elif draw < 0.2:
            place = self.random.choice([*self.fridges, *self.open_boxes, *boxes])
        else:
            place = self.random.choice(self.surfaces)
        relation = "on" if self._affords(place, "support") else "in"
        self.facts.add(Atom(relation, (name, place)))
        self.where[name] = place
        self.movable.append(name)

    def task(self, kind: str) -> tuple[Conjunct, ...]:
        """Choose what is wanted; what the kitchen lacks for it is moved there."""
        return {"named": self._named, "covered": self._covered, "door": self._door, "any": self._any}[kind]()

    def _loose(self) -> list[str]:
        """Return what stands on furniture with nothing on it."""
        return [name for name in self.movable if self.where[name] in self.surfaces and name not in self.covered]

    def _elsewhere(self, name: str) -> str:
        return self.random.choice([one for one in self.surfaces if one != self.where[name]])

    def _named(self) -> tuple[Conjunct, ...]:
        chosen = self.random.sample(self._loose(), min(len(self._loose()), self.random.choice([1, 2, 2, 3])))
        return (frozenset(Literal(Atom("on", (name, self._elsewhere(name)))) for name in chosen),)

    def _move(self, name: str, relation: str, place: str) -> None:
        self.facts = {atom for atom in self.facts if atom.predicate not in ("on", "in") or atom.args[0] != name}
        self.facts.add(Atom(relation, (name, place)))
        self.covered = {below: above for below, above in self.covered.items() if above != name}
        self.where[name] = place

    def _covered(self) -> tuple[Conjunct, ...]:
        below = [name for name in self.movable if name in self.covered and self.where[name] in self.surfaces]
        if not below:
            name = self._become("plate")
            above = next(one for one in self.movable if one != name and one not in self.covered)
            self._move(above, "on", name)
            self.covered[name] = above
            below = [name]
        wanted = self.random.choice(below)
        goal = {Literal(Atom("on", (wanted, self._elsewhere(wanted))))}
        others = [name for name in self._loose() if name != self.covered[wanted]]
        if self.random.random() < 0.5 and others:
            other = self.random.choice(others)
            goal.add(Literal(Atom("on", (other, self._elsewhere(other)))))
        return (frozenset(goal),)

    def _become(self, class_name: str) -> str:
        """Put a thing of that class in the place of the first loose one."""
        old = next(one for one in self._loose() if not self._affords(one, "contain"))
        name = self._add(class_name)
        place = self.where.pop(old)
        self.movable[self.movable.index(old)] = name
        del self.things[old]
        self.facts = {atom for atom in self.facts if old not in atom.args} | {Atom("on", (name, place))}
        self.covered = {below: above for below, above in self.covered.items() if above != old}
        self.where[name] = place
        return name

    def _door(self) -> tuple[Conjunct, ...]:
        fridge = self.random.choice(self.fridges)
        name = self.random.choice(self._loose())
        if self.random.random() < 0.5:
            return (frozenset({Literal(Atom("in", (name, fridge))), Literal(Atom("closed", (fridge,)))}),)
        self._move(name, "in", fridge)
        goal = {Literal(Atom("inhand", (name, "human0")))}
        if self.random.random() < 0.5:
            goal.add(Literal(Atom("closed", (fridge,))))
        return (frozenset(goal),)

    def _any(self) -> tuple[Conjunct, ...]:
        classes = sorted({self.things[name].class_name for name in self.movable})
        count = {one: sum(self.things[name].class_name == one for name in self.movable) for one in classes}
        wanted = max(classes, key=lambda one: (count[one], one))
        place = self.random.choice(self.surfaces)
        named = [name for name in self.movable if self.things[name].class_name == wanted and self.where[name] != place]
        if not named:
            named = [name for name in self.movable if self.where[name] != place][:3]
        return tuple(frozenset({Literal(Atom("on", (name, place)))}) for name in named)
