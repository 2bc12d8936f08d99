"""The parameters of furniture models, such as the boards of a shelf: their meaning and their limits.

A class or a thing states a parameter beside its model: ``{model: shelf, boards: 4}``. The readers of worlds check it by
the table in ``furnishing.yaml``, and `robots.furniture` builds the geometry from it. All lengths are in metres.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from semantics.geometry.geometry import Vector
from semantics.process.reading import read_table

DRAWER = "drawer"  # the model of a drawer, which is a part of a cabinet
MESH = "mesh"  # the model of furniture whose solid a file describes
FRONTLESS = frozenset({DRAWER, "wall"})  # the models in front of which nobody stands to work
LEAST_GAP = 0.05  # the least difference in height between two boards, in metres


class FurnitureParameter(NamedTuple):
    """A parameter of a furniture model."""

    say: str  # what it is
    low: float  # the smallest value
    high: float  # the largest value
    whole: bool = False  # whether it is a count
    heights: bool = False  # whether a list of heights may stand in place of the count, the lowest first


_TABLES = read_table(__file__)
FURNITURE_PARAMETERS: Mapping[str, Mapping[str, FurnitureParameter]] = {
    model: {name: FurnitureParameter(**parameter) for name, parameter in parameters.items()}
    for model, parameters in _TABLES["parameters"].items()
}
"""The parameters of each furniture model that the shipped bodies build, by name."""
USUAL_SIZES: Mapping[str, Vector] = {model: tuple(size) for model, size in _TABLES["usual_sizes"].items()}
"""Width, depth and height of furniture for which a scene that is arranged states none, by model."""


def _by_name() -> Mapping[str, FurnitureParameter]:
    named: dict[str, FurnitureParameter] = {}
    for parameters in FURNITURE_PARAMETERS.values():
        for name, parameter in parameters.items():
            known = named.get(name, parameter)
            named[name] = known._replace(low=min(known.low, parameter.low), high=max(known.high, parameter.high))
    return named


PARAMETER_NAMES = _by_name()  # every parameter of any model, by name, with the widest limits that a model gives it
