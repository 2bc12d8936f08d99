"""The reader of doors and drawers of furniture from files.

What moves is named by a joint (URDF), by parts (groups of OBJ, links of URDF), or by the region in which it is. A door
turns about an upright hinge at one of its sides and opens to the front; a drawer slides out to the front.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Final

from domains.reader.furnishing import LARGEST_FURNITURE, interval
from domains.reader.keys import open_table
from domains.reader.nodes.document import Entry, Listing, Node
from domains.reader.nodes.fields import Fields, entries
from semantics.geometry.fronts import front_box, front_solids, handle_solid, moves_together
from semantics.geometry.geometry import Box, Front, Mesh
from semantics.geometry.meshes import placed_file
from semantics.geometry.urdf import Joint

USUAL_OPENING: Final = 110.0  # widest angle of a door that states none, in degrees
LEAST_OPENING: Final = 80.0  # smallest widest angle of a door that the hand can open, in degrees
LEAST_TRAVEL: Final = 0.05
MOST_SOLIDS: Final = 60  # most separate solids of a leaf or drawer; more would make each test for a collision slow
AT_EDGE: Final = 0.06
"""How far the hinge may be from the edge of its leaf, in metres, where that is at most a quarter of the leaf."""
LEAST_LEVER: Final = 0.1  # smallest distance between the hinge and the handle, in metres
STRAIGHT: Final = 0.99  # the least part of an axis along the direction that it should have


def with_fronts(mesh: Mesh, table: Fields) -> Mesh:
    """Return a mesh with the doors and drawers of its table; those that do not fit its solid are reported."""
    doors = _read(mesh, table, "door", _door)
    drawers = _read(mesh, table, "drawer", _drawer)
    drawers.sort(key=lambda drawer: (drawer.handle[2], drawer.handle[1]))
    for first, second in combinations((*doors, *drawers), 2):
        if moves_together(mesh, first, second):
            message = f"'{first.name}' and '{second.name}' have a part in common; expected each to move by itself"
            table.node.report(message, "keys-contradict", second.name)
    return replace(mesh, doors=tuple(doors), drawers=tuple(drawers))


def _read(mesh: Mesh, table: Fields, sort: str, read: Callable[[Mesh, Fields, Front], Front | None]) -> list[Front]:
    found = []
    for entry in entries(table.get(f"{sort}s"), f"the {sort}s of {table.what}"):
        fields = open_table(entry.value, f"mesh {sort}", f"{sort} '{entry.key.text}'")
        moving = _moving(mesh, entry, fields, sort)
        front = None if moving is None else read(mesh, fields, moving)
        if front is not None and _has_handle(mesh, fields, front):
            found.append(front)
    return found


def _moving(mesh: Mesh, entry: Entry, fields: Fields, sort: str) -> Front | None:
    """Return which part of the file moves, with its handle; None and a report if there is none."""
    stated = [key for key in ("joint", "part", "region") if key in fields.values]
    if len(stated) != 1:
        has = " and ".join(f"'{key}'" for key in stated) or "none of 'joint', 'part' and 'region'"
        entry.key.report(f"{fields.what} has {has}; expected one of them", "keys-contradict", entry.key.text)
        return None
    front = Front(entry.key.text, (0.0, 0.0, 0.0), 0.0)
    if stated == ["region"]:
        front = replace(
            front, region=_region(open_table(fields.values["region"], "mesh region", fields["region"].what))
        )
    else:
        front = replace(front, parts=_parts(mesh, fields, stated[0], sort))
    if front.region is None and not front.parts:
        return None
    solids = front_solids(mesh, front)
    if not 1 <= len(solids) <= MOST_SOLIDS:
        message = f"{fields.what} consists of {len(solids)} solids; expected from 1 to {MOST_SOLIDS} of its file"
        fields.values[stated[0]].report(message, "bad-mesh", front.name)
        return None
    return _with_handle(mesh, fields, front)


def _region(fields: Fields) -> Box:
    (x0, x1), (y0, y1), (z0, z1) = (interval(fields[key]) for key in "xyz")
    return Box((x0, y0, z0), (x1, y1, z1))


def _parts(mesh: Mesh, fields: Fields, key: str, sort: str) -> tuple[str, ...]:
    """Return the parts that a joint moves, or that are named."""
    placed = placed_file(mesh)
    names = [part.name for part in placed.parts if part.name]
    if key == "part":
        if not names:
            fields.values["part"].report("its file names no parts; expected 'region'", "unknown-part")
            return ()
        known = fields["part"].known("part", list(dict.fromkeys(names)))
        return known if len(known) == len(fields["part"].texts()) else ()
    if not placed.joints:
        fields.values["joint"].report("its file has no joints; expected 'part' or 'region'", "unknown-joint")
        return ()
    joint = _joint(mesh, fields)
    if joint is None or not _fits(mesh, fields, joint, sort):
        return ()
    return tuple(link for link in joint.links if link in names)


def _joint(mesh: Mesh, fields: Fields) -> Joint | None:
    joints = {joint.name: joint for joint in placed_file(mesh).joints}
    return joints.get(fields["joint"].choice("joint", joints)) if "joint" in fields.values else None


def _with_handle(mesh: Mesh, fields: Fields, front: Front) -> Front | None:
    """Return a front with the point of its handle, which a part or three numbers state."""
    node = fields.get("handle")
    if node is None or isinstance(node, Listing):
        x, y, z = fields["handle"].numbers(3, -LARGEST_FURNITURE, LARGEST_FURNITURE)
        return None if node is None else replace(front, handle=(x, y, z))
    names = [part.name for part in placed_file(mesh).parts if part.name]
    name = fields["handle"].choice("part", list(dict.fromkeys(names)))
    if not name:
        return None
    return replace(front, handle=front_box(mesh, replace(front, parts=(name,), region=None)).centre)


def _has_handle(mesh: Mesh, fields: Fields, front: Front) -> bool:
    if handle_solid(mesh, front) is not None:
        return True
    box = front_box(mesh, front)
    low, high = box.low, box.high
    nearest = tuple(
        min(max(p, at_least), at_most) for p, at_least, at_most in zip(front.handle, low, high, strict=True)
    )
    where = ", ".join(f"{low[axis]:.2f} to {high[axis]:.2f}" for axis in range(3))
    message = (
        f"the handle of {fields.what} is at {_shown(front.handle)}, and nothing of it is there; "
        f"expected a point of its solid, which is at {where}, such as {_shown(nearest)}"
    )
    (fields.get("handle") or fields.node).report(message, "beyond-the-edge", front.name)
    return False


def _shown(numbers: tuple[float, ...]) -> str:
    return f"[{', '.join(f'{round(number, 2) + 0.0:g}' for number in numbers)}]"


def _door(mesh: Mesh, fields: Fields, front: Front) -> Front | None:
    box = front_box(mesh, front)
    if box.size[0] > box.size[1]:
        message = (
            f"{fields.what} is {box.size[0]:.2f} m deep and {box.size[1]:.2f} m wide; "
            "expected a door across the front, where x is largest: is 'turn' right?"
        )
        fields.node.report(message, "bad-mesh", front.name)
        return None
    if "joint" in fields.values:
        return _hung_on_joint(mesh, fields, front, box)
    limit = math.radians(fields["opens"].number(USUAL_OPENING, LEAST_OPENING, 170.0))
    node = fields.get("hinge")
    if node is None:
        message = (
            f"{fields.what} has no 'hinge'; expected where its upright hinge is, x and y, such as "
            f"'hinge: {_shown(_best_hinge(front, box))}'"
        )
        fields.node.report(message, "no-hinge", front.name)
        return None
    x, y = fields["hinge"].numbers(2, -LARGEST_FURNITURE, LARGEST_FURNITURE)
    return _hung(node, fields, replace(front, hinge=(x, y), limit=limit), box)


def _best_hinge(front: Front, box: Box) -> tuple[float, float]:
    """Return the line at the side of a leaf that is farther from its handle."""
    x, y, _ = box.centre
    return x, box.high[1] if front.handle[1] < y else box.low[1]


def _hung(node: Node, fields: Fields, front: Front, box: Box) -> Front | None:
    """Return a leaf whose hinge is at its side and far from its handle; otherwise report it and return None."""
    x, y = front.hinge or (0.0, 0.0)
    slack = min(AT_EDGE, box.size[1] / 4.0)
    at_side = min(abs(y - box.low[1]), abs(y - box.high[1])) <= slack
    if not (at_side and box.low[0] - AT_EDGE <= x <= box.high[0] + AT_EDGE):
        message = (
            f"the hinge of {fields.what} is at {_shown((x, y))}, which is not at a side of it; "
            f"expected a line at its side, such as {_shown(_best_hinge(front, box))}"
        )
        node.report(message, "beyond-the-edge", front.name)
        return None
    if abs(front.handle[1] - y) < LEAST_LEVER:
        message = (
            f"the handle of {fields.what} is {abs(front.handle[1] - y):.2f} m from its hinge; "
            f"expected at least {LEAST_LEVER:g}"
        )
        fields.values["handle"].report(message, "out-of-range", front.name)
        return None
    return front


def _hung_on_joint(mesh: Mesh, fields: Fields, front: Front, box: Box) -> Front | None:
    """Return a leaf with the hinge and the range of its joint; report a joint that is no hinge of it."""
    joint = _joint(mesh, fields)
    if joint is None:
        return None
    for key in ("hinge", "opens"):
        if (node := fields.get(key)) is not None:
            node.report(f"{fields.what} has '{key}' and 'joint', which says it; expected one", "keys-contradict", key)
    x, y, _ = joint.point
    sense = joint.axis[2] if y > box.centre[1] else -joint.axis[2]
    limit = _outwards(joint, sense, math.radians(USUAL_OPENING))
    if limit < math.radians(LEAST_OPENING):
        degrees = math.degrees(max(limit, 0.0)) + 0.0  # without the sign of -0.0
        message = (
            f"joint '{joint.name}' opens {fields.what} by {degrees:.0f} degrees to the front; "
            f"expected at least {LEAST_OPENING:g} from zero, where it is shut"
        )
        fields.values["joint"].report(message, "wrong-joint", joint.name)
        return None
    return _hung(fields.values["joint"], fields, replace(front, hinge=(x, y), limit=limit), box)


def _fits(mesh: Mesh, fields: Fields, joint: Joint, sort: str) -> bool:
    """Return whether a joint is of the type that a door or a drawer has, along the right axis; otherwise report it."""
    if joint.turns if sort == "door" else joint.slides:
        axis, direction = (2, "upright") if sort == "door" else (0, "to the front")
        if abs(joint.axis[axis]) >= STRAIGHT:
            return True
        message = f"the axis of joint '{joint.name}' is {_shown(joint.axis)}; expected one that is {direction}"
        fields.values["joint"].report(message, "wrong-joint", joint.name)
        return False
    joints = placed_file(mesh).joints
    able = [other.name for other in joints if (other.turns if sort == "door" else other.slides)]
    kind = "revolute" if sort == "door" else "prismatic"
    nearest = f": {', '.join(able)}" if able else ""
    message = f"joint '{joint.name}' is {joint.type or 'of no type'}; expected a {kind} one for a {sort}{nearest}"
    fields.values["joint"].report(message, "wrong-joint", joint.name)
    return False


def _outwards(joint: Joint, sense: float, usual: float) -> float:
    """Return how far a joint moves from zero to the front."""
    if joint.range is None:
        return usual
    return joint.range[1] if sense > 0.0 else -joint.range[0]


def _drawer(mesh: Mesh, fields: Fields, front: Front) -> Front | None:
    """Return a drawer with its space and its way; report what does not fit its solid."""
    node = fields.get("inside")
    if node is None:
        return None
    box = front_box(mesh, front)
    space = _region(open_table(node, "mesh inside", f"the inside of {fields.what}"))
    if not (box.contains(space.low, 1e-3) and box.contains(space.high, 1e-3) and min(space.size) > 0.0):
        bounds = ", ".join(f"{name} from {box.low[i]:.2f} to {box.high[i]:.2f}" for i, name in enumerate("xyz"))
        message = f"the inside of {fields.what} is not within its solid; expected {bounds}"
        node.report(message, "beyond-the-edge", front.name)
        return None
    if "joint" in fields.values:
        travel = _travel_of_joint(mesh, fields)
    else:
        travel = fields["travel"].number(0.8 * box.size[0], LEAST_TRAVEL, 2.0)
    return None if travel is None else replace(front, limit=travel, inside=space)


def _travel_of_joint(mesh: Mesh, fields: Fields) -> float | None:
    joint = _joint(mesh, fields)
    if joint is None:
        return None
    if (node := fields.get("travel")) is not None:
        node.report(f"{fields.what} has 'travel' and 'joint', which says it; expected one", "keys-contradict", "travel")
    travel = _outwards(joint, joint.axis[0], 0.0)
    if travel < LEAST_TRAVEL:
        message = (
            f"joint '{joint.name}' pulls {fields.what} out by {max(travel, 0.0) + 0.0:.2f} m to the front; "
            f"expected at least {LEAST_TRAVEL:g} from zero, where it is shut"
        )
        fields.values["joint"].report(message, "wrong-joint", joint.name)
        return None
    return travel
