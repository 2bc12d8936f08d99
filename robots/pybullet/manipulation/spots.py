"""Place poses: regions of furniture, of an object or of a person's hand, and the free spots in them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice, product
from math import atan2, cos, hypot, sin, sqrt
from typing import NamedTuple

from robots.arrangement import OPEN_BOX_WALL, RestingPlace, as_placed, hollow, solid_at, views_from
from robots.furniture import AREA
from robots.leaves import DOOR_THICKNESS
from robots.pybullet.scenery.carpentry import HAND_HEIGHT, HAND_SIZE
from robots.pybullet.scenery.world import PopulatedRoom
from robots.pybullet.turns import spend
from semantics.geometry.geometry import Box, PlanarPose, Vector
from semantics.geometry.places import WantedPlace, places
from semantics.geometry.relations import viewing
from semantics.geometry.solids import Solid, gap, solid_of

ABOVE = 0.012  # height above a surface at which lowering begins, in metres
LOWERED = 0.03  # the most by which the hand is lowered until what it holds touches something, in metres
AIR = 0.015  # clearance around a placed object, in metres
PITCH = 0.06  # grid spacing of the spots, in metres
FINE_PITCH = 0.01  # grid spacing of the spots of an area, in metres
INSET = 0.005
"""Distance of a spot from the edge of its area, and of a thing in a bowl from its walls and from others, in metres."""
MOST_SPOTS, MOST_INSIDE = 7, 25  # how many spots are tried at most on a surface, and in a container or an area
CLEAR_HEIGHT = 0.3
RELATED = 25  # what it costs to draw places at which a relation holds, in tests of a posture in the mirror
TILTED = 0.1  # an object whose orientation has larger parts about the horizontal axes, as a quaternion, is tilted


class Target(NamedTuple):
    """A horizontal rectangle to place objects on; lengths in metres."""

    x: float  # the x of its centre
    y: float  # the y of its centre
    yaw: float  # the direction of its front
    ahead: float  # half its depth
    aside: float  # half its width
    top: float  # its height
    edge: float = 0.02  # the least distance of an object from the edge; negative if only the centre is allowed
    depth: float = 0.0  # the depth of a container into which objects may be dropped; 0 for a surface
    filled: bool = False
    """Whether it is filled row by row from the back, so that placed objects do not block the next ones."""
    centred: bool = False  # whether it is filled from the middle, and the centre of an object need only be inside

    def is_above_rim(self, drop: float) -> bool:
        """Return whether an object that is released so high above the target is dropped into it over its rim."""
        return 0.0 < self.depth < drop

    @property
    def drops(self) -> tuple[float, ...]:
        """Heights above the target at which the hand may release an object: just above it, or higher in a container."""
        return (ABOVE, self.depth / 2, self.depth + ABOVE) if self.depth else (ABOVE,)


def targets(world: PopulatedRoom, name: str, relation: str) -> list[Target]:
    """Return the regions of a target for placing, the most convenient first; empty for the floor."""
    if name in world.offered:
        return _of_furniture(world, name, relation)
    if name in world.persons:
        yaw = world.persons[name].pose.yaw
        return [Target(*world.hand_of(name), yaw, HAND_SIZE[0] / 2, HAND_SIZE[1] / 2, HAND_HEIGHT, 0.01, filled=True)]
    if name in world.shapes:
        return [_of_piece(world, name)]
    return []


def _of_furniture(world: PopulatedRoom, name: str, relation: str) -> list[Target]:
    offered, item = world.offered[name], world.furniture[name]
    if item.model == AREA:
        (width, depth, top), pose = item.size, item.pose
        return [Target(pose.x, pose.y, pose.yaw, depth / 2, width / 2, top, centred=True)]
    if relation == "on":
        regions = [(board, board.high[2]) for board in offered.surfaces]
    else:
        regions = [(space, space.low[2]) for space in offered.compartments]
    sill = DOOR_THICKNESS + 0.03
    quarter = abs(sin(item.pose.yaw)) > 0.7
    regions_found = []
    for box, top in sorted(regions, key=lambda region: abs(region[1] - 0.8)):
        x, y, _ = box.centre
        width, depth = (box.size[0], box.size[1]) if quarter else (box.size[1], box.size[0])
        inside = relation == "in" and not offered.hinged
        deep = box.size[2] if inside else 0.0
        if offered.hinged:
            x, y, depth = x - sill / 2 * cos(item.pose.yaw), y - sill / 2 * sin(item.pose.yaw), depth - sill
        regions_found.append(Target(x, y, item.pose.yaw, depth / 2, width / 2, top, depth=deep))
    return regions_found


def _of_piece(world: PopulatedRoom, name: str) -> Target:
    box = world.box(name)
    inside = hollow(world.shapes[name], box)
    x, y, _ = box.centre
    if inside is None:
        return Target(x, y, 0.0, box.size[0] / 2, box.size[1] / 2, box.high[2], -1.0)
    # Its bounds cover more than a bowl that is turned, so its own walls count.
    wide, deep = (length / 2 - OPEN_BOX_WALL for length in world.shapes[name].size[:2])
    return Target(x, y, world.yaw(name), wide, deep, inside.low[2], -1.0, inside.size[2], centred=True)


def floor_target(base: PlanarPose) -> list[Target]:
    """Return the floor in front of a robot."""
    x, y = base.x + 0.55 * cos(base.yaw), base.y + 0.55 * sin(base.yaw)
    return [Target(x, y, base.yaw, 0.15, 0.4, 0.0)]


def free_spots(
    world: PopulatedRoom, target: Target, radius: float, away: Collection[str], *, drop: float = 0.0
) -> Iterator[Vector]:
    """Yield spots for an object of a given radius: the middle of the front first, then farther back and aside.

    The objects in `away`, such as the held one, take no room.

    An object dropped from above the rim of a container may land on others in the container.
    """
    spend()
    others = [world.box(name) for name in world.shapes if name not in away]
    obstacles = [box for box in others if _stands_on(box, target)]
    over = target.is_above_rim(drop)
    # The radius is that of the circle around the bounds, which reach less far in the directions of the walls.
    side = radius / sqrt(2.0)
    grid = list(_around_centre(target, side, side)) if target.centred else _grid(target, radius, radius)
    if target.centred and over:  # it lands beside what is inside, if anything is
        inside = [box for box in obstacles if box.low[2] > target.top - INSET]
        grid = sorted(grid, key=lambda spot: -min((_gap(box, *spot) for box in inside), default=0.0))
    free = (spot for spot in grid if over or all(_gap(box, *spot) > radius + AIR for box in obstacles))
    yield from ((x, y, target.top) for x, y in islice(free, MOST_SPOTS))


def tight_spots(world: PopulatedRoom, target: Target, thing: Solid, away: Collection[str]) -> Iterator[Vector]:
    """Yield spots as `free_spots` does, for an object in one orientation: its own outline needs less than a circle.

    In a bowl it may stand close to what is there: the walls keep both in.
    """
    ahead, aside = (cos(target.yaw), sin(target.yaw)), (-sin(target.yaw), cos(target.yaw))
    taken = [name for name in world.shapes if name not in away and _stands_on(world.box(name), target)]
    others = [standing(world, name) for name in taken]
    reaches = thing.reach(ahead), thing.reach(aside)
    grid, air = (_around_centre(target, *reaches), INSET) if target.centred else (_grid(target, *reaches), AIR)

    def is_free(spot: tuple[float, float]) -> bool:
        spend(0.2 * len(others))  # a gap between outlines takes a fifth of a test of a posture
        return all(gap(thing.moved(*spot, target.top), other) > air for other in others)

    free = filter(is_free, grid)
    yield from ((x, y, target.top) for x, y in islice(free, MOST_INSIDE if target.centred else MOST_SPOTS))


def related_spots(
    world: PopulatedRoom,
    wanted: WantedPlace,
    thing: Solid,
    where: str,
    base: PlanarPose,
    away: Collection[str] = (),
) -> Iterator[Vector]:
    """Yield spots on a target at which a relation holds, for a thing as it would stand; see `geometry.places`.

    Args:
        world: Everything that is there.
        wanted: The relation.
        thing: The thing that is put there, as it would stand.
        where: The target.
        base: Where the robot stands; it is the viewer where no other one is known.
        away: Things that count as not there, but for those that the relation is to.
    """
    spend(RELATED)
    solids = {name: standing(world, name) for name in world.shapes if name not in away or name in wanted.names}
    heading = viewing([person.pose for person in world.persons.values()], base)
    ground = world.layout.ground
    seen = as_placed({**solids, wanted.placed: thing}, world.offered, heading, ground, views(world, base))
    yield from ((place.x, place.y, place.bottom) for place in islice(places(wanted, seen, [where]), MOST_SPOTS))


def views(world: PopulatedRoom, base: PlanarPose) -> dict[str, float]:
    """Return where everything looks that can be named as the viewer of a direction, in radians."""
    agents = {name: person.pose for name, person in world.persons.items()}
    return views_from(world.offered, {**agents, world.layout.robot.name: base})


def standing(world: PopulatedRoom, name: str) -> Solid:
    """Return an object as it stands; one that is tilted by its bounds."""
    shape, ((x, y, z), turn) = world.shapes[name], world.pose(name)
    if shape.form != "sphere" and abs(turn[0]) + abs(turn[1]) >= TILTED:
        return solid_of(world.box(name))
    return solid_at(shape, RestingPlace(x, y, z - shape.size[2] / 2, 2 * atan2(turn[2], turn[3])))


def occupies(world: PopulatedRoom, target: Target, name: str) -> bool:
    """Return whether an object takes room of a target."""
    box = world.box(name)
    x, y = box.centre[0] - target.x, box.centre[1] - target.y
    c, s = cos(target.yaw), sin(target.yaw)
    reach = hypot(box.size[0], box.size[1]) / 2
    inside = abs(c * x + s * y) < target.ahead + reach and abs(c * y - s * x) < target.aside + reach
    return inside and _stands_on(box, target)


def _stands_on(box: Box, target: Target) -> bool:
    return box.high[2] > target.top + 0.004 and box.low[2] < target.top + CLEAR_HEIGHT


def _grid(target: Target, depth: float, width: float) -> Iterator[tuple[float, float]]:
    """Yield the points of a grid for an object that extends so far from its middle, along the target and across."""
    ahead = max(0.0, target.ahead - depth - target.edge) if target.edge >= 0 else 0.0
    aside = max(0.0, target.aside - width - target.edge) if target.edge >= 0 else 0.0
    deep, wide = int(2 * ahead / PITCH), int(aside / PITCH)
    points = [
        (ahead - i * PITCH, side * j * PITCH) for i in range(deep + 1) for j in range(wide + 1) for side in (1, -1)
    ]
    c, s = cos(target.yaw), sin(target.yaw)
    handy = min(ahead, 0.12)
    order = (lambda p: p) if target.filled else (lambda p: abs(p[0] - ahead + handy) + 0.8 * abs(p[1]))
    for u, v in sorted(dict.fromkeys(points), key=order):
        yield target.x + c * u - s * v, target.y + s * u + c * v


def _around_centre(target: Target, depth: float, width: float) -> Iterator[tuple[float, float]]:
    """Yield the points of a grid, the nearest to the middle first; of a container first the middle and the rim."""
    reaches = (depth, width) if target.depth else (0.0, 0.0)
    halves = [max(0.0, half - INSET - reach) for half, reach in zip((target.ahead, target.aside), reaches, strict=True)]
    c, s, seen = cos(target.yaw), sin(target.yaw), set[tuple[float, float]]()
    for part in (1, 2) if target.depth else (1,):
        pitches = (half / part if target.depth else FINE_PITCH for half in halves)
        ahead, aside = (
            [0.0] if half == 0 else _marks(half, pitch) for half, pitch in zip(halves, pitches, strict=True)
        )
        points = sorted({*product(ahead, aside)} - seen, key=lambda point: (round(hypot(*point), 6), point))
        seen.update(points)
        for u, v in points:
            yield target.x + c * u - s * v, target.y + s * u + c * v


def _marks(half: float, pitch: float) -> list[float]:
    """Return the multiples of a pitch from -half to half."""
    count = int(half / pitch + 1e-9)
    return [index * pitch for index in range(-count, count + 1)]


def _gap(box: Box, x: float, y: float) -> float:
    dx = max(box.low[0] - x, 0.0, x - box.high[0])
    dy = max(box.low[1] - y, 0.0, y - box.high[1])
    return hypot(dx, dy)
