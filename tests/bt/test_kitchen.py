"""Whole programs in the kitchen: the real planner, the watcher's beliefs and the body without physics."""

import contextlib
import random
from functools import partial

import pytest

from affordances.scene import Scene
from affordances.watcher import Watcher
from bt import Entries, Replan, Runner, pursue
from bt.runner import Ending
from domains.problem import Problem
from domains.reader import load_domain, load_scene
from planning import make_planner, solve
from robots.fake import FakeRobot, InjectedFault
from semantics.errors import UsageError
from semantics.logic.atoms import dnf
from semantics.logic.feedback import Code
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.parsing import parse_formula

DOMAIN = load_domain("kitchen")
SCENE = load_scene(DOMAIN, "small")


@pytest.fixture(scope="module")
def planner():
    made = make_planner()
    yield made
    made.close()


class Once:
    """Does something once, when a condition of the runner first holds."""

    def __init__(self, when, act):
        self.when, self.act = when, act
        self.done = False

    def ticked(self, runner):
        if not self.done and self.when(runner):
            self.done = True
            self.act()

    def ended(self, runner, end):
        pass


class Errand:
    def __init__(self, planner, text, faults=(), body=FakeRobot):
        formula = parse_formula(text)
        goal = CheckedGoal(Goal(formula), dnf(formula))
        self.conjuncts = goal.conjuncts
        self.robot = body(SCENE.layout, faults=faults)
        self.beliefs = Watcher(self.robot, Scene.start(SCENE, DOMAIN))
        self.beliefs.refresh()
        self.journal = Entries()
        self.asked = 0

        def planned(state):
            self.asked += 1
            return solve(Problem(DOMAIN, SCENE.things, state, goal.conjuncts), planner=planner)

        root = pursue(
            planned(self.beliefs.state),
            [Replan(lambda request: planned(request.state))],
            goals=goal.conjuncts,
            beliefs=self.beliefs,
            robot=self.robot,
            journal=self.journal,
        )
        self.runner = Runner(root, self.robot, self.beliefs)

    def when(self, condition, act):
        self.runner.listen(Once(condition, act))

    def run(self):
        return self.runner.run(300)


class Leaning(FakeRobot):
    """A body that can only pick things up from beside the bin."""

    def start(self, command):
        motion = super().start(command)
        if command.primitive == "pick":
            self.world.drive(self.world.stand("trash0"))
        return motion


def test_the_milk_is_brought_out_of_the_closed_fridge(planner):
    errand = Errand(planner, "(inhand milk0 human0)")
    assert errand.run().status is Ending.SUCCESS
    assert "milk0" in errand.robot.world.held("human0")
    assert errand.asked == 1


def test_a_door_pushed_shut_after_it_was_opened_takes_the_resume_point_back(planner):
    errand = Errand(planner, "(inhand milk0 human0)")
    errand.when(
        lambda runner: any(event["to"] == 2 for event in errand.journal.of("resume")),
        lambda: errand.robot.set_door("fridge0", 0.0),
    )
    assert errand.run().status is Ending.SUCCESS
    assert (2, 1) in [(event["from"], event["to"]) for event in errand.journal.of("resume")]
    assert errand.asked == 1


def test_an_object_moved_half_way_is_found_by_a_new_plan(planner):
    errand = Errand(planner, "(on apple0 shelf0)")
    errand.when(lambda runner: runner.ticks == 20, lambda: errand.robot.move_piece("apple0", "on", "counter0"))
    assert errand.run().status is Ending.SUCCESS
    assert errand.asked == 2
    (use,) = errand.journal.of("rung")
    assert (use["code"], use["solved"]) == ("precondition", True)


def test_a_dropped_thing_is_picked_up_again(planner):
    errand = Errand(planner, "(on apple0 shelf0)")
    errand.when(lambda runner: bool(errand.robot.world.held("robot0")), errand.robot.drop)
    assert errand.run().status is Ending.SUCCESS
    assert errand.asked >= 2


def test_a_thing_that_somebody_else_put_there_needs_no_more_work(planner):
    errand = Errand(planner, "(on apple0 shelf0)")
    errand.when(lambda runner: runner.ticks == 20, lambda: errand.robot.move_piece("apple0", "on", "shelf0"))
    end = errand.run()
    assert (end.status, end.ticks) in [(Ending.SUCCESS, ticks) for ticks in range(20, 24)]


def test_a_grasp_that_fails_once_is_tried_again_by_a_new_plan(planner):
    errand = Errand(planner, "(on apple0 shelf0)", faults=[InjectedFault(Code.NOT_GRASPED, "pick")])
    assert errand.run().status is Ending.SUCCESS
    assert [event["code"] for event in errand.journal.of("rung")] == ["not-grasped"]


def test_a_body_that_leaves_its_place_to_pick_something_up_goes_on_from_where_it_is_then(planner):
    errand = Errand(planner, "(on apple0 counter0)", body=Leaning)
    errand.robot.move_piece("apple0", "on", "floor0")
    errand.beliefs.refresh()
    assert errand.run().status is Ending.SUCCESS
    assert [use["solved"] for use in errand.journal.of("rung")] == [True, True]


def test_what_a_short_sighted_body_only_believes_is_not_called_reached(planner):
    errand = Errand(planner, "(and (opened fridge0) (in milk0 fridge0))", body=partial(FakeRobot, sight=0.3))
    end = errand.run()
    assert (end.status, end.reason.code) == (Ending.FAILURE, Code.BUDGET_SPENT)
    assert errand.robot.world.doors["fridge0"] == 1.0
    assert {event["code"] for event in errand.journal.of("rung")} == {"not-visible"}
    assert set(end.reason.culprits) == {"milk0", "fridge0"}


def test_what_a_body_sees_once_the_door_is_open_is_called_reached(planner):
    errand = Errand(planner, "(and (opened fridge0) (in milk0 fridge0))")
    assert errand.run().status is Ending.SUCCESS
    assert errand.asked == 1


@pytest.mark.parametrize("seed", [3, 4, 7, 15, 20, 36, 48, 50, 55])
def test_random_mischief_is_made_good(planner, seed):
    chance = random.Random(seed)
    errand = Errand(planner, "(and (in juice0 fridge0) (on apple0 shelf0))")

    def mischief():
        thing = chance.choice(("apple0", "juice0", "banana0", "milk0"))
        act = chance.choice(
            (
                lambda: errand.robot.set_door("fridge0", chance.choice((0.0, 0.4, 1.0))),
                lambda: errand.robot.move_piece(thing, "on", chance.choice(("table0", "counter0", "sink0", "floor0"))),
                errand.robot.drop,
            )
        )
        with contextlib.suppress(UsageError):  # there is no room for it there
            act()

    for tick in sorted(chance.sample(range(5, 400), 4)):
        errand.when(partial(late, tick), mischief)
    assert errand.run().status is Ending.SUCCESS
    assert errand.beliefs.state.satisfies(*errand.conjuncts)


def late(tick, runner):
    return runner.ticks >= tick
