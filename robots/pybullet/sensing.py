"""The sensing of the simulated robot, as an `Observation`.

Furniture and persons are known from a map. The head camera sees objects, or the hand feels them; doors, contacts and
the robot's own grip are felt. The camera looks at the place of work, and when the robot rests, at all places and the
floor around. It renders a copy of the room without the arm, because this is cheap and the arm hides little.

A place counts as searched if its surfaces are completely in view. That an object is not seen there is evidence only if
the picture would show it: where it was last seen there, and at most other free spots of the place, enough pixels are
expected of its size at this distance, behind what stands in front. Else the place names it as undetectable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import asin, cos, dist, hypot, pi, sin

import numpy as np

from robots.arrangement import hollow, tray_top
from robots.furniture import Fittings
from robots.pybullet.camera import ENOUGH_PIXELS, SHARE, Camera, Frame, Look, Points
from robots.pybullet.manipulation.spots import TILTED, standing
from robots.pybullet.rig import Rig
from robots.pybullet.scenery.carpentry import HAND_HEIGHT, HAND_SIZE
from robots.pybullet.scenery.world import PopulatedRoom
from semantics.body.detector import Shot
from semantics.body.layout import Layout, MovableObject
from semantics.body.observation import AgentView, Detection, Observation, Sighting
from semantics.geometry.geometry import Box, Vector, to_world
from semantics.geometry.points import hull

MOVING = 0.02  # speed from which the base counts as moving, in metres per second
SPACE = 0.1  # height above a surface that must be in view, in metres
PLAIN = 0.5  # share of an object's last bounds that must be in view to conclude that it is gone
SPILLING = 1.0
"""The tilt of a bowl from which on nothing counts as in it, in radians; on its way a hand may hold it askew."""
MARGIN = 0.2  # how far outside the bounds of a place an object that was seen there may be, in metres
AJAR = 0.05  # how far a drawer is open from where on it is looked into, as a fraction
SPOTS = 6  # the number of spots along the width and along the depth of a place at which an object may be
PARTS = tuple((x, y, z) for x in (0.1, 0.5, 0.9) for y in (0.1, 0.5, 0.9) for z in (0.5, 0.9))
"""Points of an object's bounds that are tested for occlusion, as fractions of its extents."""
FINE = (256, 192)  # resolution for looking around, when objects may be far away
COARSE = (160, 120)
"""Resolution of the pictures of the floor: half the cost of fine ones, and enough for an apple 3 m away."""
FLOOR_LOOKS, FLOOR_AHEAD = 5, 0.9
"""The number of pictures of the floor around, and the distance from the camera of their targets, in metres.

From the height of the head each picture reaches from the feet to 3 m away, and overlaps a little with the next one."""

FAR, FAR_FINE = 1.7, 3.2  # largest distance of a searched place, in metres: at work, and fine


