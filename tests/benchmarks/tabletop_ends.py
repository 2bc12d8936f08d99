"""Right end states of tabletop instances, made by hand, and the evidence that a simulator would give of an end."""

import math
import os
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import pytest

from benchmarks.tabletop.answers import ANSWERS, true_answer
from benchmarks.tabletop.board import BLOCK, BOWL, CORNERS, DIRECTIONS, REGIONS, Pose, Spot, spot_of, world_of
from benchmarks.tabletop.conditions import referent
from benchmarks.tabletop.evidence import Evidence, Gripper, Sample
from benchmarks.tabletop.referents import chosen_corner
from benchmarks.tabletop.room import vertices
from benchmarks.tabletop.templates import FILES, load_templates

LYING, INSIDE = BLOCK / 2, BLOCK / 2 + 0.01
REST = (0.0, -0.13, 0.60)
SLOTS = ((-0.025, -0.025), (0.025, 0.025), (-0.025, 0.025), (0.025, -0.025))
WAYS = {"horizontal": (1.0, 0.0), "vertical": (0.0, 1.0), "diagonal": (1.0, -1.0)}


def published_templates():
    """Return the templates, which are not a part of the project; skip the test where they are not at hand."""
    data = Path(os.environ.get("GRAFTWORK_DATA", "nowhere"))
    if not all((data / file).is_file() for file in FILES):
        pytest.skip(f"GRAFTWORK_DATA names no folder with {' and '.join(FILES)} in it")
    return load_templates(data)


@dataclass
class End:
    """What a wrong run changes: spots on the map, the gripper there, what is held and answered, how much one moves."""

    spots: dict[str, Spot]
    gripper: tuple[float, float, float] = REST
    opening: float = 0.08
    held: str | None = None
    answer: object = None
    drift: dict[str, float] = field(default_factory=dict)
    seconds: float = 1.0
    released: float | None = None

    def put(self, name, place, up=LYING):
        self.spots[name] = Spot(place[0], place[1], up)


def nothing_done(given):
    """Return the initial state as an end; the gripper has a thing's room between its fingers at first."""
    return End(dict(given.spots), gripper=start_of(given), opening=opening_at_first(given))


def opening_at_first(given):
    return 0.0 if given.starts_closed else 0.04


def start_of(given):
    return spot_of(Pose(*given.start)).point if given.start else REST


def gripper_at(point, opening):
    pose = world_of(Spot(*point))
    return Gripper(pose.x, pose.y, pose.z, opening)


def evidence_of(given, end):
    """Return what the simulator would tell: eleven samples of the last second, before which all was as in the scene."""
    initial = dict(given.spots)
    if given.held:
        initial[given.held] = Spot(*REST)
    first = Sample(
        0.0,
        {name: world_of(spot) for name, spot in initial.items()},
        gripper_at(start_of(given), opening_at_first(given)),
    )
    trace = []
    for step in range(11):
        poses = {name: world_of(spot) for name, spot in end.spots.items()}
        early = 1 - step / 10
        for name, way in end.drift.items():
            if name != "gripper":
                poses[name] = poses[name]._replace(x=poses[name].x + way * early)
        gripper = gripper_at(end.gripper, end.opening)
        gripper = gripper._replace(z=gripper.z + end.drift.get("gripper", 0.0) * early)
        trace.append(Sample(10.0 + step * end.seconds / 10, poses, gripper))
    released = None if end.released is None else gripper_at((*end.gripper[:2], end.released), 0.08)
    return Evidence(first, tuple(trace), end.held, end.answer, released)


def clear_of_bowls(place, given, air=0.005):
    return all(
        max(abs(place[0] - given.spots[bowl].right), abs(place[1] - given.spots[bowl].top))
        >= (BLOCK + BOWL[0]) / 2 + air
        for bowl in given.bowls
    )


