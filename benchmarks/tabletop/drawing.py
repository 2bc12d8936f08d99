"""What stands in the places of a template, drawn by seed: the values, and how a person says them.

| place | value |
|---|---|
| `block`, `bowl`, `object`, with a number too | the name of a thing of the scene |
| `corner/side`, `region` | the name of an area of the table |
| `direction` | left, right, top, bottom |
| `relation` | left, right, north, south, east, west; of points above and below, too |
| `point` | x, y, z of the world, metres |
| `n` | centimetres |
| `nth` | a number from 1 |
| `distance-threshold` | centimetres, and `comparison` is less or more |
| others | the word itself |

Things are said by colour and class. The relations of things are those of the map, north is the top; above and below are
heights, and only said of points. What is to be moved is always a block: bowls of this world are not lifted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from benchmarks.tabletop.board import Spot, world_of
from benchmarks.tabletop.templates import Template, Templates

__all__ = ["Attributes", "Point", "Value", "drawn"]

Point = tuple[float, float, float]
Value = str | int | Point
Attributes = Mapping[str, Value]

ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
REACHED = 0.20
"""How far from the middle of the table, along each of its axes, the gripper is sent, metres."""
LOW, HIGH = 8, 15
"""Between which heights above the table the gripper is sent, centimetres: the upper half of the published workspace,
above all things."""
ONLY_BLOCKS = ("L20",)
RELATIONS = {"seen": ("left", "right"), "unseen": ("north", "south", "east", "west")}
HEIGHTS = {"seen": ("above",), "unseen": ("below",)}
LOCATIONS = {"seen": ("leftmost", "topmost"), "unseen": ("rightmost", "bottommost")}
MORE_REGIONS = {"seen": "middle", "unseen": "right side"}
"""The published sets have neither of these two regions."""
CENTIMETRES = {
    "L04": (3, 10),
    "L08": (5, 15),
    "L09": (3, 12),
    "L21": (4, 6),
    "L40": (3, 10),
    "L41": (10, 16),
}
"""Between which numbers <n> is drawn. A block is let go at most 6 cm above the table: from higher, it would roll."""


@dataclass(slots=True)
class _Draw:
    """What has been drawn for one instance so far."""

    template: Template
    split: str
    data: Templates
    random: Random
    values: dict[str, Value] = field(default_factory=dict)

    def pool(self, name: str) -> tuple[str, ...]:
        return self.data.attributes[self.split][name]

    def choice(self, options: tuple[str, ...]) -> str:
        return self.random.choice([word for word in options if _name(word) not in self.values.values()])

    def point(self) -> Spot:
        across, ahead = (round(self.random.uniform(-REACHED, REACHED), 2) for _ in range(2))
        return Spot(across, ahead, self.random.randint(LOW, HIGH) / 100)


Said = tuple[Value, str]
Drawer = Callable[[_Draw], Said]


def drawn(
    template: Template, split: str, data: Templates, random: Random
) -> tuple[dict[str, Value], dict[str, str], Point | None, str]:
    """Return the values of a template's places, how each is said, where the gripper starts, and what it holds."""
    draw, said = _Draw(template, split, data, random), {}
    for place in re.findall("<([^>]+)>", template.text):
        value, said[place] = DRAWERS[place.split(":")[0]](draw)
        draw.values[place] = value
        if place == "distance-threshold":
            draw.values["comparison"] = said[place].split()[0]
    start = _point_of(draw.point()) if template.name in ("L05", "L09") else None
    held = _name(draw.choice(draw.pool("block"))) if template.name == "L21" else ""
    return draw.values, said, start, held


def _name(word: str) -> str:
    """Return the name in the scene of a thing or region that is said in words."""
    return "middle0" if word == "middle" else word.replace(" ", "_")


def _point_of(spot: Spot) -> Point:
    pose = world_of(spot)
    return round(pose.x, 3), round(pose.y, 3), round(pose.z, 3)


def _named(word: str) -> Said:
    return _name(word), word


def _word(word: str) -> Said:
    return word, word


def _of_pool(name: str) -> Drawer:
    return lambda draw: _word(draw.choice(draw.pool(name)))


def _thing(draw: _Draw) -> Said:
    blocks, bowls = draw.pool("block"), draw.pool("bowl")
    name, word = _named(draw.choice(blocks if draw.template.name in ONLY_BLOCKS else blocks + bowls))
    return name, (f"the {word}" if draw.template.name == "L05" else word)


def _region(draw: _Draw) -> Said:
    if draw.template.name == "L41":
        return _named("middle")
    return _named(draw.choice((*draw.pool("corner/side"), MORE_REGIONS[draw.split])))


def _point(draw: _Draw) -> Said:
    point = _point_of(draw.point())
    return point, "({:.2f}, {:.2f}, {:.2f})".format(*point)


def _centimetres(draw: _Draw) -> Said:
    number = draw.random.randint(*CENTIMETRES[draw.template.name])
    return number, str(number)


def _ordinal(draw: _Draw) -> Said:
    word = draw.choice(draw.pool("nth"))
    return ORDINALS[word], word


def _relation(draw: _Draw) -> Said:
    heights = HEIGHTS[draw.split] if draw.template.name == "L04" else ()
    return _word(draw.choice(RELATIONS[draw.split] + heights))


def _movement(draw: _Draw) -> Said:
    way = draw.random.choice(("towards", "away"))
    return way, "towards" if way == "towards" else "away from"


def _threshold(draw: _Draw) -> Said:
    number = draw.random.choice((15, 20, 25, 30))
    return number, f"{draw.random.choice(('less', 'more'))} than {number}"


DRAWERS: Mapping[str, Drawer] = {
    "block": lambda draw: _named(draw.choice(draw.pool("block"))),
    "bowl": lambda draw: _named(draw.choice(draw.pool("bowl"))),
    "object": _thing,
    "corner/side": lambda draw: _named(draw.choice(draw.pool("corner/side"))),
    "region": _region,
    "direction": _of_pool("direction"),
    "distance": _of_pool("distance"),
    "magnitude": _of_pool("magnitude"),
    "line": _of_pool("line"),
    "nth": _ordinal,
    "n": _centimetres,
    "point": _point,
    "relation": _relation,
    "movement": _movement,
    "location": lambda draw: _word(draw.choice(LOCATIONS[draw.split])),
    "color": lambda draw: _word(draw.choice(tuple(word.split()[0] for word in draw.pool("block")))),
    "distance-threshold": _threshold,
    "shape": lambda draw: _word(draw.random.choice(("triangle", "square"))),
}