class Senses:
    """Takes sensings and stores the latest.

    Args:
        rig: The robot.
        layout: The layout of the room, to build a copy.

    Attributes:
        latest: The latest sensing.
        shots: Its pictures.
    """

    def __init__(self, rig: Rig, layout: Layout) -> None:
        self._rig = rig
        self._room = PopulatedRoom(layout, still=True)
        self._camera = Camera(self._room.client)
        self._fine = Camera(self._room.client, *FINE)
        self._coarse = Camera(self._room.client, *COARSE)
        self._remembered: dict[str, Box] = {}
        self._ground = _ground(rig)
        self.latest = Observation()
        self.shots: tuple[Shot, ...] = ()

    def look_around(self, now: Callable[[], float]) -> Iterator[None]:
        """Look at every place and person and at the floor around; combine the pictures into one sensing.

        Each step but the last takes a picture, in 10 to 40 ms, of the room as it was in the first one.
        """
        world = self._rig.world
        self._room.copy(world)
        places = [name for name, offered in world.offered.items() if _regions(offered)]
        is_shut = {name for name in places if world.offered[name].travel > 0.0 and world.opening(name) < AJAR}
        middles = (self._middle(name) for name in (*places, *world.persons) if name not in is_shut)
        shots = [(self._fine, middle) for middle in middles if middle is not None]
        shots += [(self._coarse, target) for target in self._floor_around()]
        eye, looks = self._eye(), []
        for camera, target in shots:
            looks.append(camera.look(eye, target, self._room.names))
            yield
        self._take(now(), self._fine, looks[:-FLOOR_LOOKS], looks[-FLOOR_LOOKS:])

    def look(self, time: float) -> None:
        """Look at the place of work, or ahead."""
        self._room.copy(self._rig.world)
        base = self._rig.chassis.base()
        ahead = (base.x + cos(base.yaw), base.y + sin(base.yaw), 0.3)
        task = self._rig.task
        target = ahead if task is None else self._middle(task) or ahead
        self._take(time, self._camera, [self._camera.look(self._eye(), target, self._room.names)], [])

    def add_piece(self, piece: MovableObject) -> None:
        """Be able to see an object that was not there."""
        self._room.add_piece(piece)

    def remove_piece(self, name: str) -> None:
        """Forget an object that is not there any more."""
        self._room.remove_piece(name)
        self._remembered.pop(name, None)

    def close(self) -> None:
        """Close the copy of the room."""
        self._room.close()

    def _floor_around(self) -> list[Vector]:
        """Return target points on the floor, one in each direction."""
        x, y, _ = self._eye()
        yaw = self._rig.chassis.base().yaw
        turns = [yaw + 2 * pi * i / FLOOR_LOOKS for i in range(FLOOR_LOOKS)]
        return [(x + FLOOR_AHEAD * cos(turn), y + FLOOR_AHEAD * sin(turn), 0.0) for turn in turns]

    def _middle(self, name: str) -> Vector | None:
        offered = self._rig.world.offered.get(name)
        if offered is not None:
            return hull(_regions(offered) or (offered.box,)).centre
        if name in self._rig.world.persons:
            x, y = self._rig.world.hand_of(name)
            return (x, y, HAND_HEIGHT)
        return None

    def _take(self, time: float, camera: Camera, looks: list[Look], below: list[Look]) -> None:
        world = self._rig.world
        held = {self._rig.held} if self._rig.held else set()
        handed = {name for person in world.persons for name in self._in_hand_of(person)}
        visible = set().union(*(look.visible for look in (*looks, *below))) & set(world.shapes) | held | handed
        self._remembered |= {name: world.box(name) for name in sorted(visible)}
        sightings = {name: self._place(name) for name in world.offered}
        things = {name: self._thing(name) for name in sorted(visible)}
        sightings |= {name: thing for name, thing in things.items() if name not in world.labels}
        sightings |= {name: Sighting(name, world.box(name), stand=world.standing_at(name)) for name in world.persons}
        ground = world.layout.ground
        sightings[ground] = Sighting(ground, self._ground)
        searched = [name for name in world.offered if self._searched(name, camera, looks)]
        unseen = sorted(world.shapes.keys() - visible)
        undetectable = self._undetectable(searched, unseen, camera, looks, sightings | things)
        self.shots = (*map(camera.shot, looks), *map(self._coarse.shot, below))
        self.latest = Observation(
            time=time,
            number=self.latest.number + 1,
            sightings=sightings,
            searched=frozenset({*searched, *undetectable}),
            undetectable={place: names for place, names in undetectable.items() if names},
            contacts=frozenset(pair for pair in world.contacts() if pair <= {*sightings, *things, self._rig.name}),
            agents=self._agents(),
            told=self._rig.told(world.shapes.keys() - visible),
            numbers=self._rig.measured(world.shapes.keys() - visible),
            detections=tuple(
                Detection(world.labels[name], thing, self._frame(name, (*looks, *below)))
                for name, thing in things.items()
                if name in world.labels
            ),
        )

    def _frame(self, name: str, looks: Iterable[Look]) -> Frame | None:
        """Return the bounds of an object in the first picture that shows it; None for one that the hand feels."""
        frames = (look.frame(self._room.body(name)) for look in looks if name in look.visible)
        return next(frames, None)

    def _eye(self) -> Vector:
        camera = self._rig.description.camera
        return *to_world(self._rig.chassis.base(), camera.ahead, camera.aside), camera.height

    def _searched(self, place: str, camera: Camera, looks: list[Look]) -> bool:
        """Return whether the surfaces of a place are completely in view."""
        offered = self._rig.world.offered[place]
        regions = _regions(offered)
        if not regions or dist(self._eye(), offered.box.centre) > (FAR_FINE if camera is self._fine else FAR):
            return False
        return all(any(camera.share(look, box) >= SHARE for look in looks) for box in regions)

    def _undetectable(
        self, places: list[str], unseen: list[str], camera: Camera, looks: list[Look], sightings: dict[str, Sighting]
    ) -> dict[str, frozenset[str]]:
        """Return the unseen objects that could be at a place although the pictures do not show them.

        The result has a key for each of `places`, and for each object in view in, on or beside which an unseen object
        was last seen and is not any more.
        """
        shapes = self._rig.world.shapes
        sizes = sorted({shapes[name].size for name in unseen})
        here = {name: self._remembered[name] for name in unseen if name in self._remembered}
        found = {}
        for place in places if sizes else ():
            seen = dict(zip(sizes, self._seen_at(place, sizes, camera, looks, sightings), strict=True))
            bounds = self._rig.world.offered[place].box
            was_here = {name: box for name, box in here.items() if bounds.contains(box.centre, MARGIN)}
            hidden = {name for name, box in was_here.items() if not _would_show(box, camera, looks)}
            found[place] = frozenset(name for name in unseen if name in hidden or not seen[shapes[name].size])
        for carrier in shapes.keys() & sightings.keys() if here else ():
            bounds = sightings[carrier].box
            was_here = {name: box for name, box in here.items() if bounds.contains(box.centre, MARGIN)}
            if gone := {name for name, box in was_here.items() if _would_show(box, camera, looks)}:
                found[carrier] = frozenset(unseen) - gone
        return found

    def _seen_at(
        self, place: str, sizes: list[Vector], camera: Camera, looks: list[Look], sightings: dict[str, Sighting]
    ) -> list[bool]:
        """Return for each size whether an object of it would show at most of the free spots of a place."""
        things = [sightings[name].box for name in sightings if name in self._rig.world.shapes]
        extents = np.array(sizes)[:, None, :]
        shown = np.full(len(sizes), fill_value=True)
        for region in _regions(self._rig.world.offered[place]):
            spots = _spots(region)
            free = [
                not any(box.above((x, y, 0.0)) and region.contains(box.centre, SPACE) for box in things)
                for x, y in spots
            ]
            if not any(free):
                continue
            flat = np.array(spots)[free]
            heights = np.minimum(extents[..., 2], region.size[2]) / 2 + region.low[2]
            centres = np.concatenate(
                [np.broadcast_to(flat, (len(sizes), *flat.shape)), np.repeat(heights, len(flat), axis=1)[..., None]],
                axis=2,
            )
            best = _most_pixels(camera, looks, centres, extents)
            shown &= np.mean(best >= ENOUGH_PIXELS, axis=1) >= SHARE
        return [bool(each) for each in shown]

    def _place(self, name: str) -> Sighting:
        offered = self._rig.world.offered[name]
        opening = self._rig.world.opening(name) if offered.closes else None
        return Sighting(name, offered.box, offered.surfaces, offered.interior, opening, offered.stand)

    def _thing(self, name: str) -> Sighting:
        world = self._rig.world
        box, shape = world.box(name), world.shapes[name]
        turn = world.pose(name)[1]
        level = abs(turn[0]) + abs(turn[1]) < TILTED
        surfaces = (tray_top(shape, box),) if level and shape.form != "sphere" else ()
        tilt = 2 * asin(min(1.0, hypot(turn[0], turn[1])))
        inside = hollow(shape, box) if tilt < SPILLING else None
        return Sighting(name, box, surfaces, inside, solid=standing(world, name), tilt=tilt)

    def _agents(self) -> dict[str, AgentView]:
        rig = self._rig
        held = (rig.held,) if rig.held is not None else ()
        share = min(1.0, max(0.0, rig.chassis.width() / (2 * rig.description.hand.opening)))
        view = AgentView(rig.chassis.base(), held, rig.chassis.speed() > MOVING, share, rig.chassis.tool()[0])
        agents = {rig.name: view}
        for name, person in rig.world.persons.items():
            agents[name] = AgentView(person.pose, self._in_hand_of(name))
        return agents

    def _in_hand_of(self, person: str) -> tuple[str, ...]:
        """Return the objects that rest in a person's hand and are no longer in the robot's hand."""
        world = self._rig.world
        hand = world.hand_of(person)

        def is_there(name: str) -> bool:
            x, y, z = world.pose(name)[0]
            return (x - hand[0]) ** 2 + (y - hand[1]) ** 2 < HAND_SIZE[1] ** 2 and z > HAND_HEIGHT

        things = world.shapes.keys() - {self._rig.held}
        return tuple(sorted(name for name in world.touching(person) if name in things and is_there(name)))


