"""Plans that are exchanged in mid-motion, in the kitchen with the real planner and the body without physics."""

from dataclasses import replace

import pytest

from affordances.scene import Scene
from affordances.watcher import Watcher
from bt import Runner, compile_plan
from bt.correction import exchange
from bt.correction.underway import Exchanged
from bt.errors import TreeError
from bt.runner import Ending
from domains.problem import Problem
from domains.reader import load_domain, load_scene
from robots.fake import FakeRobot
from semantics.logic.atoms import Atom, Literal
from semantics.logic.correction import Correction, Insert, Remove, Replace, StatementPlace
from semantics.logic.goal import Rejection
from semantics.logic.state import Action, Plan
from tests.bt.correction.plans import correct_plan

DOMAIN = load_domain("kitchen")
SCENE = load_scene(DOMAIN, "small")
GOAL = frozenset(
    {Literal(Atom("in", ("milk0", "fridge0")), False), Literal(Atom("inhand", ("milk0", "robot0")), False)}
)
ACTIONS = (
    "move robot0 floor0 fridge0",
    "open robot0 fridge0 fridge0",
    "take_out robot0 milk0 fridge0 fridge0",
    "move robot0 fridge0 shelf0",
    "move robot0 shelf0 counter0",
    "place robot0 milk0 counter0",
)


class Run:
    """A run of a plan up to the middle of the step of that number, and every motion that was started."""

    def __init__(self, number: int) -> None:
        steps = [Action(words[0], tuple(words[1:])) for words in map(str.split, ACTIONS)]
        self.plan = Plan(tuple(DOMAIN.ground(step, SCENE.things) for step in steps), GOAL)
        self.robot = FakeRobot(SCENE.layout)
        self.started: list[str] = []
        self.cancelled: list[str] = []
        start = self.robot.start

        def noted(command):
            motion = start(command)
            self.started.append(str(command))
            cancel = motion.cancel
            motion.cancel = lambda: (self.cancelled.append(str(command)), cancel())
            return motion

        self.robot.start = noted
        self.beliefs = Watcher(self.robot, Scene.start(SCENE, DOMAIN))
        self.beliefs.refresh()
        self.begun = self.beliefs.state
        self.tree = compile_plan(self.plan, beliefs=self.beliefs, robot=self.robot)
        self.runner = Runner(self.tree, self.robot, self.beliefs)
        while len(self.started) <= number:
            self.runner.step()
        for _ in range(3):
            self.runner.step()

    def corrected(self, *edits):
        found = correct_plan(self.plan, Correction(edits), Problem(DOMAIN, SCENE.things, self.begun))
        assert not isinstance(found, Rejection), found
        return found[0]

    def exchanged(self, plan: Plan):
        return exchange(self.tree, plan, self.beliefs)


DIRECTLY = (Remove(StatementPlace((3,))), Replace(StatementPlace((3,)), "shelf0", "fridge0"))


def told(operators):
    return " ".join(map(str, operators))


def elsewhere(number=4):
    return tuple(Replace(StatementPlace((n,)), "counter0", "table0") for n in (number, number + 1))


def test_a_later_step_goes_elsewhere_and_the_running_one_is_not_broken_off():
    run = Run(1)
    result = run.exchanged(run.corrected(*elsewhere()))
    assert isinstance(result, Exchanged)
    assert told(result.going_on) == "(open robot0 fridge0 fridge0)"
    assert run.runner.run(120).status is Ending.SUCCESS
    assert run.robot.world.carriers["milk0"] == ("on", "table0")
    assert run.cancelled == []
    assert len(run.started) == len(ACTIONS)


def test_a_later_step_that_was_removed_is_not_done():
    run = Run(2)
    run.exchanged(run.corrected(*DIRECTLY))
    assert run.runner.run(120).status is Ending.SUCCESS
    assert not any("shelf0" in command for command in run.started)
    assert run.cancelled == []


def test_steps_put_in_before_the_running_one_do_not_break_it_off():
    run = Run(1)
    detour = "move(robot0, fridge0, shelf0)\nmove(robot0, shelf0, fridge0)\n"
    result = run.exchanged(run.corrected(Insert(StatementPlace((1,)), detour)))
    assert told(result.going_on) == "(open robot0 fridge0 fridge0)"
    assert run.runner.run(120).status is Ending.SUCCESS
    assert run.cancelled == []
    assert len(run.started) == len(ACTIONS)


def test_the_running_step_is_stopped_when_it_was_edited_away():
    run = Run(3)
    direct = run.corrected(*DIRECTLY, *elsewhere(3))
    result = run.exchanged(direct)
    assert told(result.stopped) == "(move robot0 fridge0 shelf0)"
    assert run.cancelled == [run.started[3]]
    run.runner.run(120)
    assert "table0" in run.started[4]


def test_a_plan_that_does_not_reach_its_goal_from_here_is_refused_and_nothing_is_touched():
    run = Run(3)
    late = replace(run.plan, steps=run.plan.steps[5:])
    found = run.exchanged(late)
    assert isinstance(found, Rejection)
    assert "no step of it leads to the goal" in found.feedback[0].why
    assert run.runner.run(120).status is Ending.SUCCESS
    assert len(run.started) == len(ACTIONS)


def test_a_plan_for_another_goal_is_a_mistake_of_the_caller():
    run = Run(1)
    with pytest.raises(TreeError, match="another goal"):
        run.exchanged(replace(run.plan, goal=frozenset({Literal(Atom("opened", ("fridge0",)))})))
