"""Free spots: grid positions on or in a place where an object fits, the nearest to the robot first."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

from robots.arrangement import RestingPlace, as_placed, bounds, extents, solid_at, stood_on_end
from robots.fake.world import FakeWorld
from semantics.geometry import Box, PlanarPose
from semantics.places import WantedPlace, places
from semantics.relations import viewing

__all__ = ["floor_pose", "free_spot", "overlap", "related_spot"]

STEP = 0.05
"""Grid spacing of the spots, in metres."""
GAP = 0.01
"""Smallest distance between neighbours, in metres."""
LIFT = 0.005
"""How far an object is lifted for the overlap test, so that its support does not count as a neighbour, in metres."""
BESIDE = 0.5
"""How far beside the robot an object is put on the ground, in metres."""
CLEAR_OF_STANDS = 1.1
"""Smallest distance from all stands for a robot that is at no place, in metres."""


def overlap(box: Box, other: Box) -> bool:
    """Return whether two boxes overlap, or are closer to each other sideways than `GAP`."""
    spans = zip(box.low, box.high, other.low, other.high, (GAP, GAP, 0.0), strict=True)
    return all(
        low - margin < other_high and other_low - margin < high for low, high, other_low, other_high, margin in spans
    )


def free_spot(world: FakeWorld, name: str, relation: str, where: str) -> RestingPlace | None:
    """Return a free spot for an object on the ground, or on or in furniture or a piece; None when there is no room."""
    if world.is_ground(where):
        return RestingPlace(world.pose.x, world.pose.y + BESIDE, 0.0)
    mine = {name, *world.load(name)}
    apart = mine | _below(world, where)
    if relation == "in" and where in world.shapes:  # what is in a bowl or cup lies on each other, or side by side
        apart |= set(world.load(where))
    others = [world.box(other) for other in world.shapes if other not in apart]
    for region in world.regions(relation, where):
        for spot in _spots(world, name, relation, where, region):
            box = bounds(world.shapes[name], spot)
            lifted = Box((box.low[0], box.low[1], box.low[2] + LIFT), box.high)
            if not any(overlap(lifted, other) for other in others):
                return spot
    return None


def related_spot(world: FakeWorld, wanted: WantedPlace, where: str) -> RestingPlace | None:
    """Return a free spot on a support at which a relation holds; None if there is none."""
    solids = {name: solid_at(shape, world.spots[name]) for name, shape in world.shapes.items()}
    heading = viewing(list(world.persons.values()), world.pose)
    place = next(places(wanted, as_placed(solids, world.fittings, heading), [where]), None)
    return None if place is None else RestingPlace(place.x, place.y, place.bottom, place.yaw)


def _below(world: FakeWorld, where: str) -> set[str]:
    return {where, *world.around(where)}


def _is_cup(world: FakeWorld, where: str) -> bool:
    return where in world.shapes and world.shapes[where].form == "open-cylinder"


def _is_tray(world: FakeWorld, where: str, relation: str) -> bool:
    return relation == "on" and where in world.shapes and world.shapes[where].form == "open-box"


def _spots(world: FakeWorld, name: str, relation: str, where: str, region: Box) -> Iterator[RestingPlace]:
    """Yield the spots of a region at which an object lies within its edges; on a piece, try the centre first."""
    height = region.high[2] if relation == "on" else region.low[2]
    if where in world.doors and world.shapes[name].size[2] > region.size[2]:
        return
    if _is_cup(world, where):  # cutlery stands in it side by side
        if max(extents(stood_on_end(world.shapes[name]))) <= min(region.size[:2]):
            yield RestingPlace(region.centre[0], region.centre[1], height, on_end=True)
        return
    if where in world.shapes and not _is_tray(world, where, relation):
        yield RestingPlace(region.centre[0], region.centre[1], height)
    wide, deep = extents(world.shapes[name])
    xs = list(_grid(region.low[0] + wide / 2, region.high[0] - wide / 2))
    ys = list(_grid(region.low[1] + deep / 2, region.high[1] - deep / 2))
    points = [(hypot(x - world.pose.x, y - world.pose.y), x, y) for x in xs for y in ys]
    yield from (RestingPlace(x, y, height) for _, x, y in sorted(points))
    if _is_tray(world, where, relation):  # what is larger than the grid lies in the middle
        yield RestingPlace(region.centre[0], region.centre[1], height)


def _grid(low: float, high: float) -> Iterator[float]:
    steps = int((high - low) / STEP + 1e-9) if high >= low else -1
    yield from (low + index * STEP for index in range(steps + 1))


def floor_pose(world: FakeWorld) -> PlanarPose:
    """Return the nearest pose that is at no place: away from all stands, and outside of the furniture."""
    stands = [stand for name in (*world.fittings, *world.persons) if (stand := world.stand(name)) is not None]
    boxes = [offered.box for offered in world.fittings.values()]
    pose = world.pose
    points = [(hypot(dx, dy), pose.x + dx, pose.y + dy) for dx in _grid(-6.0, 6.0) for dy in _grid(-6.0, 6.0)]
    for _, x, y in sorted(points):
        clear = all(hypot(stand.x - x, stand.y - y) > CLEAR_OF_STANDS for stand in stands)
        if clear and not any(box.above((x, y, 0.0), 0.4) for box in boxes):
            return PlanarPose(x, y, pose.yaw)
    return pose
