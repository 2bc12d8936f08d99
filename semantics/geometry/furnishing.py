"""The parameters of furniture models, such as the boards of a shelf: their meaning and their limits.

A class or a thing states a parameter beside its model: ``{model: shelf, boards: 4}``. The readers of worlds check it by
this table, and `robots.furniture` builds the geometry from it. All lengths are in metres.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from semantics.geometry.geometry import Vector

DRAWER = "drawer"
"""The model of a drawer, which is a part of a cabinet."""
MESH = "mesh"
"""The model of furniture whose solid a file describes."""
FRONTLESS = frozenset({DRAWER, "wall"})
"""The models in front of which nobody stands to work."""
LEAST_GAP = 0.05
"""The least difference in height between two boards, in metres."""


class FurnitureParameter(NamedTuple):
    """A parameter of a furniture model.

    Attributes:
        say: What it is.
        low: The smallest value.
        high: The largest value.
        whole: Whether it is a count.
        heights: Whether a list of heights may stand in place of the count, the lowest first.
    """

    say: str
    low: float
    high: float
    whole: bool = False
    heights: bool = False


_HANDLE = FurnitureParameter("height of the door's handle", 0.1, 2.5)
_DOORS = FurnitureParameter("leaves of the door, which open and close as one", 1, 2, whole=True)
_BASE = FurnitureParameter("height of the lowest floor above the ground", 0.0, 2.5)

FURNITURE_PARAMETERS: Mapping[str, Mapping[str, FurnitureParameter]] = {
    "bin": {},
    "cabinet": {
        "base": _BASE,
        "boards": FurnitureParameter("boards inside, or the heights of their tops", 0, 10, whole=True, heights=True),
        "doors": _DOORS,
        "drawers": FurnitureParameter("drawers in place of a door; each is a thing of its own", 1, 10, whole=True),
        "handle": _HANDLE,
    },
    "counter": {},
    "dock": {},
    "drawer": {},
    "fridge": {
        "base": _BASE,
        "boards": FurnitureParameter("boards inside, or the heights of their tops", 0, 10, whole=True, heights=True),
        "doors": _DOORS,
        "handle": _HANDLE,
    },
    MESH: {},
    "shelf": {
        "boards": FurnitureParameter("boards, or the heights of their tops", 1, 20, whole=True, heights=True),
    },
    "sink": {"basin": FurnitureParameter("depth of the basin", 0.03, 1.0)},
    "table": {},
    "wall": {},
}
"""The parameters of each furniture model that the shipped bodies build, by name."""

USUAL_SIZES: Mapping[str, Vector] = {
    "bin": (0.36, 0.36, 0.3),
    "cabinet": (0.6, 0.5, 0.9),
    "counter": (1.2, 0.6, 0.85),
    "dock": (0.4, 0.3, 0.4),
    "fridge": (0.6, 0.55, 1.2),
    "shelf": (1.0, 0.35, 1.2),
    "sink": (0.7, 0.6, 0.85),
    "table": (1.2, 0.6, 0.72),
}
"""Width, depth and height of furniture for which a scene that is arranged states none, by model."""


def _by_name() -> Mapping[str, FurnitureParameter]:
    named: dict[str, FurnitureParameter] = {}
    for parameters in FURNITURE_PARAMETERS.values():
        for name, parameter in parameters.items():
            known = named.get(name, parameter)
            named[name] = known._replace(low=min(known.low, parameter.low), high=max(known.high, parameter.high))
    return named


PARAMETER_NAMES = _by_name()
"""Every parameter of any model, by name, with the widest limits that a model gives it."""
