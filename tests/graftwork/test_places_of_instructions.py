"""Programs work out where each block goes for the tabletop instructions of Code as Policies and for some of LRLL.

Nothing is moved here: a program answers with pairs of a block and a point, and each answer is checked as the templates
say, from the scene file alone. Points are relative to the middle of the table, in metres.
"""

import random
from itertools import combinations, pairwise
from math import hypot

import pytest

from graftwork import Outcome, Session
from tests.bt.programs.blocks_and_bowls import SIZE, TABLE, laid

SEEDS = range(4)
INSET = 0.05
RIGHT, TOP = SIZE[0] / 2 - INSET, SIZE[1] / 2 - INSET
REGIONS = {
    "top left": (-RIGHT, TOP), "top right": (RIGHT, TOP), "bottom right": (RIGHT, -TOP), "bottom left": (-RIGHT, -TOP),
    "left": (-RIGHT, 0), "right": (RIGHT, 0), "top": (0, TOP), "bottom": (0, -TOP),
}  # fmt: skip
CORNERS = [name for name in REGIONS if " " in name]
BLOCKS = 'blocks = objects("block")\n'
COLOURS = '["red", "green", "blue", "yellow"]'


def region_of(name):
    return f'{"corner" if " " in name else "side"}(table0, "{name}", quantity("{INSET * 100:g} cm"))'


def near(point, spot, tolerance=0.06):
    return hypot(point[0] - spot[0], point[1] - spot[1]) < tolerance


def all_at(spot):
    return lambda moves, table: set(moves) == set(table.those("block")) and all(near(p, spot) for p in moves.values())


def only(name, spot):
    return lambda moves, table: set(moves) == {name} and near(moves[name], spot)


def on_a_block(table, chance):
    one, other = chance.sample(table.those("block"), 2)
    text = f"top = get_position({other})\nreturn [[{one}, top + direction('up') * extent({other})[2]]]"
    return text, lambda moves, _: near(moves[one], table.at[other], 0.04) and moves[one][2] > SIZE[2] + 0.02


def on_a_bowl(table, chance):
    block, bowl = chance.choice(table.those("block")), chance.choice(table.those("bowl"))
    return f"return [[{block}, middle({bowl})]]", only(block, table.at[bowl])


def all_in_a_region(table, chance):
    name = chance.choice([*REGIONS])
    return f"{BLOCKS}return [[x, {region_of(name)}] for x in blocks]", all_at(REGIONS[name])


def all_in_a_bowl(table, chance):
    bowl = chance.choice(table.those("bowl"))
    return f"{BLOCKS}return [[x, middle({bowl})] for x in blocks]", all_at(table.at[bowl])


def matching(table, chance):
    text = (
        f'moves = []\nfor colour in {COLOURS}:\n    for x in objects("block"):\n'
        '        for y in [y for y in objects("bowl") if x in objects(colour) and y in objects(colour)]:\n'
        "            moves = moves + [[x, middle(y)]]\nreturn moves"
    )
    pairs = {x: y for x in table.those("block") for y in table.those("bowl") if table.colour(x) == table.colour(y)}
    return text, lambda moves, _: set(moves) == {*pairs} and all(near(moves[x], table.at[y]) for x, y in pairs.items())


def beside_the_bowl(table, chance):
    bowl, way, name = chance.choice(table.those("bowl")), chance.choice(("top", "left")), chance.choice([*REGIONS])
    there = [x for x in table.those("block") if table.is_to(way, x, table.at[bowl])]
    text = (
        f'there = [x for x in objects("block") if lies_to(x, "{way}", {bowl})]\nif count(there) == 0:\n    return []\n'
        f"return [[closest({bowl}, there), {region_of(name)}]]"
    )
    nearest = min(there, key=lambda x: table.apart(x, bowl), default=None)
    return text, only(nearest, REGIONS[name]) if nearest else lambda moves, _: not moves


