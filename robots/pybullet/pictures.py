"""Pictures for people: the whole room and, once the hand is at work, a close view of it and its object in a corner.

The whole room is taken from one place during a run, so that pictures can be compared and shown as a film. The close
view is near enough to judge a grasp: the hand and the object fill two thirds of its height at least. It is taken from
the side from which the least stands in between.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import product
from math import cos, dist, pi, radians, sin, sqrt, tan

import numpy as np
import pybullet

from robots.pybullet.camera import FAR, Camera, Points, corners, framed
from robots.pybullet.rig import Rig
from robots.pybullet.scenery.world import axes_of
from semantics.body.observation import Observation
from semantics.geometry.geometry import Box, Vector

ALONG = (-3.2, -1.4, -2.9)  # the line of sight of pictures of the room: from above a corner
ASIDE = (-0.9, 3.0, -2.6)
"""The same for a robot on a fixed base, in the frame of the base: from its right, beside the post of its camera."""
CLOSE_ANGLE = 30.0
"""Vertical field of view of the close view, in degrees: narrow, so that what is behind is not much smaller."""
CLOSE_SHARE = 0.5  # width and height of the close view, as shares of those of the picture
FILLED = 1.1
"""The share of the height of the close view that the bounds of the hand and the object fill; those inside fill less."""
STEEP = (0.35, 0.9)  # how steeply the close view looks down, in radians
DIRECTIONS = 12
ABOUT_AS_GOOD = 3  # how many points fewer than from the best side may be seen from the side of the last picture
ASIDE_OF_MIDDLE = 0.2
"""How far beyond the middle of the picture the hand moves the close view to the other corner, in metres."""
TOGETHER = 0.2
"""Up to which distance the hand and the object are shown together, in metres; else the object is shown alone."""
HALF_PALM = 0.1  # half the width of a hand, in metres


class Photographer:
    """Takes pictures of a robot at work."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._camera = Camera(rig.world.client)
        self._room: Points | None = None
        self._side = (0.0, 0.0)
        self._is_left = True

    def picture(self, width: int, height: int, seen: Observation, handled: str) -> bytes:
        """Return a picture as PNG.

        Args:
            width: In pixels.
            height: In pixels.
            seen: The latest sensing; it says where the robot works.
            handled: The object of the last motion; empty before the first.
        """
        eye, target = self.room_view(width / height, seen)
        image = self._camera.photograph(eye, target, width, height, max(FAR, 2.0 * dist(eye, target)))
        if self._rig.task is not None or handled:
            size = round(CLOSE_SHARE * width), round(CLOSE_SHARE * height)
            close = self._camera.photograph(*self.close_view(handled), *size, angle=CLOSE_ANGLE)
            self._turn_aside(eye, target)
            image.paste(close, (0 if self._is_left else width - size[0], height - size[1]))
        file = io.BytesIO()
        image.save(file, "PNG")
        return file.getvalue()

    def _turn_aside(self, eye: Vector, target: Vector) -> None:
        """Move the close view to the other corner if the robot is behind it in the picture of the room."""
        aside = np.cross(np.subtract(target, eye), (0.0, 0.0, 1.0))
        right = float(aside @ np.subtract(self._rig.chassis.tool()[0], eye) / np.linalg.norm(aside))
        self._is_left = right > -ASIDE_OF_MIDDLE if self._is_left else right > ASIDE_OF_MIDDLE

    def room_view(self, aspect: float, seen: Observation) -> tuple[Vector, Vector]:
        """Return from where the room is pictured, and the point in the middle of the picture."""
        if self._room is None:  # once, so that the pictures of a run are taken from one place
            self._room = corners(self._shown(seen))
        return framed(self._room, self._along(), aspect)

    def _along(self) -> Vector:
        if self._rig.description.moves:
            return ALONG
        (x, y, down), yaw = ASIDE, self._rig.chassis.base().yaw
        return (x * cos(yaw) - y * sin(yaw), x * sin(yaw) + y * cos(yaw), down)

    def _shown(self, seen: Observation) -> Iterator[Box]:
        """Yield the bounds of what is in the room, and of the robot where it stands and where it works."""
        world, chassis = self._rig.world, self._rig.chassis
        robot, base = chassis.bounds(), chassis.base()
        yield from (world.box(name) for name in world.bodies if name not in (world.layout.ground, self._rig.name))
        yield robot
        if self._rig.description.moves:
            wide, high = max(robot.high[0] - base.x, base.x - robot.low[0]), robot.high[2]
            for pose in filter(None, (sighting.stand for sighting in seen.sightings.values())):
                yield Box((pose.x - wide, pose.y - wide, 0.0), (pose.x + wide, pose.y + wide, high))

    def close_view(self, handled: str) -> tuple[Vector, Vector]:
        """Return from where the hand and the object are pictured closely, and the point in the middle of the picture.

        Args:
            handled: The object; empty for the hand alone.
        """
        shown = self._at_work(handled)
        middle = (np.min(shown, axis=0) + np.max(shown, axis=0)) / 2.0
        sides = [(2.0 * pi * turn / DIRECTIONS, pitch) for pitch, turn in product(STEEP, range(DIRECTIONS))]
        eyes = {side: self._eye(shown, middle, *side) for side in sides}
        counts = {side: self._count_seen(eye, shown, handled) for side, eye in eyes.items()}
        good = [side for side in sides if counts[side] >= max(counts.values()) - ABOUT_AS_GOOD]
        if self._side not in good:  # else it stays, so that a film does not jump from side to side
            self._side = min(good, key=lambda side: float(eyes[side] @ self._along()))
        x, y, z = eyes[self._side]
        return (float(x), float(y), float(z)), (float(middle[0]), float(middle[1]), float(middle[2]))

    def _at_work(self, handled: str) -> Points:
        """Return points around the hand and the object; of an object that is far from the hand alone."""
        hand, world = self._around_hand(), self._rig.world
        if handled not in world.shapes:
            return hand
        box = world.box(handled)
        thing = corners([box])
        if world.shapes[handled].form == "sphere":  # its bounds have corners far outside it
            thing = np.array(box.centre) + (thing - np.array(box.centre)) / sqrt(3.0)
        is_near = min(Box(point, point).distance(box) for point in map(tuple, hand.tolist())) <= TOGETHER
        return np.concatenate([hand, thing]) if is_near else thing

    def _around_hand(self) -> Points:
        """Return the point between the fingertips, and the ends of the palm; the bounds of its mesh are too large."""
        chassis = self._rig.chassis
        palm = pybullet.getLinkState(chassis.body, chassis.hand, physicsClientId=self._rig.world.client)[4]
        tip, turn = chassis.tool()
        across = axes_of(turn)[:, 1] * HALF_PALM
        return np.array([tip, np.add(palm, across), np.subtract(palm, across)])

    @staticmethod
    def _eye(shown: Points, middle: Points, azimuth: float, pitch: float) -> Points:
        """Return where a camera has to be so that points fill its height as far as they should."""
        ahead = np.array([cos(azimuth) * cos(pitch), sin(azimuth) * cos(pitch), -sin(pitch)])
        up = np.array([cos(azimuth) * sin(pitch), sin(azimuth) * sin(pitch), cos(pitch)])
        high = float(np.ptp(shown @ up))
        nearest = float(np.max(-(shown - middle) @ ahead))
        away = high / (2.0 * FILLED * tan(radians(CLOSE_ANGLE) / 2.0)) + nearest
        return np.asarray(middle - away * ahead)

    def _count_seen(self, eye: Points, shown: Points, handled: str) -> int:
        """Return how many of the points are seen from a place: nothing but the hand and the object is before them."""
        chassis, world = self._rig.chassis, self._rig.world
        hand = {(chassis.body, link) for link in (chassis.hand, *chassis.fingers)}
        middle = np.mean(shown, axis=0)
        targets = [*(middle + 0.6 * (point - middle) for point in shown), middle]
        rays = pybullet.rayTestBatch([eye.tolist()] * len(targets), targets, physicsClientId=world.client)
        thing = world.bodies.get(handled)
        return sum(body in (-1, thing) or (body, link) in hand for body, link, *_ in rays)
