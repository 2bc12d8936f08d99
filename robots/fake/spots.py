"""Free spots: grid positions on or in a place where an object fits, the nearest to the robot first."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, hypot, sin

from robots.arrangement import (
    GROUND,
    OPEN_BOX_WALL,
    RestingPlace,
    as_placed,
    bounds,
    extents,
    solid_at,
    stood_on_end,
    views_from,
)
from robots.fake.world import FakeWorld
from robots.placement import Misplacement, SaidPlace, Site, misplacement, said_spots
from semantics.geometry.geometry import Box, PlanarPose
from semantics.geometry.places import WantedPlace, places
from semantics.geometry.points import MapPoint
from semantics.geometry.relations import viewing
from semantics.geometry.solids import Solid, solid_of

REACH = 1.6  # the largest distance from the robot at which it puts a thing at a place said, in metres
STEP = 0.05  # grid spacing of the spots, in metres
FINE_STEP = 0.01  # grid spacing of the spots of an area, in metres
GAP = 0.009  # smallest distance between neighbours, in metres
LIFT = 0.005
"""How far an object is lifted for the overlap test, so that its support does not count as a neighbour, in metres."""
BESIDE = 0.5  # how far beside the robot an object is put on the ground, in metres
CLEAR_OF_STANDS = 1.1  # smallest distance from all stands for a robot that is at no place, in metres


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
    seen = as_placed(solids, world.fittings, heading, views=views(world))
    place = next(places(wanted, seen, [where]), None)
    return None if place is None else RestingPlace(place.x, place.y, place.bottom, place.yaw)


def views(world: FakeWorld) -> dict[str, float]:
    """Return where everything looks that can be named as the viewer of a direction, in radians."""
    return views_from(world.fittings, {**world.persons, world.robot: world.pose})


def said_spot(world: FakeWorld, said: SaidPlace, name: str, relation: str, where: str) -> RestingPlace | Misplacement:
    """Return the spot for an object at a place said, or why there is none, with the nearest free point."""
    site, yaw = _site(world, name, relation, where), world.spots[name].yaw if said.turn is None else said.turn
    on_end = relation == "in" and _is_cup(world, where)
    thing = solid_at(world.shapes[name], RestingPlace(0.0, 0.0, 0.0, yaw, on_end))
    place = said.where if said.where is not None else site.everywhere
    spot = next((put for put in said_spots(place, thing, site) if _in_reach(world, put)), None)
    if spot is None:
        return misplacement(place, thing, site, lambda put: _in_reach(world, put))
    return RestingPlace(spot.at[0], spot.at[1], spot.bottom, yaw, on_end)


def _in_reach(world: FakeWorld, put: Solid) -> bool:
    return hypot(put.at[0] - world.pose.x, put.at[1] - world.pose.y) <= REACH


def _site(world: FakeWorld, name: str, relation: str, where: str) -> Site:
    """Return what an object is put on or in, and the things beside which there has to be room."""
    others = {other: solid_at(shape, world.spots[other]) for other, shape in world.shapes.items()}
    apart = {name, *world.load(name), *_below(world, where)}
    if world.is_ground(where):
        ground = Solid("box", (GROUND, GROUND, 0.0), (0.0, 0.0, 0.0))
        others |= {other: solid_of(offered.box) for other, offered in world.fittings.items()}
        return Site(where, (ground,), {other: solid for other, solid in others.items() if other not in apart})
    surfaces = tuple(_surface(world, region, relation, where) for region in world.regions(relation, where))
    return Site(where, surfaces, {other: solid for other, solid in others.items() if other not in apart})


def _surface(world: FakeWorld, region: Box, relation: str, where: str) -> Solid:
    """Return a region as a level surface; the floor of a bowl is turned with the bowl."""
    height = region.high[2] if relation == "on" else region.low[2]
    size, middle, yaw = region.size, region.centre, 0.0
    if where in world.shapes:
        shape, yaw = world.shapes[where], world.spots[where].yaw
        wall = 2 * OPEN_BOX_WALL if shape.form == "open-box" else 0.0
        size = size if shape.is_cylinder else (shape.size[0] - wall, shape.size[1] - wall, 0.0)
        form = "cylinder" if shape.is_cylinder else "box"
        return Solid(form, (size[0], size[1], 0.0), (middle[0], middle[1], height), yaw)
    return Solid("box", (size[0], size[1], 0.0), (middle[0], middle[1], height), yaw)


def turn_load(world: FakeWorld, name: str, angle: float) -> None:
    """Turn what rests on an object with it, by an angle in radians about its middle."""
    middle, c, s = world.spots[name], cos(angle), sin(angle)
    for other in world.load(name):
        spot = world.spots[other]
        x, y = spot.x - middle.x, spot.y - middle.y
        world.spots[other] = spot._replace(x=middle.x + c * x - s * y, y=middle.y + s * x + c * y, yaw=spot.yaw + angle)


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
    # In an area as near to its middle as possible, elsewhere as near to the robot.
    is_area = world.is_area(where)
    near, step = (MapPoint(*region.centre[:2]), FINE_STEP) if is_area else (MapPoint(world.pose.x, world.pose.y), STEP)
    xs = list(_grid(region.low[0] + wide / 2, region.high[0] - wide / 2, step))
    ys = list(_grid(region.low[1] + deep / 2, region.high[1] - deep / 2, step))
    points = [(hypot(x - near.x, y - near.y), x, y) for x in xs for y in ys]
    yield from (RestingPlace(x, y, height) for _, x, y in sorted(points))
    if _is_tray(world, where, relation):  # what is larger than the grid lies in the middle
        yield RestingPlace(region.centre[0], region.centre[1], height)


def _grid(low: float, high: float, step: float = STEP) -> Iterator[float]:
    steps = int((high - low) / step + 1e-9) if high >= low else -1
    yield from (low + index * step for index in range(steps + 1))


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
