"""Random programs with random values: no exception, no program without an end, nothing beyond a limit."""

import os

import pytest

from benchmarks.places.programs import MADE, Outcomes, a_program, carried_out, misplaced
from benchmarks.places.suite import SCENES, random_programs
from domains.reader import load_domain, load_scene
from graftwork.setup.bodies import robot_for

PROGRAMS = 60 * int(os.environ.get("GRAFTWORK_EXAMPLES", "60")) // 60


def test_random_programs_end_and_break_no_limit():
    outcomes = random_programs("fake", PROGRAMS)
    assert outcomes.wrong == []
    assert sum(outcomes.ended.values()) == len(MADE) * PROGRAMS
    assert outcomes.ended["refused"] > PROGRAMS // 20
    assert outcomes.done > PROGRAMS


@pytest.mark.parametrize("world", MADE)
def test_a_thing_beside_what_carries_it_is_noticed(world):
    domain = load_domain(world)
    scene = load_scene(domain, SCENES[world])
    robot = robot_for("fake", domain, scene)
    broken = misplaced(robot)
    assert broken() == ""
    name = next(name for name, (_, where) in robot.world.carriers.items() if where in robot.world.fittings)
    robot.world.spots[name] = robot.world.spots[name]._replace(x=50.0)
    assert f"{name} is beside" in broken()
    outcomes = Outcomes()
    carried_out(a_program(world, 3), domain, scene, robot, outcomes, broken)
    assert outcomes.wrong
