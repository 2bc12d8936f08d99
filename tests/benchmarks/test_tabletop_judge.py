"""The judge of the tabletop: right ends of every template are accepted, and wrong ones of every kind are refused.

A wrong end is a right one with a single mistake. `published` says what the published check, which looks from above
only, says of it.
"""

import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.tabletop.answers import same_answer, true_answer
from benchmarks.tabletop.board import BLOCK, BOWL, DIRECTIONS, REGIONS, Spot
from benchmarks.tabletop.conditions import referent
from benchmarks.tabletop.instances import instance
from benchmarks.tabletop.judge import CHECKS, judge
from benchmarks.tabletop.referents import in_direction, ranked, ranked_corners
from tests.benchmarks.tabletop_ends import (
    INSIDE,
    LYING,
    beside_point,
    beside_thing,
    evidence_of,
    line_places,
    moved_on,
    nothing_done,
    places,
    published_templates,
    right_end,
    stacked,
    to_shape,
)

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("semantics", "domains", "robots", "affordances", "planning", "bt", "graftwork", "pybullet")
SEEDS = range(4)
FAR = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


@pytest.fixture(scope="module")
def templates():
    return published_templates()


def drawn(templates, template, which=lambda _given: True):
    """Return the first instance of a template in which a mistake can be made."""
    return next(given for given in (instance(template, seed, templates) for seed in range(60)) if which(given))


@pytest.mark.parametrize("template", CHECKS)
def test_a_right_end_is_accepted_and_no_end_is(template, templates):
    for seed in SEEDS:
        given = instance(template, seed, templates)
        accepted = judge(given, evidence_of(given, right_end(given)))
        assert (accepted.published, accepted.completed, accepted.reasons) == (True, True, ()), given.words
        assert not judge(given, evidence_of(given, nothing_done(given))).completed, given.words


def shifted(spot, right=0.0, top=0.0, up=0.0):
    return replace_spot(spot, right=spot.right + right, top=spot.top + top, up=spot.up + up)


def replace_spot(spot, **changes):
    return Spot(**{**spot._asdict(), **changes})


def shift(name_of, right=0.0, top=0.0, up=0.0):
    """Return a mistake that moves a block by so much from where it should be."""

    def mistake(given, end):
        name = name_of(given)
        end.spots[name] = shifted(end.spots[name], right, top, up)

    return mistake


def attribute(name):
    return lambda given: given.text(name)


def first_block(given):
    return given.blocks[0]


def last_block(given):
    return given.blocks[-1]


def another_block(given, *names):
    return next(block for block in given.blocks if block not in names)


def wrong_block_on_top(given, end):
    other = another_block(given, given.text("block:1"), given.text("block:2"))
    end.spots[other] = end.spots[given.text("block:1")]
    end.spots[given.text("block:1")] = given.spots[given.text("block:1")]


def on_another_block(given, end):
    other = another_block(given, given.text("block:1"), given.text("block:2"))
    end.put(given.text("block:1"), given.spots[other].place, LYING + BLOCK)


def upside_down(given, end):
    one, two = given.text("block:1"), given.text("block:2")
    end.spots[one], end.spots[two] = end.spots[two], end.spots[one]


def in_hand(name_of):
    def mistake(given, end):
        end.held = name_of(given)

    return mistake


def fingers_shut_on(name_of):
    def mistake(given, end):
        end.gripper, end.opening = end.spots[name_of(given)].point, 0.04

    return mistake


def moving(name_of):
    def mistake(given, end):
        end.drift[name_of(given)] = 0.004

    return mistake


def short_trace(_given, end):
    end.seconds = 0.5


