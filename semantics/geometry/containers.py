"""What has room in a container: its opening against a thing at a yaw, its height, and its floor against the contents.

Lengths are metres. Each answer is on the safe side: what is said to have no room has none, since things may be put
closer together than anybody would, and what is in an open container may stick out of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot

from semantics.geometry.relations import CONTACT_HEIGHT, Placed
from semantics.geometry.solids import Solid

TO_WALL = 0.005
"""The gap that is left to the walls of a container."""
DENSEST = 0.9069
"""The largest share of a floor that circles of one size cover."""
ROUNDING = 1e-9


def is_within(space: Solid, put: Solid) -> bool:
    """Return whether the walls around a space leave room for a thing."""
    if space.is_round:
        return hypot(*space.own(put.middle)) + put.radius <= space.radius - TO_WALL + ROUNDING
    sides = zip(map(abs, space.own(put.middle)), space.axes, space.size[:2], strict=True)
    return all(offset + put.reach(axis) <= side / 2 - TO_WALL + ROUNDING for offset, axis, side in sides)


def is_too_high(thing: Solid, container: Placed) -> bool:
    """Return whether a thing is higher than the space under a ceiling; it may stick out of what is open above."""
    space = container.inside or container.solid
    return space.top < container.solid.top - CONTACT_HEIGHT and thing.size[2] > space.size[2] + ROUNDING


def floor_needed(thing: Solid, others: Iterable[Solid], container: Placed) -> tuple[float, float]:
    """Return the floor that a thing and the contents of a container cover at least, and that which there is.

    Args:
        thing: The thing that is to be put into the container.
        others: Where other things are.
        container: The container; what is low can be put into it in several layers.

    Returns: Both in square metres.
    """
    space = container.inside or container.solid
    least, most = -CONTACT_HEIGHT, space.size[2] + CONTACT_HEIGHT
    over = (other for other in others if space.covers(other.middle))
    content = [thing, *(other for other in over if least <= other.bottom - space.bottom <= most)]
    layers = max(1, int(space.size[2] / max(each.size[2] for each in content)))
    return sum(map(_area, content)), layers * space.area


def _area(solid: Solid) -> float:
    """Return the least floor that a thing takes among others of its form."""
    return solid.area / (DENSEST if solid.is_round else 1.0)