def places(given, region, count):
    """Return places of blocks side by side at a region, none of them over a bowl."""
    middle = REGIONS[region]
    steps = [step / 100 for step in range(-5, 6)]
    open_places = [
        place
        for place in ((middle[0] + across, middle[1] + ahead) for across, ahead in product(steps, steps))
        if math.dist(place, middle) <= 0.055 and clear_of_bowls(place, given)
    ]

    def picked(chosen, rest):
        if len(chosen) == count:
            return chosen
        for index, place in enumerate(rest):
            apart = [p for p in rest[index + 1 :] if max(abs(p[0] - place[0]), abs(p[1] - place[1])) > 0.045]
            found = picked([*chosen, place], apart)
            if found:
                return found
        return None

    return picked([], open_places)


def line_places(given, line):
    count, (across, ahead) = len(given.blocks), WAYS[line]
    grid = [-0.24 + 0.02 * step for step in range(25)]
    for sign, spacing, right, top in product((1, -1), (0.07, 0.1), grid, grid):
        row = [(right + across * spacing * k, top + sign * ahead * spacing * k) for k in range(count)]
        if all(max(map(abs, place)) <= 0.26 and clear_of_bowls(place, given, 0.025) for place in row):
            return row
    raise AssertionError(f"no line in {given.template} {given.seed}")


def beside_bowl(given):
    """Return a place in the direction of the bowl and in the band of the amount."""
    right, top, _ = DIRECTIONS[given.text("direction")]
    bowl, little = given.spots[given.text("bowl")], given.text("magnitude") == "a little"
    others = [given.spots[name] for name in given.blocks if name != given.text("block")]
    for step, aside in product(range(12, 40), sorted(range(-20, 21), key=abs)):
        offset = step / 100
        place = (bowl.right + right * offset + top * aside / 100, bowl.top + top * offset + right * aside / 100)
        band = offset <= 0.195 if little else offset >= 0.205
        free = clear_of_bowls(place, given) and all(math.dist(place, other.place) > 0.06 for other in others)
        if band and free and max(map(abs, place)) <= 0.28 and abs(aside) < step:
            return place
    raise AssertionError(f"no place in {given.template} {given.seed}")


def stacked(end, names, place):
    for level, name in enumerate(names):
        end.put(name, place, LYING + level * BLOCK)


def in_bowls(end, pairs):
    used = {}
    for block, bowl in pairs:
        slot = SLOTS[used.setdefault(bowl, 0)]
        used[bowl] += 1
        spot = end.spots[bowl]
        end.put(block, (spot.right + slot[0], spot.top + slot[1]), INSIDE)


def other_bowl(given, block):
    return next(bowl for bowl in given.bowls if bowl.split("_")[0] != block.split("_")[0])


def on_block(given, end):
    end.put(given.text("block:1"), given.spots[given.text("block:2")].place, LYING + BLOCK)


def to_region(given, end):
    if given.template in ("S3", "L31"):
        names = given.blocks
    elif given.template == "L24":
        names = (given.text("block"),)
    elif given.template == "L35":
        names = (f"{given.text('color')}_block",)
    else:
        names = (referent(given, given.spots),)
    for name, place in zip(names, places(given, given.text("corner/side"), len(names)), strict=True):
        end.put(name, place)


def to_corners(given, end):
    open_corners = [found[0] for found in (places(given, corner, 1) for corner in CORNERS) if found]
    for name, place in zip(given.blocks, open_corners, strict=False):
        end.put(name, place)


def to_tower(given, end):
    if given.template == "L34":
        place = given.spots[given.blocks[0]].place
    else:
        place = places(given, given.text("corner/side"), 1)[0]
    stacked(end, given.blocks, place)


def to_chosen_corner(given, end):
    corner = chosen_corner(given.text("distance"), given.spots[given.text("bowl")])
    end.put(given.text("block"), places(given, corner, 1)[0])


def to_line(given, end):
    for name, place in zip(given.blocks, line_places(given, given.text("line")), strict=True):
        end.put(name, place)


def to_middle(given, end):
    first, second = (given.spots[given.text(name)] for name in ("object:1", "object:2"))
    end.put(given.text("block"), ((first.right + second.right) / 2, (first.top + second.top) / 2))


def moved_on(given, end, way=None):
    right, top, _ = DIRECTIONS[given.text("direction")]
    way = given.number("n") / 100 if way is None else way
    for name in given.blocks:
        spot = given.spots[name]
        end.put(name, (spot.right + right * way, spot.top + top * way))


