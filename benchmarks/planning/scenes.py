"""Rooms full of things for the generated kitchens: what there is, where it stands, and how far it is to each place."""

from __future__ import annotations

from functools import cache
from random import Random

from domains.model import Domain
from domains.reader import load_domain
from semantics.logic.atoms import Atom
from semantics.logic.vocabulary import Thing

__all__ = ["Scene", "kitchen_domain"]

FIRST = ("floor", "counter", "table", "sink", "fridge", "shelf")
MORE = ("stove", "trash", "table", "counter", "shelf", "fridge", "table", "counter", "shelf")
ROOM = (6.0, 5.0)
"""Width and depth, metres."""


@cache
def kitchen_domain() -> Domain:
    """Return the shipped kitchen."""
    return load_domain("kitchen")


class Scene:
    """A room with `size` things besides the robot, the person and two liquids; tasks change it by `move`.

    Attributes:
        things: Everything by name.
        facts: What is sensed or told.
        movable: What can be carried.
        where: What each of those is on or in.
        covered: What stands on such things.
        points: Where each place is, metres.
    """

    def __init__(self, random: Random, size: int) -> None:
        """Furnish and fill it."""
        self.random = random
        self.things: dict[str, Thing] = {}
        furniture = min(len(FIRST) + len(MORE), len(FIRST) + size.bit_length() - 4)
        places = [self.add(name) for name in (*FIRST, *MORE)[:furniture]]
        self.surfaces = [name for name in places if self.affords(name, "support") and name != "floor0"]
        self.fridges = [name for name in places if name.startswith("fridge")]
        self.open_boxes = [name for name in places if name[:4] in ("sink", "tras")]
        for name in ("robot", "human", "water", "lemonade"):
            self.add(name)
        self.points = {name: (random.uniform(0, ROOM[0]), random.uniform(0, ROOM[1])) for name in (*places, "human0")}
        self.facts = {Atom("at", ("robot0", "floor0")), Atom("at", ("human0", "floor0"))}
        self.facts |= {Atom("closed", (name,)) for name in self.fridges} | {Atom("liquid_in", ("water0", "sink0"))}
        self.movable: list[str] = []
        self.covered: dict[str, str] = {}
        self.where: dict[str, str] = {}
        classes = [name for name, found in kitchen_domain().classes.items() if "carry" in found.affordances]
        for _ in range(size - furniture):
            self._place(self.add(random.choice(classes)))

    def add(self, class_name: str) -> str:
        """Add a thing of that class, nowhere yet, and return its name."""
        number = 0
        while f"{class_name}{number}" in self.things:
            number += 1
        name = f"{class_name}{number}"
        self.things[name] = kitchen_domain().thing(name, class_name)
        return name

    def affords(self, name: str, affordance: str) -> bool:
        """Return whether a thing affords that."""
        return affordance in self.things[name].affordances

    def _place(self, name: str) -> None:
        standing = [one for one in self.movable if self.where[one] in self.surfaces]
        tops = [one for one in standing if self.affords(one, "support") and one not in self.covered]
        boxes = [one for one in standing if self.affords(one, "contain")]
        draw = self.random.random()
        if draw < 0.1 and tops:
            place = self.random.choice(tops)
        elif draw < 0.2:
            place = self.random.choice([*self.fridges, *self.open_boxes, *boxes])
        else:
            place = self.random.choice(self.surfaces)
        self.movable.append(name)
        self.move(name, place)

    def move(self, name: str, place: str) -> None:
        """Put a thing on or in another."""
        self.facts = {atom for atom in self.facts if atom.predicate not in ("on", "in") or atom.args[0] != name}
        self.facts.add(Atom("on" if self.affords(place, "support") else "in", (name, place)))
        self.covered = {below: above for below, above in self.covered.items() if above != name}
        if place in self.movable and self.affords(place, "support"):
            self.covered[place] = name
        self.where[name] = place

    def loose(self) -> list[str]:
        """Return what stands on furniture with nothing on it or in it."""
        full = {*self.covered, *self.where.values()}
        return [name for name in self.movable if self.where[name] in self.surfaces and name not in full]

    def elsewhere(self, name: str) -> str:
        """Return another surface than that of a thing."""
        return self.random.choice([one for one in self.surfaces if one != self.where[name]])

    def all_of(self, *classes: str) -> list[str]:
        """Return what can be carried and is of those classes."""
        return [name for name in self.movable if self.things[name].class_name in classes]

    def become(self, class_name: str, spared: tuple[str, ...] = ()) -> str:
        """Put a new thing of that class in the place of the first loose one that is not `spared`."""
        old = next(one for one in self.loose() if one not in spared)
        name = self.add(class_name)
        place = self.where.pop(old)
        self.movable[self.movable.index(old)] = name
        del self.things[old]
        self.facts = {atom for atom in self.facts if old not in atom.args}
        self.covered = {below: above for below, above in self.covered.items() if above != old}
        self.move(name, place)
        return name
