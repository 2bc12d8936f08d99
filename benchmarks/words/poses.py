"""What truly stands where in the world of a body: read from the body, never from beliefs.

It is plain data, which `benchmarks.words.scenery` reads again. The symbolic body has facts and numbers alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import degrees
from typing import Any

from benchmarks import stagehand
from benchmarks.gallery.truth import true_facts
from benchmarks.words.scenery import RESTS, written_solid
from robots.arrangement import solid_at, views_from
from robots.fake import FakeRobot
from robots.furniture import AREA, Fittings
from robots.informed import body_of
from robots.pybullet import PyBulletRobot
from robots.pybullet.scenery.world import OPEN_ANGLE
from robots.symbolic import SymbolicRobot
from semantics.body.protocols import Robot
from semantics.geometry.geometry import Box, PlanarPose
from semantics.geometry.relations import viewing
from semantics.geometry.solids import Solid, solid_of
from semantics.logic.atoms import Atom

__all__ = ["held_by", "look"]

OPENING = 0.08
"""How far the fingers of the simulated hand open."""
OPEN = 0.9
"""The share from which on they count as open."""
UPRIGHT, OVERTURNED = 0.2, 1.0
"""Up to which tilt a thing stands, and from which on a bowl is overturned, in radians."""


def held_by(robot: Robot) -> str:
    """Return the thing in the hand of a body; empty for none."""
    body = body_of(robot)
    if isinstance(body, FakeRobot):
        return next(iter(body.world.held(body.name)), "")
    return (body.rig.held or "") if isinstance(body, PyBulletRobot) else ""


def look(robot: Robot) -> dict[str, Any]:
    """Return what truly stands where.

    Raises:
        TypeError: The truth of this body is not known.
    """
    body = body_of(robot)
    if isinstance(body, FakeRobot):
        return _of_fake(body)
    if isinstance(body, PyBulletRobot):
        return _of_simulation(body)
    if isinstance(body, SymbolicRobot):
        return _of_symbols(body)
    raise TypeError(f"{body!r}: the truth of this body is not known")


def _of_symbols(body: SymbolicRobot) -> dict[str, Any]:
    return {
        **_fixed({}, {}, PlanarPose(0.0, 0.0, 0.0), body.name),
        "things": {},
        "doors": {},
        "numbers": {str(fluent): number for fluent, number in body.state.numbers.items()},
        "hand": [0.0, 0.0, 0.0],
        "gripper": 1.0,
        "facts": sorted(map(str, body.state.atoms)),
    }


def _of_fake(body: FakeRobot) -> dict[str, Any]:
    world = body.world
    things = {name: solid_at(shape, world.spots[name]) for name, shape in world.shapes.items()}
    return {
        **_fixed(world.fittings, world.persons, world.pose, body.name),
        "things": {name: written_solid(solid) for name, solid in things.items()},
        "doors": {name: [share, share * degrees(OPEN_ANGLE)] for name, share in world.doors.items()},
        "numbers": {str(fluent): number for fluent, number in (world.numbers | world.gauged).items()},
        "hand": list(world.hand_at()),
        "gripper": world.gripper,
        "facts": sorted(map(str, true_facts(body))),
    }


def _of_simulation(body: PyBulletRobot) -> dict[str, Any]:
    world, base = body.rig.world, body.rig.chassis.base()
    persons = {name: person.pose for name, person in world.persons.items()}
    things = {name: _simulated(body, name) for name in world.shapes}
    opening = stagehand.posture(body).opening / OPENING
    return {
        **_fixed(world.offered, persons, base, body.name),
        "things": {name: written_solid(solid) for name, solid in things.items()},
        "doors": {name: [share, degrees(world.door_angle(name))] for name, share in stagehand.doors(body).items()},
        "numbers": {str(fluent): number for fluent, number in (body.rig.numbers | body.rig.gauged).items()},
        "hand": list(body.rig.chassis.tool()[0]),
        "gripper": opening,
        "facts": sorted(map(str, _facts_of_table(body, things, opening))),
    }


def _simulated(body: PyBulletRobot, name: str) -> Solid:
    world = body.rig.world
    shape, ((x, y, z), _) = world.shapes[name], world.pose(name)
    box: Box = world.box(name)
    if world.tilt(name) <= UPRIGHT:
        return Solid(shape.form, shape.size, (x, y, z - shape.size[2] / 2), world.yaw(name))
    return Solid("box", box.size, (box.centre[0], box.centre[1], box.low[2]))


def _facts_of_table(body: PyBulletRobot, things: Mapping[str, Solid], opening: float) -> Iterator[Atom]:
    """Yield the facts of a table with areas and bowls: what is in the hand, in a bowl, on another thing, or where."""
    world, held = body.rig.world, body.rig.held
    areas = {name: solid_of(each.box) for name, each in world.offered.items() if world.furniture[name].model == AREA}
    carrying = set[str]()
    for name, thing in things.items():
        others = {other: solid for other, solid in things.items() if other != name and solid.covers(thing.middle)}
        inside = [
            other for other, solid in others.items() if solid.is_open and solid.bottom <= thing.bottom < solid.top
        ]
        under = [other for other, solid in others.items() if abs(thing.bottom - solid.top) <= RESTS]
        if name == held:
            yield Atom("inhand", (name, body.name))
        elif under or inside:
            yield Atom("on", (name, under[0])) if under else Atom("in", (name, inside[0]))
            carrying.update(under)
        else:
            yield from (Atom("lies", (name, area)) for area, part in areas.items() if part.covers(thing.middle))
        if thing.is_open and world.tilt(name) >= OVERTURNED:
            yield Atom("overturned", (name,))
    yield from (Atom("clear", (name,)) for name, thing in things.items() if not thing.is_open and name not in carrying)
    yield from () if held else (Atom("hand_free", (body.name,)),)
    yield from (Atom("gripper_open", (body.name,)),) if opening >= OPEN else ()


def _fixed(
    offered: Mapping[str, Fittings], persons: Mapping[str, PlanarPose], base: PlanarPose, robot: str
) -> dict[str, Any]:
    """Return the furniture with its tops, and where everybody stands and looks."""
    return {
        "furniture": {
            name: [written_solid(solid_of(each.box)), *(written_solid(solid_of(top)) for top in each.surfaces)]
            for name, each in offered.items()
        },
        "robot": robot,
        "heading": viewing(list(persons.values()), base),
        "views": views_from(offered, {**persons, robot: base}),
    }