def side_by_side(given, end):
    right, top = REGIONS[given.text("corner/side")]
    for index, name in enumerate(given.blocks):
        end.put(name, (right + 0.041 * (index % 2) - 0.02, top + 0.041 * (index // 2) - 0.02))


def leaning(given, end):
    right, top = REGIONS[given.text("corner/side")]
    for level, name in enumerate(given.blocks):
        end.put(name, (right + 0.026 * level - 0.026, top), LYING + level * BLOCK)


def piled(given, end):
    stacked(end, given.blocks, REGIONS[given.text("corner/side")])


def in_the_opposite_region(given, end):
    right, top = REGIONS[given.text("corner/side")]
    for name in given.blocks:
        spot = end.spots[name]
        if spot.place != given.spots[name].place:
            end.spots[name] = shifted(spot, right=-2 * right, top=-2 * top)


def stays(name_of):
    def mistake(given, end):
        name = name_of(given)
        end.spots[name] = given.spots[name]

    return mistake


def in_a_bowl_that_was_brought(given, end):
    bowl = given.bowls[0]
    end.put(bowl, REGIONS[given.text("corner/side")], BOWL[1] / 2)
    for name in given.blocks:
        end.spots[name] = replace_spot(end.spots[name], up=INSIDE)


def colours_swapped(given, end):
    one, two = given.blocks[:2]
    end.spots[one], end.spots[two] = end.spots[two], end.spots[one]


def in_another_bowl(given, end):
    block = first_block(given)
    other = next(bowl for bowl in given.bowls if bowl != given.text("bowl"))
    end.put(block, end.spots[other].place, INSIDE)


def one_in_its_own_colour(given, end):
    block = next(block for block in given.blocks if block.replace("block", "bowl") in given.bowls)
    end.put(block, end.spots[block.replace("block", "bowl")].place, INSIDE)


def referent_of_the_final_state(given, end):
    """What the words mean once the right block is gone from its place is brought there too, and the right one away."""
    right = referent(given, given.spots)
    spots = {name: spot for name, spot in given.spots.items() if name != right}
    order = [block for block in given.blocks if block != right]
    if "nth" in given.attributes:
        other = in_direction(order, given.text("direction"), spots)[given.number("nth") - 1]
    else:
        other = ranked(order, given.text("distance"), given.text("bowl"), spots)[0]
    end.spots[other] = end.spots[right]
    end.spots[right] = given.spots[right]


def counted_from_the_other_side(given, end):
    right = referent(given, given.spots)
    other = in_direction(given.blocks, FAR[given.text("direction")], given.spots)[given.number("nth") - 1]
    end.spots[other], end.spots[right] = end.spots[right], given.spots[right]


def block_on_the_other_side(given, end):
    right = referent(given, given.spots)
    other = another_block(given, right)
    end.spots[other], end.spots[right] = end.spots[right], given.spots[right]


def another_one_too(given, end):
    right = referent(given, given.spots)
    two = places(given, given.text("corner/side"), 2)
    end.put(right, two[0])
    end.put(another_block(given, right), two[1])


def corner_used_twice(given, end):
    one, two = given.blocks[:2]
    end.spots[two] = shifted(end.spots[one], right=math.copysign(0.045, -end.spots[one].right))
    end.spots[one] = shifted(end.spots[one], right=math.copysign(0.002, end.spots[one].right))


def on_a_side(given, end):
    end.spots[first_block(given)] = Spot(*REGIONS["left_side"])


def away_from_the_bowl(sign, share):
    """Return a mistake of a block that is put so much of the right offset to a side of the bowl, and on its axis."""

    def mistake(given, end):
        right, top, _ = DIRECTIONS[given.text("direction")]
        bowl, block = end.spots[given.text("bowl")], given.text("block")
        end.put(block, (bowl.right + sign * right * share, bowl.top + sign * top * share))

    return mistake


def in_the_bowl_but_to_its_side(given, end):
    away_from_the_bowl(1, 0.03)(given, end)
    end.spots[given.text("block")] = replace_spot(end.spots[given.text("block")], up=INSIDE)


def more_aside_than_along(given, end):
    right, top, _ = DIRECTIONS[given.text("direction")]
    bowl = end.spots[given.text("bowl")]
    end.put(given.text("block"), (bowl.right + right * 0.1 + top * 0.14, bowl.top + top * 0.1 + right * 0.14))


def in_the_next_corner(given, end):
    bowl = given.spots[given.text("bowl")]
    end.put(given.text("block"), REGIONS[ranked_corners(given.text("distance"), bowl)[1]])


def bent(way, index=-1):
    """Return a mistake of a row of which a block is off the line by so many metres."""

    def mistake(given, end):
        first, second = (end.spots[name] for name in given.blocks[:2])
        across, ahead = second.right - first.right, second.top - first.top
        length = math.hypot(across, ahead)
        name = given.blocks[index]
        end.spots[name] = shifted(end.spots[name], right=-ahead / length * way, top=across / length * way)

    return mistake


def another_line(given, end):
    line = {"horizontal": "vertical", "vertical": "diagonal", "diagonal": "horizontal"}[given.text("line")]
    for name, place in zip(given.blocks, line_places(given, line), strict=True):
        end.put(name, place)


def unevenly_spaced(given, end):
    first, second, last = (end.spots[name] for name in (given.blocks[0], given.blocks[1], given.blocks[-1]))
    across, ahead = second.right - first.right, second.top - first.top
    name = last_block(given)
    end.spots[name] = shifted(last, right=across * 1.5, top=ahead * 1.5)


def a_tower_for_a_line(given, end):
    stacked(end, given.blocks, end.spots[given.blocks[0]].place)


def gripper_off(right=0.0, top=0.0, up=0.0):
    def mistake(_given, end):
        x, y, z = end.gripper
        end.gripper = (x + right, y + top, z + up)

    return mistake


def opened(metres):
    def mistake(_given, end):
        end.opening = metres

    return mistake


def other_way(given, end):
    """The gripper goes as far the other way."""
    start = nothing_done(given).gripper
    end.gripper = tuple(2 * s - g for s, g in zip(start, end.gripper, strict=True))


def other_amount(given, end):
    start = nothing_done(given).gripper
    share = 5.0 if given.text("magnitude") == "a little" else 0.2
    end.gripper = tuple(s + share * (g - s) for s, g in zip(start, end.gripper, strict=True))


def hardly_moved(given, end):
    start = nothing_done(given).gripper
    end.gripper = tuple(s + 0.1 * (g - s) for s, g in zip(start, end.gripper, strict=True))


def a_bit_too_far(given, end):
    start, share = nothing_done(given).gripper, 1 + 1.5 / given.number("n")
    end.gripper = tuple(s + share * (g - s) for s, g in zip(start, end.gripper, strict=True))


def at_the_next_block(given, end):
    order = in_direction(given.blocks, given.text("location").removesuffix("most"), given.spots)
    end.gripper = (*given.spots[order[1]].place, 0.1)


def another_thing_held(given, end):
    end.held = another_block(given, given.text("object"))


def let_go_from_high(given, end):
    end.released = given.number("n") / 100 + 0.06


def rolled_away(given, end):
    end.spots[given.held] = shifted(end.spots[given.held], right=-math.copysign(0.07, end.spots[given.held].right))


def too_far(given, end):
    moved_on(given, end, given.number("n") / 100 + 0.015)


def the_other_way(given, end):
    moved_on(given, end, -given.number("n") / 100)


def only_one_moved(given, end):
    for name in given.blocks[1:]:
        end.spots[name] = given.spots[name]


def too_small(given, end):
    to_shape(given, end, given.number("n") / 100 - 0.05)


def answer(change):
    def mistake(given, end):
        end.answer = change(true_answer(given, given.spots))

    return mistake


def at_least(blocks):
    return lambda given: len(given.blocks) >= blocks


def two_bowls(given):
    return len(given.bowls) >= 2


def two_other_bowls(given):
    return any(block.replace("block", "bowl") in given.bowls for block in given.blocks)


def a_little(given):
    return given.text("magnitude") == "a little"


def a_lot(given):
    return given.text("magnitude") == "a lot"


def enough_without(given):
    return len(given.blocks) > given.number("nth")


def other_order(given):
    """From the other side, the ordinal is another block."""
    return len(given.blocks) != 2 * given.number("nth") - 1


def two_fit(given):
    return len(given.blocks) >= 2 and places(given, given.text("corner/side"), 2) is not None


def far_corner(given):
    return given.text("corner/side").endswith("corner")


def names_in_answer(given):
    return len(true_answer(given, given.spots)) >= 1


anything = at_least(1)
UPPER, BLOCK_NAMED = attribute("block:1"), attribute("block")

WRONG = {
    "another block on the block": ("S1", at_least(3), wrong_block_on_top, False),
    "on another block": ("S1", at_least(3), on_another_block, False),
    "the lower block on the upper": ("S1", anything, upside_down, False),
    "7 cm beside the block": ("S1", anything, shift(UPPER, 0.07), False),
    "beside the block at its height": ("S1", anything, shift(UPPER, 0.041, up=-BLOCK), False),
    "above the block with air between": ("S1", anything, shift(UPPER, up=BLOCK), True),
    "off the edge of the block": ("S1", anything, shift(UPPER, 0.035), True),
    "on the block, in the hand": ("S1", anything, in_hand(UPPER), True),
    "on the block, in shut fingers": ("S1", anything, fingers_shut_on(UPPER), True),
    "on the block, which moves": ("L22", anything, moving(UPPER), True),
    "beside the bowl at the right height": ("S2", anything, shift(BLOCK_NAMED, 0.13), False),
    "on the rim of the bowl": ("S2", anything, shift(BLOCK_NAMED, 0.055 + 0.025, 0.025, 0.035), True),
    "hovering over the bowl": ("L23", anything, shift(BLOCK_NAMED, up=0.05), True),
    "in the bowl, in the hand": ("S2", anything, in_hand(BLOCK_NAMED), True),
    "in the bowl, which moves": ("S2", anything, moving(attribute("bowl")), True),
    "a trace of half a second": ("S2", anything, short_trace, True),
    "in the opposite corner": ("S3", anything, in_the_opposite_region, False),
    "one of them 7 cm beside": ("S3", at_least(2), shift(first_block, 0.12), False),
    "one of them left out": ("S3", at_least(2), stays(last_block), False),
    "piled at the region": ("S3", at_least(2), piled, True),
    "in a bowl that was brought there": ("L31", anything, in_a_bowl_that_was_brought, True),
    "one of them in another bowl": ("S4", two_bowls, in_another_bowl, False),
    "one of them beside the bowls": ("L32", at_least(2), stays(first_block), False),
    "matching colours swapped": ("S5", at_least(2), colours_swapped, False),
    "matching, but one not": ("L33", at_least(2), stays(first_block), False),
    "the block on the other side": ("S6", at_least(2), block_on_the_other_side, False),
    "the referent and another": ("S6", two_fit, another_one_too, True),
    "the referent of the final state": ("S7", at_least(2), referent_of_the_final_state, False),
    "the nth of the final state": ("S8", enough_without, referent_of_the_final_state, False),
    "the nth from the other side": ("S8", other_order, counted_from_the_other_side, False),
    "the nth of further templates from there": ("L27", other_order, counted_from_the_other_side, False),
    "the closest of the final state": ("L28", at_least(2), referent_of_the_final_state, False),
    "a block of the other side": ("L29", at_least(2), block_on_the_other_side, False),
    "a corner used twice": ("U1", at_least(2), corner_used_twice, False),
    "a side for a corner": ("L36", anything, on_a_side, False),
    "one in a bowl of its own colour": ("U2", two_other_bowls, one_in_its_own_colour, False),
    "none of that kind in a bowl": ("L37", at_least(2), stays(last_block), False),
    "a tower that leans": ("U3", at_least(3), leaning, True),
    "a tower side by side": ("U3", at_least(2), side_by_side, True),
    "a tower elsewhere": ("U3", far_corner, in_the_opposite_region, False),
    "a tower without its last block": ("L34", anything, stays(last_block), False),
    "a tower in the air": ("L34", anything, shift(last_block, up=0.03), True),
    "a checked tower side by side": ("L38", at_least(2), side_by_side, False),
    "on the other side of the bowl": ("U4", a_little, away_from_the_bowl(-1, 0.13), False),
    "a lot for a little": ("U4", a_little, away_from_the_bowl(1, 0.23), False),
    "a little for a lot": ("U4", a_lot, away_from_the_bowl(1, 0.15), False),
    "in the bowl for beside it": ("L25", a_little, in_the_bowl_but_to_its_side, True),
    "more aside than along": ("L25", a_little, more_aside_than_along, True),
    "in the next corner": ("U5", anything, in_the_next_corner, False),
    "in the next of the corners": ("L26", anything, in_the_next_corner, False),
    "a line that bends": ("U6", at_least(3), bent(0.045), False),
    "a row that bends a little": ("U6", at_least(4), bent(0.027, 2), True),
    "another line": ("U6", anything, another_line, False),
    "a tower for a line": ("L39", anything, a_tower_for_a_line, False),
    "a row with uneven spaces": ("L39", at_least(3), unevenly_spaced, True),
    "3 cm beside the point": ("L01", anything, gripper_off(0.03), False),
    "3 cm above the point": ("L01", anything, gripper_off(up=0.03), False),
    "the gripper moves at the point": ("L01", anything, moving(lambda _given: "gripper"), True),
    "half open": ("L02", anything, opened(0.05), False),
    "not closed": ("L03", anything, opened(0.03), False),
    "on the other side of the point": ("L04", anything, lambda given, end: beside_point(given, end, -1.0), False),
    "away instead of towards": ("L05", anything, other_way, False),
    "another amount": ("L05", anything, other_amount, False),
    "hardly moved": ("L05", a_little, hardly_moved, True),
    "closed at the point": ("L06", anything, opened(0.0), False),
    "7 cm beside the region": ("L07", anything, gripper_off(0.07), False),
    "open at the region": ("L07", anything, opened(0.08), False),
    "high above the region": ("L07", anything, gripper_off(up=0.3), True),
    "on the other side of the thing": ("L08", anything, lambda given, end: beside_thing(given, end, -1.0), False),
    "1.5 cm too far along the ray": ("L09", anything, a_bit_too_far, True),
    "the ray the other way": ("L09", anything, other_way, False),
    "at the second block": ("L16", anything, at_the_next_block, False),
    "another colour": ("L10", anything, answer(lambda true: "red" if true != "red" else "blue"), False),
    "a count off by one": ("L11", anything, answer(lambda true: true + 1), False),
    "no instead of yes": ("L12", anything, answer(lambda true: not true), False),
    "1 instead of yes": ("L12", lambda given: given.seed == 0, answer(int), False),
    "a name too few": ("L13", names_in_answer, answer(lambda true: sorted(true)[1:]), False),
    "another name": ("L14", anything, answer(lambda true: true.replace("block", "bowl")), False),
    "a count too low by one": ("L15", anything, answer(lambda true: true - 1), False),
    "a name too many": ("L17", anything, answer(lambda true: [*true, "table0"]), False),
    "not the same colour": ("L18", anything, answer(lambda true: not true), False),
    "not more": ("L19", anything, answer(lambda true: not true), False),
    "another thing in the hand": ("L20", at_least(2), another_thing_held, False),
    "nothing in the hand": ("L20", anything, in_hand(lambda _given: None), False),
    "held and not lifted": ("L20", anything, stays(attribute("object")), True),
    "let go and rolled away": ("L21", anything, rolled_away, False),
    "let go beside the region": ("L21", anything, gripper_off(0.07), True),
    "let go from high above": ("L21", anything, let_go_from_high, True),
    "7 cm beside the named region": ("L24", anything, shift(BLOCK_NAMED, 0.12), False),
    "3 cm beside the middle": ("L30", anything, shift(BLOCK_NAMED, 0.021, 0.021), False),
    "in the air at the middle": ("L30", anything, shift(BLOCK_NAMED, up=0.02), True),
    "the colour elsewhere": ("L35", anything, in_the_opposite_region, False),
    "moved 1.5 cm too far": ("L40", anything, too_far, True),
    "moved the other way": ("L40", anything, the_other_way, False),
    "only one moved": ("L40", at_least(2), only_one_moved, False),
    "a shape that is too small": ("L41", anything, too_small, False),
    "a shape with a vertex missed": ("L41", anything, shift(last_block, 0.04, 0.04), False),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_a_wrong_end_is_refused(mistake, templates):
    template, which, change, published = WRONG[mistake]
    given = drawn(templates, template, which)
    end = right_end(given)
    assert judge(given, evidence_of(given, end)).completed
    change(given, end)
    verdict = judge(given, evidence_of(given, end))
    assert (verdict.published, verdict.completed) == (published, False), verdict.reasons
    assert verdict.reasons


def off_region(metres):
    def change(given, end):
        right, top = REGIONS[given.text("corner/side")]
        out = math.copysign(metres, right) if right else metres
        end.put(given.text("block"), (right + out, top))

    return change


def off_block(metres):
    def change(given, end):
        below = end.spots[given.text("block:2")]
        end.put(given.text("block:1"), (below.right + metres, below.top), LYING + BLOCK)

    return change


def drifting(metres):
    def change(given, end):
        end.drift[first_block(given)] = metres

    return change


@pytest.mark.parametrize(
    ("template", "change", "inside", "outside", "published"),
    [
        ("L24", off_region, 0.059, 0.061, False),
        ("S1", off_block, 0.019, 0.021, True),
        ("S1", off_block, 0.019, 0.041, False),
        ("S1", lambda up: shift(UPPER, up=up), 0.009, 0.011, True),
        ("S2", lambda up: shift(BLOCK_NAMED, up=up), 0.019, 0.021, True),
        ("L34", lambda aside: shift(last_block, aside), 0.019, 0.021, True),
        ("L01", gripper_off, 0.019, 0.021, False),
        ("S1", drifting, 0.0019, 0.0021, True),
        ("L02", opened, 0.071, 0.069, False),
        ("L03", opened, 0.009, 0.011, False),
    ],
)
def test_a_tolerance_ends_where_the_page_says(template, change, inside, outside, published, templates):
    given = drawn(templates, template, far_corner if template == "L24" else anything)
    for size, completed in ((inside, True), (outside, False)):
        end = right_end(given)
        change(size)(given, end)
        verdict = judge(given, evidence_of(given, end))
        assert (verdict.published, verdict.completed) == (completed or published, completed), verdict.reasons


def test_every_template_has_a_wrong_end():
    assert {template for template, *_ in WRONG.values()} == set(CHECKS)


def test_answers_are_compared_with_their_types():
    assert same_answer("grey", "gray")
    assert same_answer("Red block", "red_block")
    assert same_answer(2.0, 2)
    assert same_answer(["a", "b"], frozenset({"b", "a"}))
    assert same_answer([], frozenset())
    for given, true in ((1, True), (True, 1), ("2", 2), (None, frozenset()), (["a", "a"], frozenset({"a"}))):
        assert not same_answer(given, true)


def test_a_seed_that_asks_has_a_true_and_a_false_answer(templates):
    for template in ("L12", "L18", "L19"):
        answers = [true_answer(given, given.spots) for given in (instance(template, seed, templates) for seed in SEEDS)]
        assert answers == [True, True, False, False]


def test_evidence_that_lacks_a_thing_is_refused(templates):
    given = instance("S1", 0, templates)
    evidence = evidence_of(given, right_end(given))
    poses = {name: pose for name, pose in evidence.initial.poses.items() if name != given.blocks[0]}
    with pytest.raises(ValueError, match=f"no pose of {given.blocks[0]}"):
        judge(given, replace(evidence, initial=replace(evidence.initial, poses=poses)))
    with pytest.raises(ValueError, match="trace is empty"):
        judge(given, replace(evidence, trace=()))


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("S1", "begins 0.100 m from"),
        ("L02", "has it closed"),
        ("L05", "the gripper begins"),
        ("L21", "outside the hand"),
    ],
)
def test_evidence_of_another_beginning_is_refused(template, told, templates):
    given = instance(template, 0, templates)
    evidence = evidence_of(given, right_end(given))
    first = evidence.initial
    name = given.held or given.blocks[0]
    if template in ("S1", "L21"):
        pose = first.poses[name]._replace(x=first.poses[name].x + 0.1)
        wrong = replace(first, poses={**first.poses, name: pose})
    else:
        wrong = replace(first, gripper=first.gripper._replace(z=2.0, opening=0.08))
    with pytest.raises(ValueError, match=told):
        judge(given, replace(evidence, initial=wrong))


def test_the_judge_knows_nothing_of_the_robot():
    """Of the project, it imports only itself and the errors, with what writes their messages."""
    script = "import sys, benchmarks.tabletop.judge; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    own = {name for name in done.stdout.split() if name.split(".")[0] in PACKAGES}
    assert own <= {"semantics", "semantics.errors", "semantics.hints", "semantics.process"}


def test_every_template_of_the_data_has_a_check(templates):
    assert set(CHECKS) == set(templates.templates)
