"""What a program can ask about places: where things are sensed to be, and the geometry of points and regions.

Each query is an entry of ``place_queries.yaml`` and of `COMPUTATIONS`. The check before the run and the run itself read
the same entry, so that they agree on what it takes. Lengths are metres; a quantity of length such as
``quantity("5 cm")`` will do as well. A place is a thing, a point or a box. Directions are said from the viewer, see
`semantics.geometry.points`, or from another one that the argument ``seen_from`` names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bt.programs.sensed_places import NoRoom, ReachUntold, SensedPlaces, metres
from bt.programs.values import Odd, TooMuch, Value, ValueType, shown, type_of
from semantics.geometry import points
from semantics.geometry.free_points import GAP, free_points, is_free
from semantics.geometry.geometry import Box
from semantics.geometry.points import CORNERS, DIRECTIONS, SIDES, MapPoint
from semantics.hints import did_you_mean
from semantics.logic.quantity import UNITS, Dimension, Quantity, QuantityError
from semantics.plain_text import counted
from semantics.process.reading import read_table


@dataclass(frozen=True, slots=True)
class Argument:
    """What a query takes at one place."""

    name: str  # its name in messages
    types: frozenset[ValueType]  # the types of value that fit
    words: Collection[str] = ()  # the texts that fit, where only some do
    whole: bool = False  # whether it is a whole number from 1
    of_places: bool = False  # whether it may be a list of places

    @property
    def is_place(self) -> bool:
        """Whether a name stands for a thing here."""
        return ValueType.BOX in self.types

    @property
    def wanted(self) -> str:
        """The types in words."""
        return " or ".join(sorted(self.types))

    def fitting(self, value: Value) -> Value:
        """Return a value as the query takes it.

        Raises:
            Odd: The value does not fit.
        """
        if type_of(value) not in self.types:
            raise Odd(f"the {self.name} is {self.wanted}, and this is {shown(value)}")
        if isinstance(value, Quantity) and value.dimension is not Dimension.LENGTH:
            raise Odd(f"the {self.name} is a length, and {value} is a {value.dimension}", "Say it in m, cm or mm.")
        if self.whole and (not isinstance(value, int) or value < 1):
            raise Odd(f"the {self.name} is a whole number from 1, and this is {shown(value)}", "Say how many.")
        return self.word(value) if isinstance(value, str) and self.words else value

    def word(self, text: str) -> str:
        """Return a text as one of the words; a place may have any name.

        Raises:
            Odd: It is none of them.
        """
        plain = text.replace("_", " ").replace("-", " ")
        plain = plain.removesuffix(" corner").removesuffix(" side").removesuffix("most")
        if plain in self.words:
            return plain
        if self.is_place:
            return text
        how = did_you_mean(plain, self.words) or f"Take one of: {', '.join(self.words)}."
        raise Odd(f"{shown(text)} is no {self.name}", how)


TABLE = read_table(__file__)
WORDS: Mapping[str, Collection[str]] = {
    "directions": DIRECTIONS,
    "corners": CORNERS,
    "sides": SIDES,
    "units": UNITS,
}
ARGUMENTS: Mapping[str, Argument] = {
    key: Argument(
        entry.get("name", key),
        frozenset(ValueType[name] for name in entry["types"]),
        WORDS.get(entry.get("words"), ()),
        entry.get("whole", False),
        entry.get("of_places", False),
    )
    for key, entry in TABLE["arguments"].items()
}
WHERE = ARGUMENTS["place"]  # a place that a capability takes as a value
MEMBER = ARGUMENTS["member"]


def _line(places: SensedPlaces, one: Value, other: Value, count: int) -> Value:
    return points.line(places.point(one), places.point(other), _few(count, places))


def _circle(places: SensedPlaces, centre: Value, radius: float | Quantity, count: int) -> Value:
    return points.circle(places.point(centre), metres(radius), _few(count, places), places.heading)


def _few(count: int, places: SensedPlaces) -> int:
    if count > places.most:
        raise TooMuch(f"the list has more than {places.most} members")
    return count


def _others(place: Value, things: Sequence[Any]) -> Sequence[Any]:
    """Return the members of a list that are not the thing itself."""
    return [thing for thing in things if thing != place] if isinstance(place, str) else things


def _by_distance(places: SensedPlaces, place: Value, things: Sequence[Any]) -> list[Any]:
    here = places.point(place)
    return sorted(things, key=lambda thing: points.distance(here, places.point(MEMBER.fitting(thing))))


def _nearest(places: SensedPlaces, place: Value, things: Sequence[Any], at: int) -> Value:
    others = _by_distance(places, place, _others(place, things))
    if not others:
        raise Odd("the list has no members, or none but the thing itself")
    member: Value = others[at]
    return member


def _sorted_by(places: SensedPlaces, things: Sequence[Any], key: Value) -> Value:
    if not isinstance(key, str) or key not in DIRECTIONS:
        return _by_distance(places, key, things)
    origin = MapPoint(0.0, 0.0, 0.0)
    return sorted(things, key=lambda thing: -places.offset(MEMBER.fitting(thing), origin, key))


def _bounding_box(places: SensedPlaces, place: Value) -> Value:
    if not isinstance(place, list):
        return places.box(place)
    if not place:
        raise Odd("the list has no members")
    return points.hull([places.box(MEMBER.fitting(member)) for member in place])


def _point(_: SensedPlaces, x: float | Quantity, y: float | Quantity, z: float | Quantity | None = None) -> Value:
    return MapPoint(metres(x), metres(y), None if z is None else metres(z))


def _quantity(_: SensedPlaces, much: float | str, unit: str | None = None) -> Value:
    if isinstance(much, str) and unit is None:
        return Quantity.read(much)
    if isinstance(much, str) or unit is None:
        raise Odd("a text such as '5 cm' is needed, or a number and a unit")
    return Quantity(float(much), unit)


def _others_than(places: SensedPlaces, things: Sequence[Any]) -> list[Box]:
    """Return the bounds of all things that stand around and are not in a list; furniture is not among them."""
    names = {places.names.get(thing, thing) for thing in things if isinstance(thing, str)}
    seen = places.sightings.items()
    return [sighting.box for name, sighting in seen if name not in names and sighting.solid is not None]


def _largest(places: SensedPlaces, things: Sequence[Any]) -> tuple[float, float, float]:
    """Return the largest extents of some things along x, y and z."""
    sizes = [places.box(MEMBER.fitting(thing)).size for thing in things]
    if not sizes:
        raise Odd("the list of the things to be put there has no members")
    wide, deep, high = (max(extents) for extents in zip(*sizes, strict=True))
    return wide, deep, high


def _is_free(places: SensedPlaces, place: Value, things: Sequence[Any], gap: float | Quantity = GAP) -> Value:
    wide, deep, _ = _largest(places, things)
    return is_free(places.point(place), (wide, deep), _others_than(places, things), metres(gap))


def _free_points(
    places: SensedPlaces, things: Sequence[Any], centre: Value, radius: float | Quantity, gap: float | Quantity = GAP
) -> Value:
    (wide, deep, high), others = _largest(places, things), _others_than(places, things)

    def in_reach(point: MapPoint) -> bool:
        x, y, z = places.on_top(point)
        return places.reaches is None or places.reaches((x, y, z + high / 2))

    middle, sides = places.point(centre), (wide, deep)
    free = free_points(middle, metres(radius), len(things), sides, others, metres(gap), preferred=in_reach)
    if not free:
        room = f"there is no room for {counted(len(things), 'thing')} within {metres(radius):g} m of {shown(centre)}"
        raise NoRoom(room, "Take a larger radius or a smaller gap, or clear the place before.")
    return list(free)


def _reachable(places: SensedPlaces, place: Value) -> Value:
    if places.reaches is None:
        raise ReachUntold("this body does not tell what its hand reaches", "Try the call itself, in a try block.")
    return places.reaches(places.on_top(places.grasped(place)))


def _inside(places: SensedPlaces, place: Value, area: Value) -> Value:
    at = places.point(place)
    return places.region(area).above((at.x, at.y, at.z or 0.0))


@dataclass(frozen=True, slots=True)
class PlaceQuery:
    """A query about places."""

    takes: tuple[Argument, ...]  # what it takes, in order
    gives: ValueType  # the type of its value
    compute: Callable[..., Value]  # returns its value, from the places and the arguments
    says: str  # what it returns, in words
    optional: int = 0  # how many of the last arguments may be left out
    members: ValueType = ValueType.ANY  # the type of the members of its list
    sensed: bool = True  # whether it asks where things are; else its value follows from its arguments
    directed: bool = False  # whether it depends on the viewer, whom ``seen_from`` may name

    @property
    def least(self) -> int:
        """The smallest number of arguments."""
        return len(self.takes) - self.optional

    @property
    def how_many(self) -> str:
        """How many arguments it takes, in words."""
        most = counted(len(self.takes), "argument")
        return f"{self.least} to {most}" if self.optional else most

    def usage(self, name: str) -> str:
        """Return how it is written."""
        names = [argument.name.replace(" ", "_") for argument in self.takes]
        left_out = "".join(f"[, {each}]" for each in names[self.least :])
        left_out += "[, seen_from=viewer]" if self.directed else ""
        return f"{name}({', '.join(names[: self.least])}{left_out})"

    def value(self, places: SensedPlaces, args: Sequence[Value]) -> Value:
        """Return its value.

        Raises:
            Odd: An argument does not fit, or a place is not known.
        """
        fitting = [argument.fitting(value) for argument, value in zip(self.takes, args, strict=False)]
        try:
            return self.compute(places, *fitting)
        except QuantityError as error:
            raise Odd(str(error)) from None


COMPUTATIONS: Mapping[str, Callable[..., Value]] = {
    "get_position": SensedPlaces.point,
    "bounding_box": _bounding_box,
    "top_of": lambda places, area: points.top_of(places.region(area)),
    "extent": lambda places, x: MapPoint(*places.box(x).size),
    "yaw": SensedPlaces.yaw,
    "corner": SensedPlaces.corner,
    "corners": lambda places, area, inset=0.0: [places.corner(area, name, inset) for name in CORNERS],
    "side": SensedPlaces.side,
    "sides": lambda places, area, inset=0.0: [places.side(area, name, inset) for name in SIDES],
    "middle": lambda places, area: points.middle(places.region(area)),
    "between": lambda places, a, b, share=0.5: points.between(places.point(a), places.point(b), share),
    "toward": lambda places, a, b, length: points.toward(places.point(a), places.point(b), metres(length)),
    "line": _line,
    "circle": _circle,
    "closest": partial(_nearest, at=0),
    "farthest": partial(_nearest, at=-1),
    "sorted_by": _sorted_by,
    "lies_to": lambda places, a, name, b: places.offset(a, b, name) > 0.0,
    "inside": _inside,
    "distance": lambda places, a, b: points.distance(places.point(a), places.point(b)),
    "is_free": _is_free,
    "free_points": _free_points,
    "reachable": _reachable,
    "count": lambda _, things: len(things),
    "direction": lambda places, name: points.direction(name, places.heading),
    "point": _point,
    "box": lambda places, a, b: points.hull([places.box(places.point(a)), places.box(places.point(b))]),
    "quantity": _quantity,
}


def _query(name: str, takes: Sequence[str], gives: str, says: str, members: str = "ANY", **options: Any) -> PlaceQuery:
    arguments = tuple(ARGUMENTS[key] for key in takes)
    return PlaceQuery(arguments, ValueType[gives], COMPUTATIONS[name], says, members=ValueType[members], **options)


PLACE_QUERIES: Mapping[str, PlaceQuery] = {name: _query(name, **entry) for name, entry in TABLE["queries"].items()}
"""The queries by name."""
