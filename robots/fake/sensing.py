"""The sensing of the fake robot: it sees all objects within its range, except behind a shut door."""

from __future__ import annotations

from math import hypot, inf

from robots.arrangement import bounds, interior, solid_at, tray_top
from robots.fake.world import PASSABLE, FakeWorld
from semantics.body.observation import AgentView, Detection, Observation, Sighting


def observed(world: FakeWorld, time: float, number: int, moving: bool, sight: float) -> Observation:
    """Return one sensing.

    Args:
        world: The true state.
        time: The time in seconds of the robot's clock.
        number: The number of the sensing, from 1.
        moving: Whether the base is moving.
        sight: How far the robot sees, in metres.
    """
    everything = (*world.shapes, *world.fittings, *world.persons)
    in_sight = {name for name in everything if sight == inf or _distance(world, name) <= sight}
    visible = {name for name in world.shapes if name in in_sight and world.hidden_by(name) is None}
    pieces = {name: _piece(world, name) for name in world.shapes if name in visible}
    sightings = {name: piece for name, piece in pieces.items() if name not in world.labels}
    sightings |= {name: _furniture(world, name) for name in world.fittings}
    sightings |= {name: Sighting(name, world.box(name), stand=world.stand(name)) for name in world.persons}
    return Observation(
        time=time,
        number=number,
        sightings=sightings,
        searched=frozenset(
            name
            for name in in_sight
            if name in visible or (_open_to_view(world, name) and (sight == inf or _farthest(world, name) <= sight))
        ),
        contacts=frozenset(frozenset((name, world.carriers[name][1])) for name in visible),
        agents=_agents(world, moving),
        told=world.told(world.shapes.keys() - visible),
        numbers=world.measured(world.shapes.keys() - visible),
        detections=tuple(Detection(world.labels[name], pieces[name]) for name in pieces if name in world.labels),
    )


def _distance(world: FakeWorld, name: str) -> float:
    x, y, _ = world.box(name).centre
    return hypot(x - world.pose.x, y - world.pose.y)


def _farthest(world: FakeWorld, name: str) -> float:
    """Return the distance of the farthest corner; within this range the robot sees the whole box."""
    box = world.box(name)
    x, y = world.pose.x, world.pose.y
    return hypot(max(x - box.low[0], box.high[0] - x), max(y - box.low[1], box.high[1] - y))


def _open_to_view(world: FakeWorld, name: str) -> bool:
    return name in world.fittings and world.doors.get(name, 1.0) >= PASSABLE


def _piece(world: FakeWorld, name: str) -> Sighting:
    shape, spot = world.shapes[name], world.spots[name]
    before, sighting = world.sighted.get(name, (None, None))
    if sighting is None or before != spot:  # most pieces stay where they are from one sensing to the next
        box = bounds(shape, spot)
        surfaces = (tray_top(shape, box),) if shape.form == "open-box" else ()
        sighting = Sighting(name, box, surfaces, interior(shape, box), solid=solid_at(shape, spot))
        world.sighted[name] = (spot, sighting)
    return sighting


def _furniture(world: FakeWorld, name: str) -> Sighting:
    offered = world.fittings[name]
    return Sighting(
        name,
        offered.box,
        surfaces=offered.surfaces,
        interior=offered.interior,
        opening=world.doors.get(name),
        stand=offered.stand,
    )


def _agents(world: FakeWorld, moving: bool) -> dict[str, AgentView]:
    views = {name: AgentView(pose, world.held(name)) for name, pose in world.persons.items()}
    return views | {world.robot: AgentView(world.pose, world.held(world.robot), moving, world.gripper, world.hand_at())}
