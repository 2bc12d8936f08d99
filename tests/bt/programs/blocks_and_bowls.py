"""A table with coloured blocks and bowls at places that a seed chooses, in a world with geometry.

The colours are kinds of things, so that a program asks for ``objects("red")``. `Table.at` is where a thing was put: the
truth that answers are compared with. It is computed from the scene file and not from what a body senses.
"""

import random
from dataclasses import dataclass
from math import hypot
from pathlib import Path

import yaml

COLOURS = ("red", "green", "blue", "yellow")
HEADER = """
name: colours
affordances:
  carry: one hand can lift it
  contain: things lie in it
  support: things stand on it
  location: the robot can be there
  actor: it acts
predicates:
  on: {parameters: [carry, support], say: "{0} is on {1}", sensed: on}
  at: {parameters: [actor, location], say: "{0} is at {1}", sensed: at}
  inhand: {parameters: [carry, actor], say: "{1} holds {0}", sensed: inhand}
  hand_occupied: {parameters: [actor], say: "{0} holds something", bookkeeping: true}
capabilities:
  drive:
    parameters: {a: actor, start: location, end: location}
    distinct: [[start, end]]
    precondition: (at ?a ?start)
    effect: (and (at ?a ?end) (not (at ?a ?start)))
    primitive: drive
    roles: {to: end}
  pick:
    parameters: {a: actor, o: carry, place: [support, location]}
    precondition: (and (at ?a ?place) (on ?o ?place) (not (hand_occupied ?a)))
    effect: (and (inhand ?o ?a) (hand_occupied ?a) (not (on ?o ?place)))
    primitive: pick
    roles: {object: o, source: place, at: place}
agents:
  robot: {capabilities: all}
"""
TABLE = (0.5, 2.0)
SIZE = (1.2, 0.8, 0.7)
SPACING = 0.12


@dataclass(frozen=True)
class Table:
    """A world and a scene of it.

    Attributes:
        domain: The file of the domain.
        scene: The file of the scene.
        at: Where each block and bowl stands, in metres, relative to the middle of the table: to the right, to the top.
    """

    domain: Path
    scene: Path
    at: dict[str, tuple[float, float]]

    def colour(self, name):
        return name.split("_")[0]

    def those(self, kind):
        return sorted(name for name in self.at if kind in name.rstrip("0").split("_"))

    def from_the(self, direction, names):
        axis, sign = {"left": (0, 1), "right": (0, -1), "bottom": (1, 1), "top": (1, -1)}[direction]
        return sorted(names, key=lambda name: sign * self.at[name][axis])

    def is_to(self, direction, name, place):
        axis, sign = {"left": (0, -1), "right": (0, 1), "bottom": (1, -1), "top": (1, 1)}[direction]
        return sign * (self.at[name][axis] - place[axis]) > 0

    def apart(self, one, other):
        (a, b), (x, y) = self.at[one], self.at[other]
        return hypot(a - x, b - y)


def laid(folder: Path, seed: int) -> Table:
    """Write a world with two to four blocks and bowls of each colour, and a scene with them at random places."""
    chance = random.Random(seed)
    classes = {
        "robot": {"affordances": ["actor"]},
        "floor": {"affordances": ["support", "location"]},
        "table": {"affordances": ["support", "location"], "model": "table"},
    }
    for colour in COLOURS:
        block = {"form": "box", "size": [0.04, 0.04, 0.04]}
        bowl = {"form": "open-cylinder", "size": [0.08, 0.08, 0.04]}
        classes[f"{colour}_block"] = {"affordances": ["carry"], "kinds": ["block", colour], "shape": block}
        classes[f"{colour}_bowl"] = {"affordances": ["carry", "contain"], "kinds": ["bowl", colour], "shape": bowl}
    world = {"kinds": {kind: [] for kind in ("block", "bowl", *COLOURS)}, "classes": classes}
    folder.mkdir(parents=True, exist_ok=True)
    domain = folder / "domain.yaml"
    domain.write_text(HEADER + yaml.safe_dump(world, sort_keys=False), encoding="utf-8")
    at = _scattered(chance)
    things = {
        "floor0": {"class": "floor"},
        "robot0": {"class": "robot", "pose": [0.0, 0.0, 1.5708], "at": "floor0"},
        "table0": {"class": "table", "pose": [*TABLE, -1.5707963267948966], "size": [*SIZE]},
    }
    for name, (right, top) in at.items():
        things[name] = {"class": name.rstrip("0"), "on": "table0", "offset": [right, -top]}
    (folder / "scenes").mkdir(exist_ok=True)
    scene = folder / "scenes" / "laid.yaml"
    scene.write_text(yaml.safe_dump({"domain": "colours", "things": things}, sort_keys=False), encoding="utf-8")
    return Table(domain, scene, at)


def _scattered(chance):
    at = {}
    names = [
        f"{colour}_{kind}0" for kind in ("block", "bowl") for colour in chance.sample(COLOURS, chance.randint(2, 4))
    ]
    for name in names:
        while name not in at:
            spot = (round(chance.uniform(-0.5, 0.5), 3), round(chance.uniform(-0.3, 0.3), 3))
            gaps = [min(abs(spot[0] - x), abs(spot[1] - y)) for x, y in at.values()]
            apart = all(hypot(spot[0] - x, spot[1] - y) > SPACING for x, y in at.values())
            if apart and all(gap > 0.002 for gap in gaps) and min(map(abs, spot)) > 0.002:
                at[name] = spot
    return at
