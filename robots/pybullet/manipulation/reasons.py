"""Reasons and suggestions for what is in the way: every suggestion is tested in the mirror before it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from robots.pybullet.description import Configuration
from robots.pybullet.mirror import PENETRATION, MirrorContact
from robots.pybullet.rig import Rig

MOST_SUGGESTED: Final = 4  # number of objects of which each is tested for whether it alone is in the way


def listed(names: Sequence[str]) -> str:
    """Return names as a subject with its verb: "a is", "a and b are", "a, b and c are"."""
    *others, last = names
    return f"{', '.join(others)} and {last} are" if others else f"{last} is"


class Removal(NamedTuple):
    """Objects that are in the way, and the suggestion to move them; nothing if that does not help."""

    names: tuple[str, ...] = ()
    suggestion: str = ""


def to_move_away(rig: Rig, what: str, culprits: Iterable[str], works: Callable[[], bool]) -> Removal:
    """Return which objects to move away: one alone if that is enough, else all.

    Args:
        rig: The robot.
        what: What the robot works on, for the distance to it; the robot itself if it is no thing of the room.
        culprits: What is in the way, the most likely first; only what can be carried is suggested.
        works: Tests whether the robot gets there; called with objects out of the mirror.
    """
    movable = tuple(name for name in culprits if name in rig.world.shapes and name not in (what, rig.held))
    trials = [(name,) for name in movable[:MOST_SUGGESTED]]
    for names in (*trials, movable) if len(movable) > 1 else trials:
        with rig.mirror.without(names):
            helps = works()
        if helps:
            places = (f"{name} ({length_text(_distance(rig, name, what))} from {_of(rig, what)})" for name in names)
            return Removal(names, f"Move {' and '.join(places)} away: then there is a free way.")
    return Removal()


def length_text(metres: float) -> str:
    """Return a length in words: millimetres if it is short."""
    return f"{1000 * metres:.0f} mm" if abs(metres) < 0.0995 else f"{metres:.2f} m"


def _of(rig: Rig, what: str) -> str:
    return what if what in rig.world.bodies else rig.name


def _distance(rig: Rig, name: str, what: str) -> float:
    return rig.world.box(name).distance(rig.world.box(_of(rig, what)))


def first_contact(rig: Rig, points: Sequence[Configuration]) -> MirrorContact | None:
    """Return the first contact on straight segments that is not already there at the start."""
    touched = rig.mirror.clashes(points[0], rig.grip)
    for start, end in pairwise(points):
        count = max(1, int(np.ceil(np.max(np.abs(end - start) / rig.description.strides))))
        for share in np.linspace(0.0, 1.0, count + 1):
            contact = rig.mirror.deepest(start + share * (end - start), rig.grip)
            if contact is not None and contact.distance < PENETRATION and contact.name not in touched:
                return contact
    return None
