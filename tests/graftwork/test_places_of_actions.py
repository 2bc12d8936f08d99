"""Points and regions as values of capabilities, from the file of a world and a program to the motion."""

from math import degrees, hypot
from pathlib import Path

import pytest

from bt.correction.correct import program_of_plan
from bt.programs.writer import write_program
from domains.errors import DomainFileError
from domains.reader import load_domain, load_scene
from graftwork import Outcome, Session
from semantics.geometry.geometry import Box
from semantics.logic.quantity import Quantity
from semantics.logic.state import Action, Plan
from tests.graftwork.test_values_of_actions import WORLD, a_world

ARM = pytest.mark.parametrize("robot", ["fake", "pybullet"])
EXACT = {"fake": 1e-5, "pybullet": 0.01}
"""The largest distance of the middle of a thing from the point that was said, in metres."""


def tabletop(robot="fake"):
    return Session(domain="tabletop", scene="four", robot=robot, memory=None)


def after(session, text, outcome=Outcome.ACHIEVED):
    """Carry a program out; return its episode and where things are sensed a second later."""
    episode = session.program(text).finish()
    assert episode.outcome is outcome, episode.message
    session.sleep(1.0)
    return episode, session.environment.robot.observation().sightings


def off(sighting, x, y):
    return hypot(sighting.box.centre[0] - x, sighting.box.centre[1] - y)


@ARM
def test_a_block_comes_to_a_point_without_a_word_of_an_area_and_what_it_lies_at_is_sensed(robot):
    with tabletop(robot) as session:
        text = "pick_up(green_block)\nplace(green_block, where=point(0.53, -0.22), turn=30)\n"
        text += "return lies(green_block, right_side) and not lies(green_block, middle0)"
        episode, seen = after(session, text)
    assert episode.answer["value"] is True
    assert off(seen["green_block"], 0.53, -0.22) <= EXACT[robot]
    assert degrees(seen["green_block"].solid.yaw) % 90 == pytest.approx(30, abs=2)


@ARM
def test_a_block_comes_to_a_corner_though_the_arm_cannot_point_down_there(robot):
    with tabletop(robot) as session:
        text = 'pick_up(green_block)\nplace(green_block, where=corner(table0, "top right", 0.06))'
        _, seen = after(session, text)
    assert off(seen["green_block"], 0.81, -0.3) <= EXACT[robot]


@ARM
def test_a_block_comes_into_a_region(robot):
    with tabletop(robot) as session:
        text = "take_out(blue_block)\nplace(blue_block, where=box(point(0.6, -0.05), point(0.8, 0.05)))"
        _, seen = after(session, text)
    assert 0.62 <= seen["blue_block"].box.centre[0] <= 0.78
    assert -0.03 <= seen["blue_block"].box.centre[1] <= 0.03


@ARM
def test_on_a_block_a_point_means_there(robot):
    with tabletop(robot) as session:
        text = (
            "unstack(yellow_block)\nstack(yellow_block, green_block, where=get_position(green_block) + point(0.004, 0))"
        )
        _, seen = after(session, text)
    assert off(seen["yellow_block"], 0.534, 0.0) <= EXACT[robot]
    assert seen["yellow_block"].box.low[2] == pytest.approx(0.76, abs=0.005)


@ARM
def test_in_a_bowl_a_point_means_there(robot):
    with tabletop(robot) as session:
        text = """
unstack(yellow_block)
put_in(yellow_block, red_bowl, where=get_position(red_bowl) - point(0.02, 0.02), turn=90)
"""
        _, seen = after(session, text)
    assert off(seen["yellow_block"], 0.65, 0.12) <= EXACT[robot]
    assert seen["yellow_block"].box.low[2] == pytest.approx(0.73, abs=0.005)


@pytest.mark.parametrize(
    ("robot", "where", "code", "why"),
    [
        ("fake", "point(0.53, 0.5)", "out-of-reach", "is no place on table0"),
        ("fake", "point(0.67, 0.14)", "no-room", "red_bowl takes the room"),
        ("pybullet", "point(0.67, 0.14)", "no-room", "red_bowl takes the room"),
        ("fake", "point(1e5, -1e5)", "out-of-reach", "is no place on table0"),
        ("pybullet", "point(1e5, -1e5)", "out-of-reach", "is no place on table0"),
        ("fake", "point(0.6, 0, 9)", "out-of-reach", "is no place on table0"),
        ("fake", "box(point(5, 5), point(6, 6))", "out-of-reach", "is no place on table0"),
    ],
)
def test_a_place_that_cannot_be_is_told_with_the_nearest_that_can(robot, where, code, why):
    with tabletop(robot) as session:
        episode, _ = after(session, f"pick_up(green_block)\nplace(green_block, where={where})", Outcome.FAILED)
        # A rung of repair tries it again before it gives up, and tells what it was for.
        assert code in {*(feedback.code for feedback in episode.feedback), *episode.message.split()}
        assert why in episode.message
        assert "The nearest free point is " in episode.message
        nearest = episode.message.partition("nearest free point is ")[2].partition("m.")[0]
        assert session.environment.robot.observation().sightings["green_block"].box.low[2] > 0.75
        x, y = map(float, nearest.split(","))
        _, seen = after(session, f"place(green_block, where=point({nearest}))")
    assert off(seen["green_block"], x, y) <= EXACT[robot]


