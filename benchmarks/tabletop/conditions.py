"""When an instance means something: its referents are there and clear, there is room, and it is not done already.

The published generator draws a scene again when no block is on the side that is said, when there are fewer blocks than
the ordinal, and when each bowl has the colour of the block. The rest follows from judging heights too (`room`), and
from words that two people may read differently (`referents`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import dist

from benchmarks.tabletop.answers import true_answer
from benchmarks.tabletop.board import BLOCK, CORNERS, DIRECTIONS, HALF, REGIONS, Pose, Spot, apart, side_of, spot_of
from benchmarks.tabletop.instance import Instance
from benchmarks.tabletop.referents import (
    SLOPES,
    along,
    beyond,
    chosen_corner,
    clear_gap,
    in_direction,
    nearest_beyond,
    ranked,
    ranked_corners,
    slope,
    surely_beyond,
    surely_beyond_region,
    within_cone,
)
from benchmarks.tabletop.room import AIR, free, in_reach, line_fits, places_around, region_fits, shape_fits

__all__ = ["possible", "referent"]

CLEAR = 0.02
"""By how much distances differ, at least, where the order of things decides, metres."""
AWAY = 0.08
"""How far what is to be moved is from where it is to be put, at least, metres."""
A_LITTLE = 2 * HALF / 3
"""At most so far is a little, and more is a lot: a third of the workspace, metres."""
LOWEST = 0.06
"""Lowest height above the table to which the gripper is sent, metres."""


def referent(given: Instance, spots: Mapping[str, Spot]) -> str | None:
    """Return the block that the words mean where things are at these spots, or None if there is none.

    Only for templates that describe a block by its place: S6 to S8, L16, L27 to L29.
    """
    if given.template in ("S6", "L29"):
        return nearest_beyond(given.blocks, given.text("direction"), given.text("bowl"), spots)
    if given.template in ("S7", "L28"):
        return ranked(given.blocks, given.text("distance"), given.text("bowl"), spots)[0]
    if given.template == "L16":
        side = given.text("location").removesuffix("most")
        return in_direction(given.blocks, side, spots)[0]
    if len(given.blocks) < given.number("nth"):
        return None
    return in_direction(given.blocks, given.text("direction"), spots)[given.number("nth") - 1]


def possible(given: Instance) -> bool:
    """Return whether the instance is clear, can be carried out, and is not carried out already."""
    return all(condition(given) for condition in CONDITIONS.get(given.template, ()))


def _without(given: Instance, *names: str) -> dict[str, Spot]:
    return {name: spot for name, spot in given.spots.items() if name not in names}


def _bowls(given: Instance) -> dict[str, Spot]:
    return {name: given.spots[name] for name in given.bowls}


def _away(given: Instance, block: str, region: str) -> bool:
    return dist(given.spots[block].place, REGIONS[region]) >= AWAY


def _room_for_all(given: Instance) -> bool:
    region = given.text("corner/side")
    return region_fits(region, len(given.blocks), _bowls(given)) and any(
        _away(given, block, region) for block in given.blocks
    )


def _room_for_tower(given: Instance) -> bool:
    return region_fits(given.text("corner/side"), 1, _bowls(given))


def _goes_to(given: Instance, block: str | None, region: str) -> bool:
    if block is None or not _away(given, block, region):
        return False
    return region_fits(region, 1, _without(given, block))


def _referent_goes_to_region(given: Instance) -> bool:
    return _goes_to(given, referent(given, given.spots), given.text("corner/side"))


def _named_goes_to_region(given: Instance) -> bool:
    return _goes_to(given, given.text("block"), given.text("corner/side"))


def _clear_side(given: Instance) -> bool:
    """Return whether no block is about level with the bowl, and the nearest on the side is clearly the nearest."""
    direction, bowl = given.text("direction"), given.spots[given.text("bowl")]
    sides = [along(given.spots[block], direction) - along(bowl, direction) for block in given.blocks]
    near = sorted(
        apart(given.spots[block], bowl) for block in given.blocks if beyond(given.spots[block], direction, bowl)
    )
    return min(map(abs, sides)) >= CLEAR and (not near or clear_gap(near, 0))


def _clear_distance(given: Instance) -> bool:
    bowl = given.text("bowl")
    order = ranked(given.blocks, given.text("distance"), bowl, given.spots)
    return clear_gap([apart(given.spots[block], given.spots[bowl]) for block in order], 0)


def _clear_order(names: tuple[str, ...], direction: str, index: int, given: Instance) -> bool:
    order = in_direction(names, direction, given.spots)
    return index < len(order) and clear_gap([along(given.spots[name], direction) for name in order], index)


def _clear_nth_block(given: Instance) -> bool:
    return _clear_order(given.blocks, given.text("direction"), given.number("nth") - 1, given)


def _clear_nth_object(given: Instance) -> bool:
    return _clear_order(tuple(given.spots), given.text("direction"), given.number("nth") - 1, given)


def _clear_location(given: Instance) -> bool:
    return _clear_order(given.blocks, given.text("location").removesuffix("most"), 0, given)


def _corners_for_each(given: Instance) -> bool:
    """Return whether there are corners enough with room, and a block that is in none."""
    if all(any(not _away(given, block, corner) for corner in CORNERS) for block in given.blocks):
        return False
    return sum(region_fits(corner, 1, _bowls(given)) for corner in CORNERS) >= len(given.blocks)


def _mismatch_possible(given: Instance) -> bool:
    return all(any(bowl.split("_")[0] != block.split("_")[0] for bowl in given.bowls) for block in given.blocks)


def _beside_fits(given: Instance) -> bool:
    """Return whether there is room where the relation, the amount and the workspace allow it."""
    block, bowl, direction = given.text("block"), given.text("bowl"), given.text("direction")
    others, base = _without(given, block), given.spots[bowl]
    little = given.text("magnitude") == "a little"
    offset = along(given.spots[block], direction) - along(base, direction)
    if offset > 0 and (offset <= A_LITTLE) == little:
        return False
    for place in places_around((0.0, 0.0), 0.36):
        spot = Spot(*place)
        offset = along(spot, direction) - along(base, direction)
        enough = offset <= A_LITTLE - CLEAR if little else offset >= A_LITTLE + CLEAR
        fits = in_reach(place) and enough and free(place, others)
        if fits and within_cone(block, direction, bowl, {bowl: base, block: spot}):
            return True
    return False


def _corner_fits(given: Instance) -> bool:
    bowl = given.spots[given.text("bowl")]
    first, second = ranked_corners(given.text("distance"), bowl)[:2]
    gap = abs(apart(Spot(*REGIONS[first]), bowl) - apart(Spot(*REGIONS[second]), bowl))
    return gap >= 2 * CLEAR and _goes_to(given, given.text("block"), chosen_corner(given.text("distance"), bowl))


def _line_fits(given: Instance) -> bool:
    """Return whether there is room for the line, and the first two blocks are not in such a line already."""
    first, second = (given.spots[block] for block in given.blocks[:2])
    low, high = SLOPES[given.text("line")]
    if low <= slope(first, second) <= high:
        return False
    return line_fits(given.text("line"), len(given.blocks), _bowls(given))


def _midpoint_free(given: Instance) -> bool:
    """Return whether a block fits between both things, clear of everything, and is not there already."""
    block, one, other = (given.text(name) for name in ("block", "object:1", "object:2"))
    first, second = given.spots[one], given.spots[other]
    middle = ((first.right + second.right) / 2, (first.top + second.top) / 2)
    wide = apart(first, second) >= BLOCK + (side_of(one) + side_of(other)) / 2 + 2 * AIR
    return wide and free(middle, _without(given, block)) and dist(given.spots[block].place, middle) >= AWAY


def _colour_to_region(given: Instance) -> bool:
    """Return whether the things of the colour are blocks alone, and have room."""
    colour, region = given.text("color"), given.text("corner/side")
    return f"{colour}_bowl" not in given.spots and _goes_to(given, f"{colour}_block", region)


def _moved_fits(given: Instance) -> bool:
    right, top, _ = DIRECTIONS[given.text("direction")]
    way = given.number("n") / 100
    places = [(s.right + right * way, s.top + top * way) for s in (given.spots[block] for block in given.blocks)]
    return all(in_reach(place) and free(place, _bowls(given)) for place in places)


def _shape_fits(given: Instance) -> bool:
    shape = given.text("shape")
    count = {"triangle": 3, "square": 4}[shape]
    size = given.number("n") / 100
    return len(given.blocks) == count and shape_fits(shape, size, given.text("region"), _bowls(given))


def _drop_fits(given: Instance) -> bool:
    region = given.text("region")
    return free(REGIONS[region], _without(given, given.held))


def _point_reached(given: Instance) -> bool:
    """Return whether the point, moved by the distance along the relation, is over the table and not too low."""
    if given.template == "L08":
        base = Spot(*given.spots[given.text("object")].place, 2 * LOWEST)
    else:
        base = spot_of(Pose(*given.point("point")))
    right, top, up = DIRECTIONS[given.text("relation")]
    way = given.number("n") / 100
    height = base.up + up * way
    return in_reach((base.right + right * way, base.top + top * way)) and height >= LOWEST


def _way_is_long_enough(given: Instance) -> bool:
    """Return whether the gripper can be moved over the table as far as is said, towards or away from a thing."""
    start = spot_of(Pose(*given.start)) if given.start else Spot(0.0, 0.0)
    if given.template == "L09":
        base, way = Spot(*REGIONS[given.text("region")]), given.number("n") / 100
    else:
        base = given.spots[given.text("object")]
        way = A_LITTLE + 2 * CLEAR if given.text("magnitude") == "a lot" else 2 * CLEAR
    distance = apart(start, base)
    if given.text("movement") == "towards":
        return distance >= way + CLEAR
    if distance < CLEAR:
        return False
    share = way / distance
    end = (start.right + (start.right - base.right) * share, start.top + (start.top - base.top) * share)
    return in_reach(end)


def _two_readings_agree(given: Instance) -> bool:
    """Return whether things beside a thing are the same by the sign alone and by the cone of 45 degrees."""
    if given.template == "L12":
        return surely_beyond([given.text("object:1")], given.text("relation"), given.text("object:2"), given.spots)
    return surely_beyond(given.blocks, given.text("relation"), given.text("bowl"), given.spots)


def _two_readings_of_region_agree(given: Instance) -> bool:
    names = given.blocks if given.template == "L15" else tuple(given.spots)
    return surely_beyond_region(names, given.text("relation"), given.text("region"), given.spots)


def _clear_threshold(given: Instance) -> bool:
    thing, limit = given.text("object"), given.number("distance-threshold") / 100
    return all(abs(apart(spot, given.spots[thing]) - limit) >= CLEAR for spot in _without(given, thing).values())


def _balanced(given: Instance) -> bool:
    """Return whether the answer is yes, or not nothing, for two seeds of four."""
    return bool(true_answer(given, given.spots)) == (given.seed // 2 % 2 == 0)


Condition = Callable[["Instance"], bool]
_SIDE = (_clear_side, _referent_goes_to_region)
_DISTANCE = (_clear_distance, _referent_goes_to_region)
_NTH = (_clear_nth_block, _referent_goes_to_region)
CONDITIONS: Mapping[str, tuple[Condition, ...]] = {
    "S3": (_room_for_all,),
    "S6": _SIDE,
    "S7": _DISTANCE,
    "S8": _NTH,
    "U1": (_corners_for_each,),
    "U2": (_mismatch_possible,),
    "U3": (_room_for_tower,),
    "U4": (_beside_fits,),
    "U5": (_corner_fits,),
    "U6": (_line_fits,),
    "L04": (_point_reached,),
    "L05": (_way_is_long_enough,),
    "L08": (_point_reached,),
    "L09": (_way_is_long_enough,),
    "L10": (_clear_nth_object,),
    "L11": (_balanced,),
    "L12": (_two_readings_agree, _balanced),
    "L13": (_two_readings_agree, _balanced),
    "L14": (_clear_distance,),
    "L15": (_two_readings_of_region_agree, _balanced),
    "L16": (_clear_location,),
    "L17": (_clear_threshold, _balanced),
    "L18": (_clear_nth_block, _balanced),
    "L19": (_two_readings_of_region_agree, _balanced),
    "L21": (_drop_fits,),
    "L24": (_named_goes_to_region,),
    "L25": (_beside_fits,),
    "L26": (_corner_fits,),
    "L27": _NTH,
    "L28": _DISTANCE,
    "L29": _SIDE,
    "L30": (_midpoint_free,),
    "L31": (_room_for_all,),
    "L35": (_colour_to_region,),
    "L36": (_corners_for_each,),
    "L37": (_mismatch_possible,),
    "L38": (_room_for_tower,),
    "L39": (_line_fits,),
    "L40": (_moved_fits,),
    "L41": (_shape_fits,),
}
"""By template, what has to hold; the others can be carried out in every scene."""