def to_shape(given, end, size=None):
    turned = vertices(given.text("shape"), size or given.number("n") / 100, REGIONS[given.text("region")], 0.3)
    for name, place in zip(reversed(given.blocks), turned, strict=True):
        end.put(name, place)


def gripper_ray(given, end, target, way):
    start = start_of(given)
    length = math.dist(start, target)
    end.gripper = tuple(s + way * (t - s) / length for s, t in zip(start, target, strict=True))


def towards_thing(given, end):
    target = given.spots[given.text("object")].point
    way = 0.05 if given.text("magnitude") == "a little" else 0.21
    gripper_ray(given, end, target, way if given.text("movement") == "towards" else -way)


def towards_region(given, end):
    target = (*REGIONS[given.text("region")], start_of(given)[2])
    way = given.number("n") / 100
    gripper_ray(given, end, target, way if given.text("movement") == "towards" else -way)


def beside_point(given, end, sign=1.0):
    base = spot_of(Pose(*given.point("point"))).point
    way = sign * given.number("n") / 100
    end.gripper = tuple(b + way * d for b, d in zip(base, DIRECTIONS[given.text("relation")], strict=True))


def beside_thing(given, end, sign=1.0):
    spot, (right, top, _) = given.spots[given.text("object")], DIRECTIONS[given.text("relation")]
    way = sign * given.number("n") / 100
    end.gripper = (spot.right + right * way, spot.top + top * way, 0.1)


def at_point(given, end):
    end.gripper = spot_of(Pose(*given.point("point"))).point


def over_region(given, end):
    end.gripper, end.opening = (*REGIONS[given.text("region")], 0.1), 0.0


def at_block(given, end):
    end.gripper = (*given.spots[referent(given, given.spots)].place, 0.1)


def picked(given, end):
    end.held, end.opening = given.text("object"), 0.04
    end.gripper = (0.0, 0.0, 0.2)
    end.put(given.text("object"), (0.0, 0.0), 0.2)


def let_go(given, end):
    place = REGIONS[given.text("region")]
    end.gripper, end.opening = (*place, given.number("n") / 100), 0.08
    end.put(given.held, place)


def answered(given, end):
    true = true_answer(given, given.spots)
    end.answer = sorted(true) if isinstance(true, frozenset) else true


def closed(_given, end):
    end.opening = 0.0


def left_open(_given, end):
    end.opening = 0.08


def one_bowl(given, end):
    names = (given.text("block"),) if "block" in given.attributes else given.blocks
    in_bowls(end, [(block, given.text("bowl")) for block in names])


def matching(given, end):
    in_bowls(end, [(block, block.replace("block", "bowl")) for block in given.blocks])


def mismatched(given, end):
    in_bowls(end, [(block, other_bowl(given, block)) for block in given.blocks])


RIGHT = {
    **dict.fromkeys(("S1", "L22"), on_block),
    **dict.fromkeys(("S2", "S4", "L23", "L32"), one_bowl),
    **dict.fromkeys(("S3", "S6", "S7", "S8", "L24", "L27", "L28", "L29", "L31", "L35"), to_region),
    **dict.fromkeys(("S5", "L33"), matching),
    **dict.fromkeys(("U1", "L36"), to_corners),
    **dict.fromkeys(("U2", "L37"), mismatched),
    **dict.fromkeys(("U3", "L34", "L38"), to_tower),
    **dict.fromkeys(("U4", "L25"), lambda given, end: end.put(given.text("block"), beside_bowl(given))),
    **dict.fromkeys(("U5", "L26"), to_chosen_corner),
    **dict.fromkeys(("U6", "L39"), to_line),
    **dict.fromkeys(("L01", "L06"), at_point),
    "L02": left_open,
    "L03": closed,
    "L04": beside_point,
    "L05": towards_thing,
    "L07": over_region,
    "L08": beside_thing,
    "L09": towards_region,
    "L16": at_block,
    "L20": picked,
    "L21": let_go,
    "L30": to_middle,
    "L40": moved_on,
    "L41": to_shape,
    **dict.fromkeys(ANSWERS, answered),
}


def right_end(given):
    """Return an end in which the instruction is carried out."""
    end = End(dict(given.spots))
    RIGHT[given.template](given, end)
    return end
