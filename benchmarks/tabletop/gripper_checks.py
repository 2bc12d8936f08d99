"""The checks of templates that move the gripper alone, and of picking and letting go.

A check yields what is wrong. Points are met within 2 cm, distances within 1 cm, regions within 6 cm of their middle
seen from above. Where the words name no height, the gripper is over the table and at most 17 cm above it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import dist, hypot

from benchmarks.tabletop.block_checks import at_region, in_no_bowl, left_alone, on_table
from benchmarks.tabletop.board import DIRECTIONS, HALF, REGIONS, Pose, apart, spot_of
from benchmarks.tabletop.case import Case, Fault, on_map
from benchmarks.tabletop.conditions import referent

__all__ = ["CLOSED", "GRIPPER_CHECKS"]

POINT, DISTANCE, REGION = 0.02, 0.01, 0.06
OPEN, CLOSED = 0.07, 0.01
"""Fingertips that are at least, and at most, so far apart are open and closed, metres; fully open are 8 cm."""
HEIGHT = 0.17
"""Height of the published workspace, 15 cm, and the tolerance of a point."""
A_LITTLE = 2 * HALF / 3
LIFTED = 0.01
"""What is in the hand is off what it stood on by more than this, metres: nearer, it would count as on it."""
IN_HAND = 0.03
"""How far the middle of a thing in the hand is from that between the fingertips, at most, metres."""
THICKNESS = 0.02
"""A block is held at its middle, so that its underside is so far below the fingertips, metres."""


def _at_point(case: Case, right: float, top: float, up: float) -> Iterator[Fault]:
    off = dist(case.gripper.point, (right, top, up))
    if off > POINT:
        yield Fault(True, f"the gripper is {off:.3f} m from the point")


def _low(case: Case) -> Iterator[Fault]:
    if not 0.0 <= case.gripper.spot.up <= HEIGHT:
        yield Fault(False, f"the gripper is {case.gripper.spot.up:.3f} m above the table, beyond the workspace")


def _open(case: Case) -> Iterator[Fault]:
    if case.gripper.opening < OPEN:
        yield Fault(True, f"the gripper is not open: {case.gripper.opening:.3f} m")


def _closed(case: Case) -> Iterator[Fault]:
    if case.gripper.opening > CLOSED:
        yield Fault(True, f"the gripper is not closed: {case.gripper.opening:.3f} m")


def _at_named_point(case: Case) -> Iterator[Fault]:
    yield from _at_point(case, *spot_of(Pose(*case.instance.point("point"))).point)


def _over_region(case: Case) -> Iterator[Fault]:
    off = dist(case.gripper.spot.place, REGIONS[case.text("region")])
    if off > REGION:
        yield Fault(True, f"the gripper is {off:.3f} m from the middle of {case.text('region')}")


def _beside_point(case: Case) -> Iterator[Fault]:
    base = spot_of(Pose(*case.instance.point("point"))).point
    way = DIRECTIONS[case.text("relation")]
    yield from _at_point(case, *(b + case.length() * w for b, w in zip(base, way, strict=True)))
    yield from _so_far(sum((g - b) * w for g, b, w in zip(case.gripper.point, base, way, strict=True)), case)


def _so_far(length: float, case: Case) -> Iterator[Fault]:
    if abs(length - case.length()) > DISTANCE:
        yield Fault(False, f"that is {length:.3f} m and not {case.length():.2f} m")


def _beside_thing(case: Case) -> Iterator[Fault]:
    """The height is not said: the gripper is beside the thing or above that place."""
    base, (right, top, _) = case.final[case.text("object")], DIRECTIONS[case.text("relation")]
    way = case.length()
    off = dist(case.gripper.spot.place, (base.right + right * way, base.top + top * way))
    if off > POINT:
        yield Fault(True, f"the gripper is {off:.3f} m from the place beside {case.text('object')}")
    spot = case.gripper.spot
    yield from _so_far((spot.right - base.right) * right + (spot.top - base.top) * top, case)
    yield from _low(case)


def _moved_to_thing(case: Case) -> Iterator[Fault]:
    """The distance in space to where the thing stood; a little is at most a third of the workspace, and a lot more."""
    thing = case.initial[case.text("object")].point
    nearer = dist(case.start.point, thing) - dist(case.gripper.point, thing)
    way = nearer if case.text("movement") == "towards" else -nearer
    if way <= 0:
        yield Fault(True, f"the gripper did not move {case.text('movement')}: {way:.3f} m")
    elif (way <= A_LITTLE) != (case.text("magnitude") == "a little"):
        yield Fault(True, f"{way:.3f} m is not {case.text('magnitude')}")
    elif way < DISTANCE:
        yield Fault(False, f"{way:.3f} m is no movement")


def _moved_along_ray(case: Case) -> Iterator[Fault]:
    """The ray leads to the middle of the region on the table, or stays at the height of the gripper: both are right."""
    right, top = REGIONS[case.text("region")]
    start, way = case.start.point, case.length() * (1 if case.text("movement") == "towards" else -1)
    ends = []
    for up in (0.0, start[2]):
        ray = (right - start[0], top - start[1], up - start[2])
        length = hypot(*ray)
        ends.append(tuple(s + way * r / length for s, r in zip(start, ray, strict=True)))
    off = min(dist(case.gripper.point, end) for end in ends)
    if off > POINT:
        yield Fault(True, f"the gripper is {off:.3f} m from where the ray ends")
    yield from _so_far(dist(case.gripper.point, start), case)


def _at_block(case: Case) -> Iterator[Fault]:
    block = referent(case.instance, case.initial)
    off = apart(case.gripper.spot, case.final[str(block)])
    if off > POINT:
        yield Fault(True, f"the gripper is {off:.3f} m from {block}")
    yield from _low(case)


def _picked(case: Case) -> Iterator[Fault]:
    thing = case.text("object")
    if case.evidence.held != thing:
        yield Fault(True, f"{case.evidence.held or 'nothing'} is in the hand, and not {thing}")
    lifted = case.final[thing].up - case.initial[thing].up
    if lifted <= LIFTED:
        yield Fault(False, f"{thing} is lifted by {lifted:.3f} m only")
    if dist(case.gripper.point, case.final[thing].point) > IN_HAND:
        yield Fault(False, f"{thing} is not between the fingertips")
    yield from left_alone(case, thing)


def _released(case: Case) -> Iterator[Fault]:
    """The height is that of the fingertips or of the underside of what they held."""
    block, region = case.instance.held, case.text("region")
    yield from _open(case)
    yield from at_region(case, (block,), region)
    yield from on_table(case, (block,))
    yield from in_no_bowl(case, (block,))
    gripper = on_map(case.evidence.released) if case.evidence.released else case.gripper
    if dist(gripper.spot.place, REGIONS[region]) > REGION:
        yield Fault(False, f"the gripper let go {dist(gripper.spot.place, REGIONS[region]):.3f} m from {region}")
    if not -DISTANCE <= gripper.spot.up - case.length() <= THICKNESS + DISTANCE:
        yield Fault(False, f"the gripper let go {gripper.spot.up:.3f} m above the table, not {case.length():.2f} m")
    yield from left_alone(case, block)


def _all(*checks: Callable[[Case], Iterator[Fault]]) -> Callable[[Case], Iterator[Fault]]:
    """Return a check that makes several, and that things are left where they were."""

    def check(case: Case) -> Iterator[Fault]:
        for part in checks:
            yield from part(case)
        yield from left_alone(case)

    return check


GRIPPER_CHECKS: Mapping[str, Callable[[Case], Iterator[Fault]]] = {
    "L01": _all(_at_named_point),
    "L02": _all(_open),
    "L03": _all(_closed),
    "L04": _all(_beside_point),
    "L05": _all(_moved_to_thing),
    "L06": _all(_at_named_point, _open),
    "L07": _all(_over_region, _low, _closed),
    "L08": _all(_beside_thing),
    "L09": _all(_moved_along_ray),
    "L16": _all(_at_block),
    "L20": _picked,
    "L21": _released,
}
