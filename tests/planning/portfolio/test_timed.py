"""Steps that last: the temporal planner's plans, valid in every order of their times, and done at once by two hands."""

from dataclasses import replace

import pytest

from affordances.scene import Scene
from affordances.watcher import Watcher
from bt import Runner, compile_plan
from bt.execution import Deordered, ordered, pairs_of_times
from bt.runner import Ending
from domains.files import write_pddl
from domains.problem import Problem
from domains.reader import load_domain, load_scene
from graftwork.setup.model_body import symbolic_robot
from planning.portfolio import TimedPlan, schedule
from semantics.logic.atoms import dnf
from semantics.logic.feedback import Code
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.parsing import parse_formula

pytest.importorskip("kairos")

TWO_DRINKS = "(and (contains tall_glass soda_water) (contains thimble milk))"


class Bar:
    def __init__(self, world: str, scene: str, goal: str) -> None:
        self.domain = load_domain(world)
        self.scene = load_scene(self.domain, scene)
        self.formula = parse_formula(goal)
        self.state = Scene.as_written(self.scene, self.domain).state
        self.goal = CheckedGoal(Goal(self.formula), dnf(self.formula))

    def scheduled(self) -> TimedPlan:
        found = schedule(Problem(self.domain, self.scene.things, self.state, self.goal.conjuncts))
        assert isinstance(found, TimedPlan), found
        return found

    def seconds(self, plan, together) -> float:
        """How long the body takes, on its own clock."""
        robot = symbolic_robot(self.domain, self.scene)
        watcher = Watcher(robot, Scene.start(self.scene, self.domain))
        watcher.refresh()
        root = compile_plan(plan, beliefs=watcher, robot=robot, together=together)
        end = Runner(root, robot, watcher).run(900)
        assert end.status is Ending.SUCCESS, end.reason
        return end.seconds


@pytest.mark.parametrize(
    ("world", "scene", "goal"),
    [
        ("barman", "counter", TWO_DRINKS),
        ("barman", "counter", "(and (contains tall_glass mint) (contains thimble soda_water) (on thimble rack))"),
        ("tabletop", "four", "(and (in red_block red_bowl) (in green_block yellow_bowl))"),
        ("kitchen", "small", "(and (in apple0 fridge0) (inhand milk0 human0))"),
        ("blocks", "sussman", "(and (on red_block green_block) (on green_block blue_block))"),
    ],
)
def test_every_order_of_the_times_is_a_valid_plan(world, scene, goal):
    bar = Bar(world, scene, goal)
    found = bar.scheduled()
    assert not found.plan.optimal
    woven = ordered(found.plan, pairs_of_times(found.times), bar.state)
    assert isinstance(woven, Deordered), woven


def test_two_hands_are_done_sooner_by_the_times_than_one_step_after_the_other():
    bar = Bar("barman", "counter", TWO_DRINKS)
    found = bar.scheduled()
    woven = ordered(found.plan, pairs_of_times(found.times), bar.state)
    assert found.makespan < sum(duration for _, duration in found.times)
    assert bar.seconds(woven.plan, woven.order) < bar.seconds(woven.plan, False)


def test_what_is_only_being_made_false_does_not_count_as_false():
    domain = load_domain("barman")
    text, _, _ = write_pddl(domain, load_scene(domain, "counter"), None, "durative")
    door = text[text.index("(:durative-action open_door") :]
    assert "(at start (flux-closed" in door[: door.index(":durative-action", 5)]
    get = text[text.index("(:durative-action get") :]
    assert "(not (or (closed ?from) (flux-closed ?from)))" in get[: get.index(":effect")]


def test_a_world_with_planned_numbers_is_refused_by_name():
    bar = Bar("barman", "counter", TWO_DRINKS)
    planned = {name: replace(fluent, planned=True) for name, fluent in bar.domain.fluents.items()}
    found = schedule(Problem(replace(bar.domain, fluents=planned), bar.scene.things, bar.state, bar.goal.conjuncts))
    assert found.feedback.code is Code.UNSUPPORTED
    assert "numbers that are planned" in found.feedback.why


def test_a_goal_that_cannot_be_had_has_no_plan():
    bar = Bar("barman", "counter", "(contains tall_glass milk)")
    emptied = bar.state.with_atoms((), [atom for atom in bar.state.atoms if atom.predicate == "filled"])
    found = schedule(Problem(bar.domain, bar.scene.things, emptied, bar.goal.conjuncts))
    assert found.feedback.code is Code.NO_PLAN


def test_of_several_alternatives_the_one_that_is_reached_first_is_taken():
    bar = Bar("barman", "counter", "(or (contains tall_glass milk) (contains tall_glass ginger_beer))")
    found = bar.scheduled()
    assert found.plan.goal == dnf(parse_formula("(contains tall_glass ginger_beer)"))[0]