def by_distance(table, chance):
    bowl, (word, pick) = chance.choice(table.those("bowl")), chance.choice([("closest", min), ("farthest", max)])
    name = chance.choice([*REGIONS])
    text = f'return [[{word}({bowl}, objects("block")), {region_of(name)}]]'
    return text, only(pick(table.those("block"), key=lambda x: table.apart(x, bowl)), REGIONS[name])


def the_nth(table, chance):
    way, name = chance.choice(("top", "left", "bottom", "right")), chance.choice([*REGIONS])
    n = chance.randrange(len(table.those("block")))
    text = f'return [[sorted_by(objects("block"), "{way}")[{n}], {region_of(name)}]]'
    return text, only(table.from_the(way, table.those("block"))[n], REGIONS[name])


def different_corners(table, chance):
    text = f"{BLOCKS}spots = corners(table0, {INSET})\nreturn [[blocks[n], spots[n]] for n in range(count(blocks))]"

    def right(moves, table):
        taken = [name for point in moves.values() for name in CORNERS if near(point, REGIONS[name])]
        return len(taken) == len(set(taken)) == len(moves) == len(table.those("block"))

    return text, right


def mismatched(table, chance):
    text = (
        f"def alike(x, y):\n    for colour in {COLOURS}:\n        if x in objects(colour) and y in objects(colour):\n"
        "            return True\n    return False\n\n\nmoves = []\n"
        'for x in objects("block"):\n    for y in objects("bowl"):\n        same = alike(x, y)\n'
        "        if not same:\n            moves = moves + [[x, middle(y)]]\n            break\nreturn moves"
    )

    def right(moves, table):
        bowls = {x: [y for y in table.those("bowl") if near(p, table.at[y])] for x, p in moves.items()}
        return set(moves) == set(table.those("block")) and all(
            len(ys) == 1 and table.colour(ys[0]) != table.colour(x) for x, ys in bowls.items()
        )

    return text, right


def stacked_in_a_region(table, chance):
    name = chance.choice([*REGIONS])
    text = (
        f"{BLOCKS}foot = {region_of(name)}\nmoves = []\nfor n in range(count(blocks)):\n"
        "    moves = moves + [[blocks[n], foot + direction('up') * extent(blocks[n])[2] * (n + 0.5)]]\nreturn moves"
    )

    def right(moves, table):
        heights = sorted(point[2] for point in moves.values())
        steps = [b - a for a, b in pairwise(heights)]
        return all_at(REGIONS[name])(moves, table) and all(abs(step - 0.04) < 1e-9 for step in steps)

    return text, right


def a_little_or_a_lot(table, chance):
    block, bowl = chance.choice(table.those("block")), chance.choice(table.those("bowl"))
    way, (far, low, high) = chance.choice([*WAYS]), chance.choice([(0.1, 0.0, 0.4), (0.5, 0.4, 1.2)])
    text = f'return [[{block}, middle({bowl}) + direction("{way}") * {far}]]'
    right, top = WAYS[way]

    def is_right(moves, table):
        x, y = (moves[block][axis] - table.at[bowl][axis] for axis in (0, 1))
        return low < x * right + y * top <= high

    return text, is_right


def the_corner_by_distance(table, chance):
    block, bowl = chance.choice(table.those("block")), chance.choice(table.those("bowl"))
    word, pick = chance.choice([("closest", min), ("farthest", max)])
    text = f"return [[{block}, {word}(middle({bowl}), corners(table0, {INSET}))]]"
    name = pick(CORNERS, key=lambda corner: hypot(*(REGIONS[corner][axis] - table.at[bowl][axis] for axis in (0, 1))))
    return text, only(block, REGIONS[name])


