"""Tests of a world, its words and its plans, without a robot: run them with ``pytest examples/test_kitchen.py``."""

import pytest

from graftwork import Session
from graftwork.testing import assert_plan_valid

pytestmark = pytest.mark.graftwork(domain="kitchen", scene="small")


def test_the_apple_is_put_away(fake_robot, scripted_model, planner):
    model = scripted_model({"goal": "(on apple0 counter0)"})
    with Session(scene="small", robot=fake_robot, model=model, planner=planner, memory=None) as session:
        assert session.handle("put the apple on the counter").outcome == "achieved"


@pytest.mark.parametrize("scene", ["small", "full"], indirect=True)
def test_a_plan_of_mine_works_in_both_scenes(domain, scene):
    steps = ["(move robot0 floor0 table0)", "(grasp robot0 apple0 table0 table0)"]
    assert_plan_valid(steps, domain, scene, "(inhand apple0 robot0)")


def test_what_nobody_can_do_is_refused(fake_robot, planner):
    with Session(scene="small", robot=fake_robot, planner=planner, memory=None) as session:
        assert session.handle("put the fridge on the table").outcome == "refused"
