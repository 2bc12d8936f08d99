"""The kitchen's model of change and what is sensed of a body agree, bookkeeping included."""

import pytest

from affordances.scene import Scene
from affordances.watcher import Watcher
from domains.reader import load_domain, load_scene
from robots.fake import FakeRobot
from semantics.body.protocols import MotionStatus
from semantics.logic.state import Action

DOMAIN = load_domain("kitchen")
FULL = load_scene(DOMAIN, "full")

ERRANDS = {
    "milk to the person": (
        "move floor0 fridge0",
        "open fridge0 fridge0",
        "take_out milk0 fridge0 fridge0",
        "move fridge0 human0",
        "handover human0 milk0",
    ),
    "juice into the fridge": (
        "move floor0 fridge0",
        "open fridge0 fridge0",
        "move fridge0 counter0",
        "grasp juice0 counter0 counter0",
        "move counter0 fridge0",
        "putin juice0 fridge0 fridge0",
        "close fridge0 fridge0",
    ),
    "apple onto the plate and off again": (
        "move floor0 table0",
        "grasp apple0 table0 table0",
        "place_on_top apple0 plate0 table0",
        "take_off apple0 plate0 table0",
        "move table0 shelf0",
        "place apple0 shelf0",
    ),
    "spoon and pan": (
        "move floor0 sink0",
        "take_out spoon0 sink0 sink0",
        "move sink0 counter0",
        "putin spoon0 pan0 counter0",
        "move counter0 table0",
        "grasp fork0 table0 table0",
        "move table0 trash0",
        "putin fork0 trash0 trash0",
    ),
    "things travel on a plate": (
        "move floor0 table0",
        "grasp apple0 table0 table0",
        "place_on_top apple0 plate0 table0",
        "grasp cup0 table0 table0",
        "place_on_top cup0 plate0 table0",
        "take_off cup0 plate0 table0",
        "place_on_top cup0 plate0 table0",
        "grasp plate0 table0 table0",
        "move table0 stove0",
        "place plate0 stove0",
        "take_off cup0 plate0 stove0",
        "place_on_top cup0 tray0 stove0",
        "grasp tray0 stove0 stove0",
        "move stove0 human0",
        "handover human0 tray0",
    ),
    "a can on a can, and a fork in a cup": (
        "move floor0 shelf0",
        "grasp can0 shelf0 shelf0",
        "stack can0 can1 shelf0",
        "move shelf0 table0",
        "grasp fork0 table0 table0",
        "stand_in fork0 cup0 table0",
        "grasp cup0 table0 table0",
        "move table0 sink0",
        "putin cup0 sink0 sink0",
        "move sink0 table0",
        "move table0 shelf0",
        "grasp can0 can1 shelf0",
    ),
    "water": (
        "move floor0 shelf0",
        "grasp bowl0 shelf0 shelf0",
        "move shelf0 sink0",
        "wash bowl0 water0 sink0",
        "move sink0 shelf0",
        "place bowl0 shelf0",
        "grasp glass1 shelf0 shelf0",
        "move shelf0 sink0",
        "drain glass1 lemonade0 sink0",
        "wash glass1 water0 sink0",
        "draw glass1 water0 sink0",
        "move sink0 shelf0",
        "fill glass1 water0 bowl0 shelf0",
        "place glass1 shelf0",
        "grasp towel0 shelf0 shelf0",
        "soak towel0 water0 bowl0 shelf0",
        "place towel0 shelf0",
        "uncap water_bottle0 shelf0",
        "cap water_bottle0 shelf0",
    ),
    "cup onto the floor and up again": (
        "move floor0 table0",
        "grasp cup0 table0 table0",
        "move table0 floor0",
        "place cup0 floor0",
        "grasp cup0 floor0 floor0",
    ),
}


MOVING = {"grasp", "take_off", "place", "place_on_top", "handover"}


def without_aboard(state):
    return {atom for atom in state.atoms if atom.predicate != "aboard"}


@pytest.fixture
def robot():
    body = FakeRobot(FULL.layout)
    yield body
    body.close()


@pytest.fixture
def watcher(robot):
    found = Watcher(robot, Scene.start(FULL, DOMAIN))
    found.refresh()
    return found


def test_the_first_sensing_with_the_stated_beliefs_is_the_scene_as_written(watcher):
    assert watcher.state == Scene.as_written(FULL, DOMAIN).state
    assert watcher.contradictions == ()


@pytest.mark.parametrize("errand", ERRANDS)
def test_each_step_leads_where_the_model_says(robot, watcher, errand):
    for text in ERRANDS[errand]:
        name, *args = text.split()
        step = DOMAIN.ground(Action(name, ("robot0", *args)), FULL.things)
        assert step.applicable(watcher.state), (text, watcher.state.missing(step.precondition))
        expected, began = step.apply(watcher.state), robot.clock.now()
        motion = robot.start(step.command)
        while motion.poll().stage is MotionStatus.RUNNING:
            robot.clock.sleep(0.05)
        assert motion.poll().stage is MotionStatus.DONE, motion.poll().feedback
        robot.clock.sleep(0.1)
        watcher.refresh()
        assert [str(one) for one in step.effects if watcher.sensed(one, began) is not True] == []
        # Where a load can be taken off is told anew when its tray has been moved; see the head of `domain.yaml`.
        if name in MOVING and "convey" in FULL.things[args[-1] if name == "handover" else args[0]].affordances:
            assert without_aboard(watcher.state) == without_aboard(expected), text
        else:
            assert watcher.state.atoms == expected.atoms, text


def test_a_door_left_half_way_can_be_opened_and_closed_from_there(robot, watcher):
    robot.set_door("fridge0", 0.4)
    robot.clock.sleep(0.1)
    watcher.refresh()
    facts = DOMAIN.ground(Action("move", ("robot0", "floor0", "fridge0")), FULL.things).apply(watcher.state)
    steps = {
        text: DOMAIN.ground(Action(text.split()[0], ("robot0", *text.split()[1:])), FULL.things)
        for text in ("open fridge0 fridge0", "close fridge0 fridge0", "take_out milk0 fridge0 fridge0")
    }
    assert steps["open fridge0 fridge0"].applicable(facts)
    assert steps["close fridge0 fridge0"].applicable(facts)
    assert not steps["take_out milk0 fridge0 fridge0"].applicable(facts)