def in_a_line(table, chance):
    begin, end, slope = chance.choice(
        [("left", "right", (0, 0.3)), ("bottom", "top", (10, 1e9)), ("bottom left", "top right", (0.3, 1.3))]
    )
    text = (
        f"{BLOCKS}spots = line({region_of(begin)}, {region_of(end)}, count(blocks))\n"
        "return [[blocks[n], spots[n]] for n in range(count(blocks))]"
    )

    def right(moves, table):
        spots = sorted(moves.values())
        slopes = [abs(b[1] - a[1]) / max(abs(b[0] - a[0]), 1e-6) for a, b in combinations(spots, 2)]
        return len(moves) == len(table.those("block")) and all(slope[0] <= each <= slope[1] for each in slopes)

    return text, right


def between_two(table, chance):
    block, one, other = chance.sample(table.those("block") + table.those("bowl"), 3)
    halfway = tuple((a + b) / 2 for a, b in zip(table.at[one], table.at[other], strict=True))
    return f"return [[{block}, between({one}, {other})]]", only(block, halfway)


def all_so_far(table, chance):
    way, centimetres = chance.choice([*WAYS]), chance.choice((5, 12))
    text = (
        f'{BLOCKS}step = direction("{way}") * (quantity("{centimetres} cm") / quantity("1 m"))\n'
        "return [[x, get_position(x) + step] for x in blocks]"
    )
    right, top = (part * centimetres / 100 for part in WAYS[way])
    return text, lambda moves, table: all(
        near(moves[x], (table.at[x][0] + right, table.at[x][1] + top), 0.001) for x in table.those("block")
    )


def around_a_region(table, chance):
    centimetres = chance.choice((10, 20))
    text = (
        f'{BLOCKS}spots = circle(middle(table0), quantity("{centimetres} cm"), count(blocks))\n'
        "return [[blocks[n], spots[n]] for n in range(count(blocks))]"
    )

    def right(moves, table):
        turned = sorted(moves.values())
        sides = [hypot(a[0] - b[0], a[1] - b[1]) for a, b in combinations(turned, 2)]
        radius = all(abs(hypot(*point[:2]) - centimetres / 100) < 1e-6 for point in moves.values())
        return radius and min(sides) > 0.05 and len(moves) == len(table.those("block"))

    return text, right


WAYS = {"left": (-1, 0), "right": (1, 0), "top": (0, 1), "bottom": (0, -1)}
INSTRUCTIONS = {
    "S1": on_a_block, "S2": on_a_bowl, "S3": all_in_a_region, "S4": all_in_a_bowl, "S5": matching,
    "S6": beside_the_bowl, "S7": by_distance, "S8": the_nth, "U1": different_corners, "U2": mismatched,
    "U3": stacked_in_a_region, "U4": a_little_or_a_lot, "U5": the_corner_by_distance, "U6": in_a_line,
    "L30": between_two, "L40": all_so_far, "L41": around_a_region,
}  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_every_block_goes_where_the_instruction_says(tmp_path, seed):
    table, chance = laid(tmp_path, seed), random.Random(seed)
    with Session(str(table.domain.parent), str(table.scene), robot="fake", memory=None) as session:
        for name, instruction in INSTRUCTIONS.items():
            for _ in range(3):
                text, right = instruction(table, chance)
                episode = session.program(text).finish()
                assert episode.outcome is Outcome.ACHIEVED, (name, episode.message)
                moves = {
                    block: [a - b for a, b in zip(point, (*TABLE, 0.0), strict=False)]
                    for block, point in episode.answer["value"]
                }
                assert right(moves, table), (name, text, moves, table.at)


def test_the_checks_refuse_other_places(tmp_path):
    """Each check sees that the places are mirrored, stretched and moved."""
    table, chance = laid(tmp_path, 1), random.Random(1)
    with Session(str(table.domain.parent), str(table.scene), robot="fake", memory=None) as session:
        for name, instruction in INSTRUCTIONS.items():
            text, right = instruction(table, chance)
            value = session.program(text).finish().answer["value"]
            wrong = {block: [3 * (y - TABLE[1]) + 0.5, 0.2 * (x - TABLE[0]) + 0.7, *z] for block, (x, y, *z) in value}
            assert wrong
            assert not right(wrong, table), name
