"""Problems of a robot that tidies a house of three levels with hundreds of things."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

from benchmarks.any.household_domain import COSTLY, FREE
from benchmarks.any.writing import Written, apart, grown, linked, names, points, written

__all__ = ["household"]

KINDS = {
    "cup": "crockery",
    "plate": "crockery",
    "book": "reading",
    "shirt": "clothing",
    "bottle": "food",
    "toy": "play",
    "basket": "ware",
    "tin": "tinware",
    "bulky": "furnishing",
}
"""The kind of things of each type."""
ACCEPTS = {
    "table": ["crockery", "reading", "food", "tinware"],
    "shelf": ["reading", "play"],
    "bed": ["clothing"],
    "cupboard": ["crockery", "tinware", "ware"],
    "fridge": ["food"],
    "dishwasher": ["crockery"],
    "wardrobe": ["clothing", "ware"],
    "chest": ["play", "tinware"],
    "basket": ["clothing", "play", "tinware"],
    "tin": ["food", "play"],
}
"""The kinds that furniture and boxes of each type hold; a rug, which stands for the floor of a room, holds all."""
FURNITURE = ("table", "fridge", "dishwasher", "cupboard", "shelf", "wardrobe", "chest", "bed")
THINGS = ("cup", "plate", "book", "shirt", "bottle", "toy")
SET = 4
"""How many plates or books make a set in which the smaller fits upon the larger."""


@dataclass
class House:
    """A house while it is filled.

    Attributes:
        random: The source of chance.
        objects: The names of the objects for each type.
        facts: What holds at the start.
        rooms_of: The room of each spot.
        holder_of: Where each portable thing is: a spot or a box.
    """

    random: Random
    objects: dict[str, list[str]] = field(default_factory=dict)
    facts: list[str] = field(default_factory=list)
    rooms_of: dict[str, str] = field(default_factory=dict)
    holder_of: dict[str, str] = field(default_factory=dict)

    def build(self, rooms: int, furniture: int) -> None:
        """Lay out rooms on three levels with stairs, a lift and furniture."""
        levels, places = names("level", 3), names("room", rooms)
        self.objects |= {"level": levels, "room": places, "rug": [], **{kind: [] for kind in FURNITURE}}
        on_level = [places[index::3] for index in range(3)]
        for level, own in zip(levels, on_level, strict=True):
            self.facts += [f"(on-level {room} {level})" for room in own]
            self.facts.append(f"(has-lift {own[0]})")
            for a, b in linked(own, len(own) // 2, self.random):
                self.facts.append(f"(joined {a} {b}) (joined {b} {a})")
        for low, high in pairwise(on_level):
            self.facts.append(f"(stairs {low[-1]} {high[-1]}) (stairs {high[-1]} {low[-1]})")
        for room in places:
            self._stand("rug", room)
        for index in range(furniture):
            # The first room is the kitchen: it has one table, one fridge and one dishwasher at least.
            self._stand(FURNITURE[index % len(FURNITURE)], places[0] if index < 3 else self.random.choice(places))
        self.facts.append(f"(lift-at {self.random.choice(levels)})")
        self.facts += [f"(robot-in {self.random.choice(places)})", "(free left) (free right)"]

    def _stand(self, kind: str, room: str) -> None:
        name = f"{kind}{len(self.objects[kind])}"
        self.objects[kind].append(name)
        self.rooms_of[name] = room
        self.facts.append(f"(stands-in {name} {room})")
        held = sorted(set(KINDS.values())) if kind == "rug" else ACCEPTS[kind]
        self.facts += [f"(accepts {name} {one})" for one in held]
        if kind in ("cupboard", "fridge", "dishwasher", "wardrobe", "chest") and self.random.random() < 0.3:
            self.facts.append(f"(opened {name})")

    def fill(self, kind: str, count: int) -> None:
        """Put things of one type into the house, each on or in something that holds its kind."""
        self.objects[kind] = names(kind, count)
        holders = ["rug", *(one for one in (*FURNITURE, "basket", "tin") if KINDS[kind] in ACCEPTS[one])]
        for thing in self.objects[kind]:
            self.facts.append(f"(of-kind {thing} {KINDS[kind]})")
            holder = self.random.choice([one for one in holders if self.objects.get(one)])
            place = self.random.choice(self.objects[holder])
            self.holder_of[thing] = place
            verb = {"rug": "on", "table": "on", "shelf": "on", "bed": "on", "basket": "packed", "tin": "packed"}
            self.facts.append(f"({verb.get(holder, 'in')} {thing} {place})")
            if kind in ("basket", "tin"):
                self.facts += [f"(packs {thing} {one})" for one in ACCEPTS[kind]]
                self.facts += [f"(unsealed {thing})"] if self.random.random() < 0.3 else []

    def stack(self, kind: str) -> list[tuple[str, str]]:
        """Say which plates or books fit upon which, and put some upon those that lie at the same place.

        Returns:
            The pairs that fit and do not lie so: the smaller, and the larger.
        """
        apart_now = []
        for start in range(0, len(self.objects[kind]), SET):
            own = self.objects[kind][start : start + SET]
            for index, larger in enumerate(own):
                self.facts += [f"(fits-upon {smaller} {larger})" for smaller in own[index + 1 :]]
            for larger, smaller in pairwise(own):
                place = self.holder_of[larger]
                if place == self.holder_of[smaller] and f"(on {larger} {place})" in self.facts:
                    self.facts.append(f"(lies-on {smaller} {larger})")
                else:
                    apart_now.append((smaller, larger))
        return apart_now

    def choose(self, kind: str, count: int, target: str) -> list[str]:
        """Choose things of a type that are not where they shall be, as many as there are up to a number."""
        astray = [thing for thing in self.objects[kind] if self.holder_of[thing] != target]
        return self.random.sample(astray, min(count, len(astray)))


def household(size: int, random: Random) -> Written:
    """Write a problem of a house to be tidied: 100 things at the smallest size, 600 at the largest.

    It is solvable: the robot reaches every room by stairs, or by the lift with a bulky thing. The rug of each room
    holds any number of things of all kinds, so whatever is in the way is put there first; a box is taken into one hand
    to be unpacked with the other. Goals about the same things agree: plates are washed first and stacked then,
    cupboards are shut and hands emptied when all is in its place, and the robot's own room comes last. The first goal
    does not hold at the start: dirty cups stand outside the dishwasher of the kitchen. Odd sizes have costs.
    """
    count = grown(100, 600, size)
    house = House(random)
    kinds = sorted(set(KINDS.values()))
    house.objects["kind"] = kinds
    house.build(rooms=grown(5, 18, size), furniture=count * 4 // 25)
    house.fill("basket", count // 30)
    house.fill("tin", count // 25)
    house.fill("bulky", count // 50)
    rest = count - sum(map(len, house.objects.values()))
    for index, kind in enumerate(THINGS):
        house.fill(kind, (rest + index) // len(THINGS))
    goal = _goal(house, grown(1, 5, size), grown(1, 5, size), grown(1, 4, size))
    costs = size % 2 == 1
    if costs:
        _price(house)
    return written(COSTLY if costs else FREE, "household", house.objects, house.facts, goal, costs)


def _price(house: House) -> None:
    """Add what ways cost, by the distances of points in a plane for rooms and at random for furniture."""
    spots = points(house.objects["room"], house.random, 12)
    links = [fact for fact in house.facts if fact.startswith(("(joined", "(stairs"))]
    for link in links:
        a, b = link.split(")")[0].split()[1:]
        steep = 10 if link.startswith("(stairs") else 0
        house.facts += [f"(= (distance {x} {y}) {steep + apart(spots[x], spots[y])})" for x, y in ((a, b), (b, a))]
    levels = house.objects["level"]
    house.facts += [
        f"(= (travel {a} {b}) {6 + 2 * abs(i - j)})"
        for i, a in enumerate(levels)
        for j, b in enumerate(levels)
        if i != j
    ]
    house.facts += [f"(= (reach {spot}) {house.random.randint(1, 6)})" for spot in house.rooms_of]


def _goal(house: House, conditions: int, things: int, cups: int) -> list[str]:
    """Return the goal: cups are cleared away, hands are empty, and some more, each about other things.

    Args:
        house: The house, to which the facts are added that mark what is dirty or chosen.
        conditions: How many further conditions the goal has.
        things: How many things a further condition is about, at most.
        cups: How many cups are dirty, at most.
    """
    random, objects = house.random, house.objects
    pairs = house.stack("plate")
    house.stack("book")
    room, level = random.choice(objects["room"]), random.choice(objects["level"])
    basket = random.choice(objects["basket"])
    toys, bottles = house.choose("toy", things, basket), house.choose("bottle", things, "fridge0")
    books, plates = random.sample(objects["book"], min(things, len(objects["book"]))), objects["plate"][:things]
    further: list[tuple[list[str], str]] = [
        (
            [f"(chosen {toy})" for toy in toys],
            f"(forall (?t - toy) (imply (chosen ?t) (packed ?t {basket})))",
        ),
        (
            [f"(chosen {bottle})" for bottle in bottles],
            "(forall (?b - bottle) (imply (chosen ?b) (in ?b fridge0)))",
        ),
        (
            [f"(chosen {book})" for book in books],
            "(exists (?t - table) (and (stands-in ?t room0) (forall (?b - book) (imply (chosen ?b) (on ?b ?t)))))",
        ),
        ([f"(dirty {plate})" for plate in plates], "(forall (?p - plate) (not (dirty ?p)))"),
        (
            [],
            f"(not (exists (?c - closet ?r - room) (and (on-level ?r {level}) (stands-in ?c ?r) (opened ?c))))",
        ),
        ([], f"(exists (?s - rug) (and (stands-in ?s {room}) (on {random.choice(objects['bulky'])} ?s)))"),
        ([], f"(robot-in {random.choice(objects['room'])})"),
        ([], f"(lies-on {pairs[0][0]} {pairs[0][1]})"),
    ]
    house.facts += [f"(dirty {cup})" for cup in house.choose("cup", cups, "dishwasher0")]
    goal = ["(forall (?c - cup) (imply (dirty ?c) (in ?c dishwasher0)))"]
    for facts, condition in random.sample(further, conditions):
        house.facts += facts
        goal.append(condition)
    return [*goal, "(forall (?h - hand) (free ?h))"]
