"""The checks of templates that move blocks. A check yields what is wrong, and whether the published check sees it.

Published are the distances from above: 4 cm from a block, 6 cm from a bowl or from the middle of a region. The rest is
added: a block on a block is one block higher within 1 cm, a block in a bowl is over it and low, a block at a region
lies on the table, a tower of n blocks has the n heights and its middles are at most 2 cm apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise, permutations
from math import atan2, cos, dist, hypot, pi, sin

from benchmarks.tabletop.board import (
    BLOCK,
    BOWL,
    CORNERS,
    DIRECTIONS,
    HALF,
    REGIONS,
    Place,
    Spot,
    apart,
    covers,
)
from benchmarks.tabletop.case import Case, Fault
from benchmarks.tabletop.conditions import referent
from benchmarks.tabletop.referents import SLOPES, along, chosen_corner, slope, within_cone
from benchmarks.tabletop.room import vertices

__all__ = ["BLOCK_CHECKS", "at_region", "in_no_bowl", "left_alone", "on_table"]

ON_BLOCK, AT = 0.04, 0.06
"""Published: how far a block is from the block below it, and from a bowl or the middle of a region, at most; metres."""
HEIGHT, POINT, DISTANCE = 0.01, 0.02, 0.01
"""Tolerances of a height, of a point and of a distance, metres."""
LEFT_ALONE = 0.06
"""How far what the instruction does not speak of may be pushed, metres: no farther than a region is wide."""
A_LITTLE = 2 * HALF / 3
OFF_LINE = 0.05 * 2 * HALF
"""Published: how far a block is off the line through the first two, at most, metres."""
ROW_SHARE, ROW_SPACING = 0.05, 2.0
"""A row: off the best line by this share of its length, or `DISTANCE`; largest spacing by smallest."""
LEVEL = 0.05
TURN = pi / 720
"""Step at which the turn of a shape is tried, radians."""

Names = Sequence[str]
Faults = Iterator[Fault]


def left_alone(case: Case, *moved: str) -> Faults:
    """Yield the things, other than those that the instruction moves, that were carried away."""
    for name, spot in case.final.items():
        way = dist(spot.point, case.initial[name].point)
        if name not in moved and way > LEFT_ALONE:
            yield Fault(False, f"{name} was moved by {way:.3f} m, which nobody asked for")


def on_table(case: Case, blocks: Names) -> Faults:
    """Yield the blocks whose undersides are not at the top of the table."""
    for block in blocks:
        height = case.final[block].up - BLOCK / 2
        if abs(height) > HEIGHT:
            yield Fault(False, f"{block} is {height:.3f} m above the table")


def in_no_bowl(case: Case, blocks: Names) -> Faults:
    """Yield the blocks that are over a bowl, where they have to lie on the table."""
    for block in blocks:
        for bowl in case.instance.bowls:
            if covers(case.final[bowl], BOWL[0], case.final[block].place):
                yield Fault(False, f"{block} is over {bowl} and not on the table")


def at_region(case: Case, blocks: Names, region: str) -> Faults:
    """Yield the blocks that are more than 6 cm from the middle of a region."""
    for block in blocks:
        off = dist(case.final[block].place, REGIONS[region])
        if off > AT:
            yield Fault(True, f"{block} is {off:.3f} m from the middle of {region}")


def _nearest(spot: Spot, places: Mapping[str, Place]) -> str:
    """Return the name of the place that is nearest to a spot, seen from above."""
    return min(places, key=lambda name: dist(spot.place, places[name]))


def _lie(case: Case, blocks: Names) -> Faults:
    """Yield what keeps blocks from lying on the table, and what else was moved."""
    yield from on_table(case, blocks)
    yield from in_no_bowl(case, blocks)
    yield from left_alone(case, *blocks)


def _lie_at(case: Case, blocks: Names, region: str) -> Faults:
    yield from at_region(case, blocks, region)
    yield from _lie(case, blocks)


def _in_bowl(case: Case, block: str, bowl: str, *, published: bool = True) -> Faults:
    """Yield what keeps a block from being in a bowl; `published` says whether its place is a part of the check."""
    inner, outer = case.final[block], case.final[bowl]
    off = apart(inner, outer)
    if off > AT:
        yield Fault(published, f"{block} is {off:.3f} m from the middle of {bowl}")
    if inner.up <= outer.up:
        yield Fault(published, f"{block} is not higher than {bowl}")
    if not covers(outer, BOWL[0], inner.place):
        yield Fault(False, f"{block} is not over {bowl}")
    underside, bottom = inner.up - BLOCK / 2, outer.up - BOWL[1] / 2
    if not bottom - DISTANCE / 10 <= underside <= bottom + BOWL[1] - HEIGHT:
        yield Fault(False, f"{block} is {underside - bottom:.3f} m above the underside of {bowl}, not low in it")


def _on_block(case: Case) -> Faults:
    upper, lower = case.text("block:1"), case.text("block:2")
    above, below = case.final[upper], case.final[lower]
    off = apart(above, below)
    if off > ON_BLOCK:
        yield Fault(True, f"{upper} is {off:.3f} m from {lower}")
    if above.up <= below.up:
        yield Fault(True, f"{upper} is not higher than {lower}")
    if abs(above.up - below.up - BLOCK) > HEIGHT:
        yield Fault(False, f"{upper} is {above.up - below.up:.3f} m above {lower}, and a block is {BLOCK} m high")
    if not covers(below, BLOCK, above.place):
        yield Fault(False, f"the middle of {upper} is not over {lower}")
    yield from _lie_below(case, lower)
    yield from left_alone(case, upper)


def _lie_below(case: Case, block: str) -> Faults:
    yield from on_table(case, (block,))
    yield from in_no_bowl(case, (block,))


def _block_in_bowl(case: Case) -> Faults:
    yield from _in_bowl(case, case.text("block"), case.text("bowl"))
    yield from left_alone(case, case.text("block"))


def _all_in_bowl(case: Case) -> Faults:
    for block in case.instance.blocks:
        yield from _in_bowl(case, block, case.text("bowl"))
    yield from left_alone(case, *case.instance.blocks)


def _matching(case: Case) -> Faults:
    for block in case.instance.blocks:
        bowl = block.replace("block", "bowl")
        if bowl in case.instance.bowls:
            yield from _in_bowl(case, block, bowl)
    yield from left_alone(case, *case.instance.blocks)


def _mismatched(case: Case) -> Faults:
    """Yield the faults of the bowl of another colour in which a block is most nearly."""
    for block in case.instance.blocks:
        others = [bowl for bowl in case.instance.bowls if bowl != block.replace("block", "bowl")]
        bowl = _nearest(case.final[block], {name: case.final[name].place for name in others})
        yield from _in_bowl(case, block, bowl)
    yield from left_alone(case, *case.instance.blocks)


def _all_at_region(case: Case) -> Faults:
    yield from _lie_at(case, case.instance.blocks, case.text("corner/side"))


def _named_at_region(case: Case) -> Faults:
    yield from _lie_at(case, (case.text("block"),), case.text("corner/side"))


def _referent_at_region(case: Case) -> Faults:
    """The referent is that of the initial state."""
    block = referent(case.instance, case.initial)
    if block is None:
        yield Fault(True, "nothing is meant in the initial state")
    else:
        yield from _lie_at(case, (block,), case.text("corner/side"))


def _colour_at_region(case: Case) -> Faults:
    blocks = [block for block in case.instance.blocks if block.startswith(case.text("color"))]
    yield from _lie_at(case, blocks, case.text("corner/side"))


def _different_corners(case: Case) -> Faults:
    used: dict[str, str] = {}
    for block in case.instance.blocks:
        corner = _nearest(case.final[block], {name: REGIONS[name] for name in CORNERS})
        yield from at_region(case, (block,), corner)
        if corner in used:
            yield Fault(True, f"{block} is in the corner of {used[corner]}")
        used[corner] = block
    yield from _lie(case, case.instance.blocks)


def _in_chosen_corner(case: Case) -> Faults:
    """As published, the corner is that to the final place of the bowl."""
    corner = chosen_corner(case.text("distance"), case.final[case.text("bowl")])
    yield from _lie_at(case, (case.text("block"),), corner)


def _heights(case: Case, blocks: Names) -> Faults:
    """Yield what keeps blocks, named from below, from being a tower: their heights, and middles over 2 cm apart."""
    for level, block in enumerate(blocks):
        off = case.final[block].up - BLOCK / 2 - level * BLOCK
        if abs(off) > HEIGHT:
            yield Fault(False, f"{block} is {off:.3f} m off the height of block {level + 1} of the tower")
    for lower, upper in pairwise(blocks):
        off = apart(case.final[lower], case.final[upper])
        if off > POINT:
            yield Fault(False, f"the middle of {upper} is {off:.3f} m aside of {lower} below it")
    yield from in_no_bowl(case, blocks)
    yield from left_alone(case, *blocks)


def _from_below(case: Case) -> list[str]:
    return sorted(case.instance.blocks, key=lambda name: case.final[name].up)


def _tower(case: Case) -> Faults:
    blocks = _from_below(case)
    for lower, upper in pairwise(blocks):
        off = apart(case.final[lower], case.final[upper])
        if off > ON_BLOCK or case.final[upper].up <= case.final[lower].up:
            yield Fault(True, f"{upper} is not on {lower}: {off:.3f} m aside")
    yield from _heights(case, blocks)


def _tower_at_region(case: Case) -> Faults:
    yield from at_region(case, case.instance.blocks, case.text("corner/side"))
    yield from _heights(case, _from_below(case))


def _checked_tower_at_region(case: Case) -> Faults:
    """The same with the heights as a part of the published check."""
    yield from at_region(case, case.instance.blocks, case.text("corner/side"))
    yield from _tower(case)


def _beside_bowl(case: Case) -> Faults:
    block, bowl, direction = case.text("block"), case.text("bowl"), case.text("direction")
    offset = along(case.final[block], direction) - along(case.final[bowl], direction)
    if offset <= 0:
        yield Fault(True, f"{block} is {offset:.3f} m to the {direction} of {bowl}")
    if (abs(offset) <= A_LITTLE) != (case.text("magnitude") == "a little"):
        yield Fault(True, f"{abs(offset):.3f} m is not {case.text('magnitude')}")
    if not within_cone(block, direction, bowl, case.final):
        yield Fault(False, f"{block} is beside {bowl}, but not in the direction {direction}")
    yield from _lie(case, (block,))


def _between(case: Case) -> Faults:
    """Published is the middle of the way, within the tolerance of a point, which lies well within the page's bounds.

    Things that lie on the table beside each other do not overlap.
    """
    block = case.text("block")
    names = (case.text("object:1"), case.text("object:2"))
    first, second = (case.final[name] for name in names)
    off = dist(case.final[block].place, ((first.right + second.right) / 2, (first.top + second.top) / 2))
    if off > POINT:
        yield Fault(True, f"{block} is {off:.3f} m from the middle between {names[0]} and {names[1]}")
    yield from _lie(case, (block,))


def _line(case: Case) -> Faults:
    """As published, the line is that through the first two blocks of the scene, and its slope counts without a sign."""
    spots = [case.final[block] for block in case.instance.blocks]
    across, ahead = spots[1].right - spots[0].right, spots[1].top - spots[0].top
    length = hypot(across, ahead)
    low, high = SLOPES[case.text("line")]
    if not low <= slope(spots[0], spots[1]) <= high or length == 0:
        yield Fault(True, f"the slope {slope(spots[0], spots[1]):.2f} is not {case.text('line')}")
    for block, spot in zip(case.instance.blocks, spots, strict=True):
        off = abs(across * (spot.top - spots[0].top) - ahead * (spot.right - spots[0].right)) / (length or 1.0)
        if off > OFF_LINE:
            yield Fault(True, f"{block} is {off:.3f} m off the line")
    yield from _row(spots)
    yield from _lie(case, case.instance.blocks)


def _row(spots: Sequence[Spot]) -> Faults:
    """Yield what keeps three or more blocks from being a row: off the line that fits best, or spaced unevenly."""
    if len(spots) < 3:
        return
    right, top = (sum(values) / len(spots) for values in zip(*(spot.place for spot in spots), strict=True))
    moved = [(spot.right - right, spot.top - top) for spot in spots]
    angle = atan2(2 * sum(u * v for u, v in moved), sum(u * u - v * v for u, v in moved)) / 2
    onto = sorted(u * cos(angle) + v * sin(angle) for u, v in moved)
    off = max(abs(v * cos(angle) - u * sin(angle)) for u, v in moved)
    if off > max(ROW_SHARE * (onto[-1] - onto[0]), DISTANCE):
        yield Fault(False, f"the row bends by {off:.3f} m")
    spacings = [after - before for before, after in pairwise(onto)]
    if max(spacings) > ROW_SPACING * min(spacings):
        yield Fault(False, f"the spacings of the row are from {min(spacings):.3f} to {max(spacings):.3f} m")


def _all_moved(case: Case) -> Faults:
    right, top, _ = DIRECTIONS[case.text("direction")]
    way = case.length()
    for block in case.instance.blocks:
        start, end = case.initial[block], case.final[block]
        off = dist(end.place, (start.right + right * way, start.top + top * way))
        if off > POINT:
            yield Fault(True, f"{block} is {off:.3f} m from where {way:.2f} m would have moved it")
        moved = along(end, case.text("direction")) - along(start, case.text("direction"))
        if abs(moved - way) > DISTANCE:
            yield Fault(False, f"{block} was moved by {moved:.3f} m and not by {way:.2f} m")
    yield from _lie(case, case.instance.blocks)


def _shape(case: Case) -> Faults:
    """The shape may be turned: the turn and the assignment count in which the farthest block is nearest."""
    places = [case.final[block].place for block in case.instance.blocks]
    size, middle = case.length(), REGIONS[case.text("region")]
    whole = 2 * pi / len(places)
    off = min(
        max(map(dist, order, places))
        for step in range(round(whole / TURN))
        for order in permutations(vertices(case.text("shape"), size, middle, step * TURN))
    )
    if off > POINT:
        yield Fault(True, f"the blocks are up to {off:.3f} m from a {case.text('shape')} of {size:.2f} m")
    yield from _lie(case, case.instance.blocks)


BLOCK_CHECKS: Mapping[str, Callable[[Case], Faults]] = {
    "S1": _on_block,
    "S2": _block_in_bowl,
    "S3": _all_at_region,
    "S4": _all_in_bowl,
    "S5": _matching,
    "S6": _referent_at_region,
    "S7": _referent_at_region,
    "S8": _referent_at_region,
    "U1": _different_corners,
    "U2": _mismatched,
    "U3": _tower_at_region,
    "U4": _beside_bowl,
    "U5": _in_chosen_corner,
    "U6": _line,
    "L22": _on_block,
    "L23": _block_in_bowl,
    "L24": _named_at_region,
    "L25": _beside_bowl,
    "L26": _in_chosen_corner,
    "L27": _referent_at_region,
    "L28": _referent_at_region,
    "L29": _referent_at_region,
    "L30": _between,
    "L31": _all_at_region,
    "L32": _all_in_bowl,
    "L33": _matching,
    "L34": _tower,
    "L35": _colour_at_region,
    "L36": _different_corners,
    "L37": _mismatched,
    "L38": _checked_tower_at_region,
    "L39": _line,
    "L40": _all_moved,
    "L41": _shape,
}
"""By template, what is wrong with an end."""