def test_an_area_that_is_named_has_to_hold_the_point():
    with tabletop() as session:
        text = "pick_up(green_block)\nplace(green_block, left_side, where=point({}))"
        episode, _ = after(session, text.format("0.53, -0.2"), Outcome.FAILED)
        assert "is no place on left_side" in episode.message
        _, seen = after(session, "place(green_block, left_side, where=point(0.59, 0.27))")
    assert off(seen["green_block"], 0.59, 0.27) < 1e-6


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ("place(green_block, where=3)", "it is a number"),
        ("place(green_block, where=[1, 2])", "it is a list"),
        ("place(green_block, where=quantity('3 cm'))", "it is a quantity"),
        ("place(green_block, where='moon')", "no place has this name"),
        ("place(green_block, where='1e999,0m')", "no finite number"),
        ("place(green_block, turn=point(1, 2))", "it is a point"),
        ("place(green_block, turn=190)", "the nearest is 180deg"),
        ("place(green_block, when=3)", "where=…"),
    ],
)
def test_a_wrong_place_is_refused_before_anything_moves(call, why):
    with tabletop() as session:
        episode = session.program(call).finish()
        assert episode.outcome is Outcome.REFUSED
        assert why in episode.message
        assert session.environment.robot.clock.now() == 0.0


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("[1, 2][0]", "where is 1; say a point or a region"),
        ("[True][0]", "where is True; say a point or a region"),
        ("[point(1, 2)]", "it is a list"),
        ("[point(1e9, 0)][0]", "the nearest is 1e+06m"),
        ("['moon'][0]", "names none"),
    ],
)
def test_a_place_that_is_reckoned_is_judged_when_it_is_reached(value, why):
    with tabletop() as session:
        episode = session.program(f"pick_up(green_block)\nplace(green_block, where={value})").finish()
        assert episode.outcome in (Outcome.FAILED, Outcome.REFUSED)
        assert why in episode.message
        assert "line 2, column" in episode.message


def test_a_thing_stands_for_its_top_and_a_text_for_its_place():
    with tabletop() as session:
        text = "pick_up(green_block)\nplace(green_block, where=top_side)"
        _, seen = after(session, text)
        assert 0.69 <= seen["green_block"].box.centre[0] <= 0.83
        _, seen = after(session, "pick_up(green_block)\nplace(green_block, where='0.53,0.02m')")
    assert off(seen["green_block"], 0.53, 0.02) < 1e-6


def test_a_kitchen_counter_takes_a_point_and_a_turn():
    text = """
move(end=table0)
grasp(cup0)
move(end=counter0)
place(cup0, where=middle(counter0) + point(0.2, 0), turn=-45)
return on(cup0, counter0)
"""
    with Session(domain="kitchen", scene="small", robot="fake", memory=None) as session:
        top = session.environment.robot.observation().sightings["counter0"].surfaces[0].centre
        episode, seen = after(session, text)
        assert episode.answer["value"] is True
        assert off(seen["cup0"], top[0] + 0.2, top[1]) < 1e-6
        assert degrees(seen["cup0"].solid.yaw) == pytest.approx(-45)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ("{speed: nowhere}", "expected one of point, region"),
        ("{speed: {place: nowhere}}", "expected one of point, region"),
        ("{speed: {place: point, range: [1, 2]}}", "has no 'range'"),
        ("{speed: {place: point, by: drove}}", "drove"),
        ("{speed: {place: point, by: rest}}", "takes no place 'speed'"),
    ],
)
def test_a_wrong_declaration_has_its_place(tmp_path: Path, values: str, why: str) -> None:
    with pytest.raises(DomainFileError, match=r"domain\.yaml") as error:
        Session(domain=a_world(tmp_path, values), scene="room", robot="fake", memory=None)
    problem = error.value.problems[0]
    assert why in problem.message
    assert problem.line == next(n for n, line in enumerate(WORLD.splitlines(), 1) if "VALUES" in line)


def test_a_plan_that_is_written_as_a_program_keeps_its_places_and_turns():
    domain = load_domain("tabletop")
    scene = load_scene(domain, "four")
    values = {"where": Box((0.6, -0.05, 0.72), (0.8, 0.05, 0.72)), "turn": Quantity(30, "deg")}
    actions = (
        Action("pick_up", ("robot0", "green_block", "middle0")),
        Action("place_at", ("robot0", "green_block")).with_values(values),
    )
    plan = Plan(tuple(domain.ground(action, scene.things) for action in actions), frozenset())
    text = write_program(program_of_plan(plan))
    assert "where='0.6,-0.05,0.72..0.8,0.05,0.72m'" in text
    with tabletop() as session:
        _, seen = after(session, text)
    assert 0.62 <= seen["green_block"].box.centre[0] <= 0.78
    assert degrees(seen["green_block"].solid.yaw) == pytest.approx(30)
