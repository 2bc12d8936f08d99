"""What the hand reaches from where the robot stands: told from the limits of the joints alone, without any motion."""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2
from typing import Final

from robots.pybullet.manipulation.grasps import FROM_ABOVE
from robots.pybullet.manipulation.hand import FACINGS
from robots.pybullet.manipulation.reach import Aim, Station, stances
from robots.pybullet.navigation import obstacles
from robots.pybullet.rig import Rig
from semantics.geometry.geometry import Vector

__all__ = ["can_work", "reaches"]

LOWERED: Final = 0.02
"""Height above a point from which the hand comes down, in metres."""


def reaches(rig: Rig, point: Vector) -> bool:
    """Return whether the hand can work at a point, in metres, from where the robot stands, and come down to it."""
    around = obstacles(rig.world, rig.held) if rig.description.moves else []
    where = Station(rig.chassis.base(), around)
    above = (point[0], point[1], point[2] + LOWERED)
    return all(any(can_work(rig, aim, where) for aim in _aims(rig, at)) for at in (point, above))


def can_work(rig: Rig, aim: Aim, where: Station) -> bool:
    """Return whether some posture within the limits of the joints is at an aim, without a look at what is in the way.

    A base that drives may move about its station, where the floor is free.
    """
    return next(stances(rig.description, aim, where), None) is not None


def _aims(rig: Rig, point: Vector) -> Iterator[Aim]:
    base = rig.chassis.base()
    straight = atan2(point[1] - base.y, point[0] - base.x)
    facings = FACINGS if rig.description.moves else FACINGS[:1]
    yield from (Aim(point, straight + facing, phi) for phi in FROM_ABOVE for facing in facings)
