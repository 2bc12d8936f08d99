"""The worlds `barman` and `pizza`: checked, held to their cases, and exact to the drop."""

import pytest

from domains.reader import load_domain, load_scene
from graftwork.cases import CaseRunner, load_suites
from graftwork.checks import check_paths
from graftwork.setup.model_body import symbolic_robot
from planning.adl import admits
from semantics.body.protocols import MotionStatus
from semantics.logic.atoms import Atom
from semantics.logic.state import Action

WORLDS = ["barman", "pizza"]


def level(robot, name):
    return robot.state.numbers[Atom("level", (name,))]


class Bar:
    """The small bar with a body that lives in it."""

    def __init__(self):
        self.domain = load_domain("barman")
        self.scene = load_scene(self.domain, "counter")
        self.robot = symbolic_robot(self.domain, self.scene)

    def do(self, *texts):
        for text in texts:
            name, *args = text.split()
            step = self.domain.ground(Action(name, ("robot0", *args)), self.scene.things, self.scene.numbers)
            motion = self.robot.start(step.command)
            while motion.poll().stage is MotionStatus.RUNNING:
                self.robot.clock.sleep(1.0)
            if motion.poll().stage is MotionStatus.FAILED:
                return motion.poll().feedback
        return None


@pytest.fixture
def bar():
    return Bar()


SODA = ("get left_hand soda_bottle rack", "unscrew left_hand right_hand soda_bottle")


def test_a_pour_is_one_portion_exactly(bar):
    assert bar.do(*SODA, "pour left_hand soda_bottle soda_water tall_glass") is None
    assert level(bar.robot, "soda_bottle") == pytest.approx(0.45)
    assert level(bar.robot, "tall_glass") == pytest.approx(0.05)
    assert bar.robot.state.numbers[Atom("amount", ("tall_glass", "soda_water"))] == pytest.approx(0.05)


def test_the_body_refuses_to_pour_from_a_capped_bottle(bar):
    feedback = bar.do(SODA[0], "pour left_hand soda_bottle soda_water tall_glass")
    assert "soda_bottle" in feedback.culprits or "soda_bottle" in feedback.why


def test_the_body_refuses_to_let_a_glass_run_over(bar):
    pour = "pour left_hand soda_bottle soda_water tall_glass"
    assert bar.do(*SODA, *[pour] * 6) is None
    assert "tall_glass holds 300ml, tall_glass has room for 300ml, and 50ml are asked." in str(bar.do(pour))
    assert level(bar.robot, "tall_glass") == pytest.approx(0.3)


def test_the_portions_of_a_small_glass_are_counted(bar):
    pour = "pour left_hand soda_bottle soda_water thimble"
    assert bar.do(*SODA, pour) is None
    assert Atom("room_for", ("thimble", "one_portion")) in bar.robot.state.atoms
    assert bar.do(pour) is None
    assert Atom("full", ("thimble",)) in bar.robot.state.atoms
    assert bar.do(pour) is not None


def test_all_that_was_mixed_moves_together(bar):
    poured = ("pour left_hand soda_bottle soda_water mixing_cup", "pour left_hand soda_bottle soda_water mixing_cup")
    added = ("get right_hand mint1 mint_bowl", "add right_hand mint1 mint mixing_cup")
    mixed = ("finger_push right_hand blender", "wait blender mixing_cup", "get right_hand mixing_cup blender")
    assert bar.do(*SODA, *poured, *added, *mixed, "pour_mix right_hand mixing_cup tall_glass") is None
    atoms, numbers = bar.robot.state.atoms, bar.robot.state.numbers
    assert {Atom("contains", ("tall_glass", one)) for one in ("soda_water", "mint")} <= atoms
    assert Atom("mixed", ("tall_glass",)) in atoms
    assert not [one for one in atoms if one.predicate == "contains" and one.args[0] == "mixing_cup"]
    assert numbers[Atom("level", ("mixing_cup",))] == 0
    assert numbers[Atom("amount", ("tall_glass", "soda_water"))] == pytest.approx(0.1)


def test_what_is_poured_in_later_is_not_mixed(bar):
    pour, mixed = "pour left_hand soda_bottle soda_water mixing_cup", Atom("mixed", ("mixing_cup",))
    assert bar.do("finger_push left_hand blender", *SODA, pour, "wait blender mixing_cup") is None
    assert mixed in bar.robot.state.atoms
    assert bar.do(pour) is None
    assert mixed not in bar.robot.state.atoms


def test_an_empty_cup_is_not_mixed_by_waiting(bar):
    assert bar.do("finger_push left_hand blender") is None
    assert bar.do("wait blender mixing_cup") is not None


def test_nothing_is_poured_into_a_glass_that_stands_in_the_cooler(bar):
    inside = ("open_door left_hand cooler", "get left_hand tall_glass counter", "put_in left_hand tall_glass cooler")
    assert bar.do(*inside, *SODA) is None
    assert "inside" in str(bar.do("pour left_hand soda_bottle soda_water tall_glass"))


def test_a_finger_switches_back_and_forth(bar):
    powered = Atom("powered", ("blender",))
    assert bar.do("finger_push left_hand blender") is None
    assert powered in bar.robot.state.atoms
    assert bar.do("finger_push left_hand blender") is None
    assert powered not in bar.robot.state.atoms


@pytest.mark.parametrize("world", WORLDS)
def test_the_repairs_are_there_and_most_restore_what_they_disturb(world):
    repairs = load_domain(world).repairs
    assert (len(repairs), sum(bool(one.after) for one in repairs)) == {"pizza": (8, 6), "barman": (16, 10)}[world]


@pytest.mark.parametrize("world", WORLDS)
def test_a_world_says_which_search_proves_its_plans(world):
    told = admits(load_domain(world))
    assert told.search == "astar(hmax())"
    assert "conditional-effects" in told.sentence


@pytest.mark.parametrize("world", WORLDS)
def test_nothing_is_wrong_with_a_world(world):
    assert not check_paths([world]).problems


@pytest.fixture(scope="module")
def runner():
    with CaseRunner() as made:
        yield made


@pytest.mark.parametrize("world", WORLDS)
def test_a_world_keeps_its_cases(runner, world):
    (suite,) = load_suites([world])
    assert len(suite.cases) >= 12
    results = [runner.run(case, suite.world) for case in suite.cases]
    assert not [one for one in results if not one.passed]
