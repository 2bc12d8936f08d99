"""The scenes of the entries: a scene of a world, changed as an entry says, as a file of its own.

What a change does not say is made consistent with it: who is clear in a world that says so, that what stands in a shut
fridge was last seen there, and where on its furniture a thing stands (``arrange`` of the scene; a free spot on a part
of a table, and on a shelf for what is too deep for that). What stands on a thing that is moved comes with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import cos, sin
from pathlib import Path
from typing import Any

import yaml

from domains.model import Domain
from domains.reader import load_domain
from semantics.errors import UsageError
from semantics.logic.atoms import Atom
from semantics.logic.parsing import parse_formula

__all__ = ["ROOT", "Change", "body_of_scene", "scene_for", "scene_text"]

ROOT = Path(__file__).parents[2]
Change = Mapping[str, str]
Scene = dict[str, Any]
Spot = tuple[float, float]
CONTACTS, PLACES = ("on", "in"), ("on", "in", "lies", "ontable", "inside")
PLACE_KEYS = ("on", "in", "offset", "level", "yaw")
VALUES = ("colour", "material")
SEEN = "last seen there"
GAP = 0.01
"""The least distance of a thing for which a free spot is looked for from all others, in metres."""
STEP = 0.01
"""The distance between two spots that are looked at, in metres."""


def body_of_scene(world: str, scene: str) -> str:
    """Return the body of a scene: the fake one where things have poses, else the symbolic one."""
    things = _read(world, scene)["things"]
    return "fake" if any("pose" in thing for thing in things.values()) else "symbolic"


def scene_for(world: str, scene: str, changes: Sequence[Change], folder: Path) -> str:
    """Return a scene as a session takes it: its name, or if it is changed a file of the same name in a folder."""
    if not changes:
        return scene
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{scene}.yaml"
    file.write_text(scene_text(world, scene, changes), encoding="utf-8")
    return str(file)


def scene_text(world: str, scene: str, changes: Sequence[Change]) -> str:
    """Return a scene with changes, as YAML.

    Raises:
        UsageError: A change cannot be made, because a thing or its class is not there, or something stands on it.
    """
    return _Changing(load_domain(world), _read(world, scene)).changed(changes)


def _read(world: str, scene: str) -> Scene:
    text = (ROOT / "domains" / world / "scenes" / f"{scene}.yaml").read_text(encoding="utf-8")
    document: Scene = yaml.load(text, yaml.BaseLoader)  # every scalar stays a text: `on` is no truth value
    return document


class _Plain(
    yaml.emitter.Emitter, yaml.serializer.Serializer, yaml.representer.SafeRepresenter, yaml.resolver.BaseResolver
):
    """Writes texts as they were read, without quotes where none are needed."""

    def __init__(self, stream: Any, **_: object) -> None:  # noqa: ANN401 - as PyYAML calls it
        yaml.emitter.Emitter.__init__(self, stream, width=10_000)
        yaml.serializer.Serializer.__init__(self)
        yaml.representer.SafeRepresenter.__init__(self, sort_keys=False)
        yaml.resolver.BaseResolver.__init__(self)


class _Changing:
    """A scene while it is changed.

    Args:
        domain: Its world.
        scene: The document of its file.
    """

    def __init__(self, domain: Domain, scene: Scene) -> None:
        self._domain, self._scene = domain, scene
        self._things: dict[str, dict[str, Any]] = scene["things"]
        self._facts = [_atom(fact) for fact in scene.get("facts") or ()]
        self._beliefs = {_atom(fact): why for fact, why in (scene.get("beliefs") or {}).items()}
        self._is_placed = any("pose" in thing for thing in self._things.values())

    def changed(self, changes: Sequence[Change]) -> str:
        """Return the scene after all changes, as YAML."""
        for change in changes:
            if "add" in change:
                self._add(change["add"], change)
            elif "remove" in change:
                self._remove(change["remove"])
            else:
                self._move(change["move"], _atom(change["fact"]))
        self._clear()
        scene = {**self._scene, "facts": [str(fact) for fact in dict.fromkeys(self._facts)]}
        scene["beliefs"] = {str(fact): why for fact, why in self._beliefs.items()}
        if self._is_placed:
            scene["arrange"] = "true"
        return yaml.dump({key: value for key, value in scene.items() if value}, Dumper=_Plain)

    def _add(self, name: str, change: Change) -> None:
        sort = change["class"]
        if name in self._things or sort not in self._domain.classes:
            raise UsageError(f"'{name}' of class '{sort}' cannot be added to the scene")
        alike = [other for other, thing in self._things.items() if thing["class"] == sort]
        own = [fact for fact in self._facts if fact.predicate == "closed" and fact.args[0] in alike]
        self._things[name] = {"class": sort}
        if values := {key: change[key] for key in VALUES if key in change}:
            self._things[name]["attributes"] = values
        self._place(name, _atom(change["fact"]))
        self._facts += [Atom("closed", (name,))] if own else []

    def _remove(self, name: str) -> None:
        self._must_be_there(name)
        if borne := [other for other, thing in self._things.items() if name in (thing.get("on"), thing.get("in"))]:
            raise UsageError(f"'{name}' cannot be removed: {borne[0]} is on or in it")
        del self._things[name]
        self._facts = [fact for fact in self._facts if name not in fact.args]
        self._beliefs = {fact: why for fact, why in self._beliefs.items() if name not in fact.args}
        numbers = self._scene.get("numbers") or {}
        self._scene["numbers"] = {fact: value for fact, value in numbers.items() if name not in _atom(fact).args}

    def _move(self, name: str, fact: Atom) -> None:
        self._must_be_there(name)
        for key in PLACE_KEYS:
            self._things[name].pop(key, None)
        self._facts = [each for each in self._facts if not _places(each, name)]
        self._beliefs = {each: why for each, why in self._beliefs.items() if not _places(each, name)}
        self._place(name, fact)

    def _must_be_there(self, name: str) -> None:
        if name not in self._things:
            raise UsageError(f"there is no '{name}' in the scene")

    def _place(self, name: str, fact: Atom) -> None:
        """Let a thing be where a fact says."""
        place = fact.args[1] if len(fact.args) > 1 else "table0"
        self._must_be_there(place)
        shape = self._domain.classes[self._things[name]["class"]].shape
        if not self._is_placed or shape is None:
            self._facts.append(fact)
            if fact.predicate == "on" and self._is_cupboard(place):
                self._facts.append(Atom("inside", (name,)))
            return
        thing = self._things[name]
        if fact.predicate in CONTACTS:
            thing[fact.predicate] = place
            if "pose" in self._things[place]:
                self._set_down(name, place, fact.predicate)
            if self._things[place].get("opened") == "false":
                self._beliefs[fact] = SEEN
            return
        thing["on"] = "table0"
        self._facts.append(fact)
        if fact.predicate == "lies":
            part, table = self._things[place], self._things["table0"]
            thing["offset"] = self._free_spot(name, "table0", 0, _offset(table, part), part["size"])
        elif fact.predicate != "ontable":
            raise UsageError(f"{fact} cannot be made true in a scene")

    def _is_cupboard(self, place: str) -> bool:
        """Return whether what is on a thing is inside it, as in the world of the bar."""
        sort = self._domain.classes[self._things[place]["class"]]
        return "inside" in self._domain.predicates and "door" in sort.affordances

    def _set_down(self, name: str, place: str, relation: str) -> None:
        """Choose the level of a thing, and its spot if the scene would find none."""
        levels, size = self._levels(name, place), self._things[place]["size"]
        self._things[name]["level"] = str(levels[0])
        if relation == "on" and self._footprint(name)[1] > float(size[1]) / 2:
            self._things[name]["offset"] = self._free_spot(name, place, levels[0], (0.0, 0.0), size)

    def _levels(self, name: str, place: str) -> list[int]:
        """Return the levels of a piece of furniture on which the scene has things, that with the fewest first."""
        there = [
            int(thing.get("level", 0))
            for other, thing in self._things.items()
            if other != name and place in (thing.get("on"), thing.get("in"))
        ]
        return sorted(sorted({*there}), key=there.count) or [0]

    def _free_spot(self, name: str, place: str, level: int, middle: Spot, size: Sequence[str]) -> list[str]:
        """Return a free offset on furniture within a rectangle, the nearest to its middle."""
        (x, y), (width, depth), (wide, deep) = middle, tuple(map(float, size[:2])), self._footprint(name)
        others = list(self._rectangles(name, place, level))
        for dx, dy in _steps((width - wide) / 2, (depth - deep) / 2):
            spot = (round(x + dx, 3), round(y + dy, 3))
            if all(_apart(spot, (wide, deep), *other) for other in others):
                return list(map(str, spot))
        raise UsageError(f"there is no room for '{name}' on {place}")

    def _rectangles(self, name: str, place: str, level: int) -> Iterator[tuple[Spot, Spot]]:
        """Yield the middle and the size of what else stands on a level of a piece of furniture."""
        for other, thing in self._things.items():
            if other != name and thing.get("on") == place and int(thing.get("level", 0)) == level:
                x, y = map(float, thing.get("offset", (0.0, 0.0)))
                yield (x, y), self._footprint(other)

    def _footprint(self, name: str) -> Spot:
        """Return how far a thing reaches to the side and to the front of what it stands on."""
        shape = self._domain.classes[self._things[name]["class"]].shape
        assert shape is not None
        return shape.size[1], shape.size[0]

    def _clear(self) -> None:
        """State anew what is clear, in worlds where that is said."""
        known = self._domain.predicates.get("clear")
        if known is None or not self._is_placed:
            return
        needed = known.predicate.parameters[0]
        under = {thing.get("on") for thing in self._things.values()}
        able = [name for name, thing in self._things.items() if needed in self._affordances(thing)]
        self._facts = [fact for fact in self._facts if fact.predicate != "clear"]
        self._facts += [Atom("clear", (name,)) for name in able if name not in under]

    def _affordances(self, thing: Mapping[str, Any]) -> frozenset[str]:
        return frozenset(self._domain.classes[thing["class"]].affordances)


def _atom(text: str) -> Atom:
    formula = parse_formula(text)
    if not isinstance(formula, Atom):
        raise UsageError(f"'{text}' is no single fact")
    return formula


def _places(fact: Atom, name: str) -> bool:
    """Return whether a fact says where a thing is."""
    return fact.predicate in PLACES and fact.args[0] == name


def _offset(table: Mapping[str, Any], part: Mapping[str, Any]) -> Spot:
    """Return where the middle of a part of a table is: to the right as seen from its front, then towards the front."""
    (x, y, yaw), (a, b, _) = (list(map(float, each["pose"])) for each in (table, part))
    ahead, aside = (cos(yaw), sin(yaw)), (-sin(yaw), cos(yaw))
    return (a - x) * aside[0] + (b - y) * aside[1], (a - x) * ahead[0] + (b - y) * ahead[1]


def _steps(width: float, depth: float) -> list[Spot]:
    """Return the steps from the middle of a rectangle to the spots in it, the shortest first, given half its sides."""
    across, along = (int(side / STEP + GAP) for side in (width, depth))
    steps = ((a * STEP, b * STEP) for a in range(-across, across + 1) for b in range(-along, along + 1))
    return sorted(steps, key=lambda step: (step[0] ** 2 + step[1] ** 2, step))


def _apart(spot: Spot, size: Spot, other: Spot, extent: Spot) -> bool:
    """Return whether two things that lie along the sides of a table have room between them."""
    gaps = (abs(spot[axis] - other[axis]) - (size[axis] + extent[axis]) / 2 for axis in (0, 1))
    return any(gap >= GAP for gap in gaps)
