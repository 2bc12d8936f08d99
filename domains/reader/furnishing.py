"""The reader of the parameters of furniture: the boards of a shelf, the basin of a sink.

`semantics.geometry.furnishing` has the table of what each model takes. A model that is not there belongs to a body of
the user's own, and may have any of the parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from domains.reader.nodes.document import Listing, Node
from domains.reader.nodes.fields import Field, Fields
from semantics.body.layout import Furniture, FurnitureValues
from semantics.geometry.furnishing import DRAWER, FURNITURE_PARAMETERS, LEAST_GAP, PARAMETER_NAMES, FurnitureParameter

LARGEST_FURNITURE = 10.0  # longest side of furniture, in metres
MOST_HEIGHT = 50.0
MOST_DRAWERS = 10


class Drawer(NamedTuple):
    """A drawer as it was read, before its cabinet is known."""

    name: str  # its name
    of: str  # the name of its cabinet
    level: int  # which drawer it is, 0 the lowest
    opened: bool  # whether it starts open
    fields: Fields  # its keys

    @classmethod
    def read(cls, name: str, fields: Fields) -> Drawer:
        """Read the keys of a drawer."""
        level = fields["level"].whole(0, 0, MOST_DRAWERS)
        return cls(
            name, Field(fields.get("of"), f"the cabinet of '{name}'").symbol(), level, fields["opened"].flag(), fields
        )


def read_parameters(fields: Fields, model: str) -> FurnitureValues:
    """Read the parameters of a furniture model that stand in a table; report those that the model does not have."""
    values = {}
    valid = FURNITURE_PARAMETERS.get(model, PARAMETER_NAMES)
    for name in PARAMETER_NAMES:
        node = fields.get(name)
        if node is None:
            continue
        if not model:
            node.report(
                f"{fields.what} has '{name}' and no 'model'; expected a furniture model", "keys-contradict", name
            )
        elif name not in valid:
            _refuse(node, name, model)
        else:
            values[name] = _value(fields[name], valid[name])
    return tuple((name, value) for name, value in values.items() if value is not None)


def _refuse(node: Node, name: str, model: str) -> None:
    owners = ", ".join(owner for owner, parameters in FURNITURE_PARAMETERS.items() if name in parameters)
    valid = ", ".join(FURNITURE_PARAMETERS[model]) or "no parameter"
    message = f"the furniture model '{model}' has no '{name}'; expected {valid}, or a model that has it: {owners}"
    node.report(message, "unknown-parameter", name)


def _value(field: Field, parameter: FurnitureParameter) -> float | tuple[float, ...] | None:
    if parameter.heights and isinstance(field.node, Listing):
        listed = len(field.node.items)
        if not parameter.low <= listed <= parameter.high:
            message = f"{field.what} are {listed}; expected from {parameter.low:g} to {parameter.high:g} of them"
            field.node.report(message, "out-of-range")
            return None
        return field.numbers(listed, 0.0, MOST_HEIGHT)
    if parameter.whole:
        count: int | None = field.whole(None, int(parameter.low), int(parameter.high))
        return None if count is None else float(count)
    return field.number(None, parameter.low, parameter.high)


def check_furniture(furniture: Furniture, fields: Fields) -> None:
    """Report parameters that do not fit the size of a piece of furniture, or each other."""
    height = furniture.size[2]
    if {"doors", "drawers"} <= dict(furniture.parameters).keys():
        node = fields.get("doors") or fields.get("drawers") or fields.node
        message = f"'{furniture.name}' has both 'doors' and 'drawers'; expected one of them"
        node.report(message, "keys-contradict", furniture.name)
    for name, value in furniture.parameters:
        node = fields.get(name) or fields.get("size") or fields.node
        heights = value if isinstance(value, tuple) else (() if PARAMETER_NAMES[name].whole else (value,))
        beyond = next((one for one in heights if one > height), None)
        if beyond is not None and height:
            message = f"'{name}' of '{furniture.name}' is {beyond:g}, and it is {height:g} high; expected at most that"
            node.report(message, "beyond-the-edge", furniture.name)
        close = next((pair for pair in pairwise(heights) if pair[1] - pair[0] < LEAST_GAP), None)
        if close is not None:
            message = (
                f"'{name}' of '{furniture.name}' has {close[0]:g} and then {close[1]:g}; "
                f"expected heights that rise by at least {LEAST_GAP:g}, such as {close[0] + LEAST_GAP:g}"
            )
            node.report(message, "out-of-range", furniture.name)


def drawer_in(drawer: Drawer, furniture: Mapping[str, Furniture]) -> Furniture | None:
    """Return a drawer as a piece of furniture; report it and return None if its cabinet has no place for it."""
    with_drawers = {name: _drawers(item) for name, item in furniture.items() if _drawers(item) and not item.part_of}
    node = drawer.fields.get("of") or drawer.fields.node
    if drawer.of not in with_drawers:
        able = (
            ", ".join(with_drawers)
            or "a thing of a class with 'model: cabinet' and 'drawers', or of a mesh with drawers"
        )
        node.report(f"'{drawer.of}' has no drawers for '{drawer.name}'; expected {able}", "no-drawers", drawer.of)
        return None
    count = with_drawers[drawer.of]
    taken = {item.level: item.name for item in furniture.values() if item.part_of == drawer.of}
    if drawer.level >= count or drawer.level in taken:
        free = ", ".join(str(level) for level in range(count) if level not in taken) or "no further drawer"
        why = f"is '{taken[drawer.level]}'" if drawer.level in taken else f"is not there: it has {count}"
        message = f"drawer {drawer.level} of '{drawer.of}' {why}; expected a level among {free}"
        (drawer.fields.get("level") or node).report(message, "no-drawers", drawer.name)
        return None
    cabinet = furniture[drawer.of]
    return replace(cabinet, name=drawer.name, model=DRAWER, opened=drawer.opened, part_of=drawer.of, level=drawer.level)


def _drawers(furniture: Furniture) -> int:
    return round(furniture.length("drawers", 0.0)) if furniture.mesh is None else len(furniture.mesh.drawers)


def interval(field: Field) -> tuple[float, float]:
    """Read two numbers, the smaller first."""
    low, high = field.numbers(2, -LARGEST_FURNITURE, LARGEST_FURNITURE)
    if field.node is not None and low >= high and (low, high) != (0.0, 0.0):
        field.node.report(f"{field.what} is {low:g} to {high:g}; expected the smaller number first", "out-of-range")
    return low, high