def _regions(offered: Fittings) -> tuple[Box, ...]:
    """Return the spaces at a place in which objects may stand."""
    above = tuple(Box((*top.low[:2], top.high[2]), (*top.high[:2], top.high[2] + SPACE)) for top in offered.surfaces)
    return above + offered.compartments


def _spots(region: Box) -> list[tuple[float, float]]:
    """Return spots on the bottom of a region, evenly spaced."""
    (x, y, _), (wide, deep, _) = region.low, region.size
    steps = [(index + 0.5) / SPOTS for index in range(SPOTS)]
    return [(x + a * wide, y + b * deep) for a in steps for b in steps]


def _would_show(box: Box, camera: Camera, looks: list[Look]) -> bool:
    """Return whether a picture would show an object with these bounds."""
    points = np.array(
        [[low + part * size for low, size, part in zip(box.low, box.size, parts, strict=True)] for parts in PARTS]
    )
    expected = _most_pixels(camera, looks, points, np.array(box.size))
    return bool(np.mean(expected > 0) >= PLAIN and np.mean(expected) >= ENOUGH_PIXELS)


def _most_pixels(camera: Camera, looks: list[Look], centres: Points, sizes: Points) -> Points:
    """Return the expected pixels of objects in the picture that shows most of each."""
    return np.asarray(np.max([camera.expected_pixels(look, centres, sizes) for look in looks], axis=0))


def _ground(rig: Rig) -> Box:
    boxes = [offered.box for offered in rig.world.offered.values()] or [Box((-2.5, -2.5, 0.0), (2.5, 2.5, 0.0))]
    (x, y, _), (a, b, _) = hull(boxes).low, hull(boxes).high
    return Box((x, y, -0.02), (a, b, 0.0))
