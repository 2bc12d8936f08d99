"""Checks of a scene's geometry: furniture that overlaps, things outside their surface, and what a hand cannot do."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from math import degrees
from typing import Final, NamedTuple

from domains.diagnostics import Diagnostics
from domains.errors import Diagnostic, Severity
from domains.lint import PositionFinder
from domains.model import SceneFile
from graftwork.checks.bodies import Means
from robots.arrangement import extents
from robots.furniture import AREA, MODELS, Fittings, drawer_slot, fittings
from robots.ground_plan import blocked_openings, overlaps
from robots.limits import (
    DEEPEST,
    DRAWER_CABINET,
    HANDLE_HEIGHTS,
    HIGHEST_DRAWER,
    HIGHEST_SURFACE,
    LOWEST_DRAWER_FRONT,
    THICKEST,
    fits_hand,
)
from semantics.body.layout import Furniture, Layout, MovableObject
from semantics.geometry.fronts import handle_solid
from semantics.geometry.geometry import PlanarPose

OF_HAND = ("", "pybullet")
"""The bodies to which the limits of `robots.limits` apply; without a name, a scene with poses is simulated."""
OVERHANG = 0.25  # the share of a thing that may stick out over the edge of its surface; at a half, it falls


NOWHERE = Furniture("", AREA, PlanarPose(0.0, 0.0), (0.0, 0.0, 0.0))
"""What stands for the furniture of a thing that is on another thing, in a drawer or on the ground."""


class _Fault(NamedTuple):
    """A fault of a thing: its name and the keys of its place in the file, the message, and its code."""

    path: tuple[str, ...]
    message: str
    code: str


def check_geometry(scene: SceneFile, places: PositionFinder, diagnostics: Diagnostics, means: Means) -> None:
    """Report what the geometry of a scene makes impossible, each with the nearest value that is valid.

    Furniture of a model that only a body of the user's builds is left out.
    """
    layout = scene.layout
    if layout is None:
        return
    faults = [*_overlapping(layout), *_outside(layout), *_blocked(layout)]
    if means.robot in OF_HAND:
        faults += [*_out_of_reach(layout), *_too_deep(layout), *_too_wide(layout, scene), *_wide_handles(layout)]
    for path, message, code in faults:
        section = "things" if path[0] in scene.things else "unlisted"
        diagnostics.warn(places.of(section, *path), message, code, path[0])


def _overlapping(layout: Layout) -> Iterator[_Fault]:
    for found in overlaps(layout.furniture):
        first, second, (x, y) = found
        pose = second.pose
        message = (
            f"'{second.name}' overlaps '{first.name}' by {found.depth:.2f} m; expected a pose at least that far away, "
            f"such as [{_centimetres(pose.x + x)}, {_centimetres(pose.y + y)}, {pose.yaw:g}]"
        )
        yield _Fault((second.name, "pose"), message, "overlapping-furniture")


def _blocked(layout: Layout) -> Iterator[_Fault]:
    """Yield the doors and drawers that other furniture keeps from opening."""
    for found in blocked_openings(item for item in layout.furniture if item.model in MODELS):
        name, by = found.item.name, found.by.name
        if found.item.part_of:
            how_far = f"the drawer '{name}' slides out by {found.opening:.2f} m"
            needed = f"at least {found.needed:.2f} m free in front of '{found.item.part_of}'"
        else:
            how_far = f"the door of '{name}' opens by {degrees(found.opening):.0f} degrees"
            needed = f"at least {degrees(found.needed):.0f}: more room between '{name}' and '{by}'"
        message = f"{how_far}, where '{by}' is in its way; expected {needed}"
        yield _Fault((name, "pose"), message, "blocked-opening")


def _outside(layout: Layout) -> Iterator[_Fault]:
    """Yield the things that stick out of their surface or compartment, or are too high for it."""
    furniture = {item.name: item for item in layout.furniture if item.model in MODELS}
    for piece in layout.pieces:
        item = furniture.get(piece.where)
        if item is not None:
            yield from _outside_of(piece, item)


def _outside_of(piece: MovableObject, item: Furniture) -> Iterator[_Fault]:
    own = _own(item)
    region = own.region(piece.relation, piece.level)
    if region is None:
        return
    deep, wide = extents(piece.shape, piece.yaw)
    kept = 1.0 - 2.0 * OVERHANG if piece.relation == "on" else 1.0
    pairs = ((region.size[1], wide), (region.size[0], deep))
    most = [max(0.0, (size - kept * extent) / 2) for size, extent in pairs]
    nearest = [min(max(value, -limit), limit) for value, limit in zip(piece.offset, most, strict=True)]
    where = f"{piece.relation} '{item.name}'"
    if any(abs(value - valid) > 1e-6 for value, valid in zip(piece.offset, nearest, strict=True)):
        shown = ", ".join(map(_centimetres, nearest))
        message = (
            f"'{piece.name}' sticks out of the place where it is {where}; "
            f"expected an offset within {most[0]:.2f} and {most[1]:.2f}, such as [{shown}]"
        )
        yield _Fault((piece.name, "offset"), message, "outside-its-place")
    if piece.relation == "in" and own.closes and piece.shape.size[2] > region.size[2]:
        message = (
            f"'{piece.name}' is {piece.shape.size[2]:.2f} m high and there are {region.size[2]:.2f} m {where}; "
            "expected another place, or fewer boards or drawers"
        )
        yield _Fault((piece.name, "level"), message, "outside-its-place")


def _out_of_reach(layout: Layout) -> Iterator[_Fault]:
    for item in layout.furniture:
        if item.model not in MODELS:
            continue
        offered = fittings(item)
        tops = [surface.high[2] for surface in offered.surfaces] + [space.low[2] for space in offered.compartments]
        for top in sorted(top for top in tops if top > HIGHEST_SURFACE):
            message = (
                f"a place of '{item.name}' is {top:.2f} m high, and the hand reaches no place above "
                f"{HIGHEST_SURFACE:g} m; expected at most that"
            )
            yield _Fault((item.name, "size"), message, "beyond-reach")
        low, high = HANDLE_HEIGHTS
        if offered.hinged and not low <= offered.handle <= high:
            nearest = f"'handle: {min(max(offered.handle, low), high):g}'"
            expected = "one at such a height in its file" if item.mesh is not None else f"such as {nearest}"
            message = (
                f"the handle of '{item.name}' is {offered.handle:.2f} m high, and the hand pulls one between "
                f"{low:g} and {high:g} m; expected such a handle, {expected}"
            )
            yield _Fault((item.name, "size"), message, "beyond-reach")
        if item.part_of:
            yield from _unhandy_drawer(item, offered)


def _too_deep(layout: Layout) -> Iterator[_Fault]:
    """Yield the places, and the things, that are too far behind the front of their furniture."""
    furniture = {item.name: item for item in layout.furniture if item.model in MODELS and not item.part_of}
    for item in furniture.values():
        own = _own(item)
        for region in (*own.surfaces, *own.compartments):
            yield from _deep((item.name,), f"a place of '{item.name}'", item, own, region.high[0])
    for piece in layout.pieces:
        item = furniture.get(piece.where, NOWHERE)
        own = _own(item)
        space = own.region(piece.relation, piece.level)
        if space is not None and item.model != AREA:
            x = space.centre[0] + piece.offset[1]
            yield from _deep((piece.name, "offset"), f"'{piece.name}'", item, own, x)


def _deep(path: tuple[str, ...], what: str, item: Furniture, own: Fittings, x: float) -> Iterator[_Fault]:
    depth = own.box.high[0] - x
    if depth > DEEPEST + 1e-6:
        message = (
            f"{what} is {depth:.2f} m behind the front of '{item.name}', and the hand reaches {DEEPEST:g} m behind it; "
            "expected at most that"
        )
        yield _Fault(path, message, "beyond-reach")


def _own(item: Furniture) -> Fittings:
    """Return the geometry of a piece in its own frame, shut."""
    return fittings(replace(item, pose=PlanarPose(0.0, 0.0), opened=False))


def _wide_handles(layout: Layout) -> Iterator[_Fault]:
    """Yield the furniture from files with a handle that the fingers do not close on."""
    for item in layout.furniture:
        if item.mesh is None:
            continue
        for front in item.mesh.drawers[item.level : item.level + 1] if item.part_of else item.mesh.doors:
            handle = handle_solid(item.mesh, front)
            if handle is not None and handle.box.size[1] > THICKEST:
                message = (
                    f"the handle '{front.name}' of '{item.name}' is a solid {handle.box.size[1]:.3f} m wide; expected "
                    f"one of at most {THICKEST:g} m, such as an upright bar that is a solid of its own"
                )
                yield _Fault((item.name,), message, "too-wide")


def _unhandy_drawer(drawer: Furniture, offered: Fittings) -> Iterator[_Fault]:
    """Yield why the hand cannot use a drawer."""
    low, high = drawer_slot(drawer)
    (width, depth), (least_width, least_depth) = drawer.size[:2], DRAWER_CABINET
    reasons = (
        (offered.handle > HIGHEST_DRAWER, f"its handle is {offered.handle:.2f} m high", f"at most {HIGHEST_DRAWER:g}"),
        (
            high - low < LOWEST_DRAWER_FRONT,
            f"its front is {high - low:.2f} m high",
            f"at least {LOWEST_DRAWER_FRONT:g}",
        ),
        (width < least_width, f"its cabinet is {width:g} m wide", f"at least {least_width:g}"),
        (depth < least_depth, f"its cabinet is {depth:g} m deep", f"at least {least_depth:g}"),
    )
    for is_so, why, valid in reasons:
        if is_so:
            message = f"the hand has no room at the drawer '{drawer.name}': {why}; expected {valid}"
            yield _Fault((drawer.name,), message, "beyond-reach")


def _too_wide(layout: Layout, scene: SceneFile) -> Iterator[_Fault]:
    """Yield one thing of each class that no side of fits between the fingers."""
    classes: dict[str, list[MovableObject]] = {}
    for piece in layout.pieces:
        if not fits_hand(piece.shape):
            classes.setdefault(piece.label or scene.things[piece.name].class_name, []).append(piece)
    for name, (piece, *others) in classes.items():
        also = f" (as are {len(others)} more of its class)" if others else ""
        message = (
            f"'{piece.name}'{also} is too wide for the hand: its narrower side is {min(piece.shape.size[:2]):.3f} m; "
            f"expected a {name} with a side of at most {THICKEST:g} m, or an open-box, which is held by its wall"
        )
        yield _Fault((piece.name,), message, "too-wide")


def _centimetres(metres: float) -> str:
    return f"{round(metres, 2) + 0.0:.2f}"  # without the sign of -0.0


FEWEST: Final = 19  # how many of the drawn poses on a board have to be reached


def check_boards(scene: SceneFile, places: PositionFinder, diagnostics: Diagnostics) -> Iterator[Diagnostic]:
    """Report the boards on which fewer than `FEWEST` poses are reached; yield a note where there is no simulator.

    Furniture whose door is blocked is told already, and left out.
    """
    layout = scene.layout
    if layout is None or not all(item.model in MODELS for item in layout.furniture):
        return
    if not any(fittings(item).has_boards for item in layout.furniture):
        return
    try:
        from robots.pybullet.board_samples import POSES, sample_boards
    except ImportError:
        mark = places.of("things")
        message = "no simulator is installed, so no poses on boards were tried; expected the extra 'sim'"
        yield Diagnostic(diagnostics.shown, mark.line, mark.column, message, "no-samples", Severity.NOTE)
        return
    shapes = {piece.label or scene.things[piece.name].class_name: piece.shape for piece in layout.pieces}
    blocked = {problem.culprit for problem in diagnostics.problems if problem.code == "blocked-opening"}
    for count, sample in enumerate(sample_boards(layout, shapes, blocked), 1):
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{diagnostics.shown}: {count} boards and kinds of things tried\r")
        if sample.reached < FEWEST:
            message = (
                f"on the board of '{sample.place}' at {sample.height:.2f} m the hand reaches {sample.reached} of "
                f"{POSES} poses of a {' or '.join(sample.classes)}; expected at least {FEWEST}: another height, more "
                "room above it, or a wider front"
            )
            diagnostics.warn(places.of("things", sample.place), message, "board-out-of-reach", sample.place)
