"""How long it takes to find a place at which a relation holds, and to judge relations, among many things on a table."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import pi
from random import Random

from affordances.relations import arrangement
from domains.conventions import Conventions
from semantics.body.observation import AgentView, Observation, Sighting
from semantics.geometry.geometry import Box, PlanarPose
from semantics.geometry.places import WantedPlace, places
from semantics.geometry.relations import Arrangement, holds
from semantics.geometry.solids import Solid, gap
from semantics.logic.vocabulary import Thing

__all__ = ["MADE", "STATEMENTS", "THINGS_ON_TABLE", "RelationTime", "crowded_table", "sampler_times", "sensing_times"]

THINGS_ON_TABLE = 30
STATEMENTS = 50
"""How many statements are judged together."""
TABLE, SIZE, TOP = "table0", (0.8, 1.4), 0.72
APART = 0.012
"""The least gap of two things, in metres."""
FORMS = ("box", "cylinder", "open-cylinder")
SIDES, HEIGHTS = (0.03, 0.1), (0.03, 0.15)
MADE = {
    **dict.fromkeys(("left_of", "right_of", "in_front_of", "behind", "next_to", "near"), 1),
    "between": 2,
    **dict.fromkeys(("in_corner_of", "at_edge_of", "on"), 0),
}
"""The relations whose places are timed, and to how many other things each is; to the table if to none."""
JUDGED = ("left_of", "right_of", "in_front_of", "behind", "next_to", "near", "above", "under", "touching", "aligned")


@dataclass(frozen=True, slots=True)
class RelationTime:
    """One measurement; times in seconds.

    Attributes:
        seconds: How long it took on the clock.
        processor: How much processor time it took.
        count: How many places were found, or how many statements were true.
    """

    seconds: float
    processor: float
    count: int


def crowded_table(seed: int) -> Observation:
    """Return a sensing of a table with many things on it, and of a person who looks at it."""
    random, solids = Random(seed), list[Solid]()
    while len(solids) < THINGS_ON_TABLE:
        form, side, height = random.choice(FORMS), random.uniform(*SIDES), random.uniform(*HEIGHTS)
        size = (side, random.uniform(*SIDES) if form == "box" else side, height)
        x, y = (random.uniform(0.08 - room / 2, room / 2 - 0.08) for room in SIZE)
        solid = Solid(form, size, (x, y, TOP), random.uniform(-pi, pi) if form == "box" else 0.0)
        if all(gap(solid, other) > APART for other in solids):
            solids.append(solid)
    seen = {
        f"thing{number}": Sighting(f"thing{number}", _box(solid), solid=solid) for number, solid in enumerate(solids)
    }
    bounds = Box((-SIZE[0] / 2, -SIZE[1] / 2, 0.0), (SIZE[0] / 2, SIZE[1] / 2, TOP))
    top = Box((*bounds.low[:2], TOP - 0.04), bounds.high)
    seen[TABLE] = Sighting(TABLE, bounds, surfaces=(top,))
    return Observation(0.0, 1, seen, agents={"human0": AgentView(PlanarPose(-1.2, 0.0, random.uniform(-0.5, 0.5)))})


def _box(solid: Solid) -> Box:
    (x, y, bottom), (a, b) = solid.at, (solid.reach((1.0, 0.0)), solid.reach((0.0, 1.0)))
    return Box((x - a, y - b, bottom), (x + a, y + b, solid.top))


def sensed(observation: Observation) -> Arrangement:
    """Return the things of a sensing as relations see them."""
    things = {name: Thing(name, "thing", frozenset()) for name in observation.sightings}
    return arrangement(observation, things, Conventions())


def sampler_times(seed: int, count: int) -> Iterator[RelationTime]:
    """Find the first place for a thing, for random relations to random others on a crowded table."""
    random, seen = Random(seed), sensed(crowded_table(seed))
    names = [name for name in seen.things if name != TABLE]
    for _ in range(count):
        relation = random.choice(sorted(MADE))
        thing, *others = random.sample(names, 1 + MADE[relation])
        wanted = WantedPlace(relation, (thing, *(others or [TABLE])))
        began, processor = time.perf_counter(), time.process_time()
        place = next(places(wanted, seen, [TABLE], seed=seed), None)
        yield RelationTime(time.perf_counter() - began, time.process_time() - processor, int(place is not None))


def sensing_times(seed: int, count: int) -> Iterator[RelationTime]:
    """Judge `STATEMENTS` random statements about what was sensed of a crowded table, `count` times."""
    random, observation = Random(seed), crowded_table(seed)
    names = [name for name in observation.sightings if name != TABLE]
    for _ in range(count):
        statements = [(random.choice(JUDGED), tuple(random.sample(names, 2))) for _ in range(STATEMENTS)]
        began, processor = time.perf_counter(), time.process_time()
        seen = sensed(observation)
        true = sum(holds(relation, pair, seen) for relation, pair in statements)
        yield RelationTime(time.perf_counter() - began, time.process_time() - processor, true)
