"""Relations of things in the full kitchen: said, planned with everything else there is, done and sensed."""

from math import cos, sin

import pytest

from bt.record import Entries
from domains import load_domain, load_scene
from domains.problem import Problem
from domains.relations import MADE
from graftwork import Outcome, Session
from semantics.geometry.relations import DIRECTIONS
from semantics.logic.atoms import Atom, Literal
from semantics.logic.state import Action, State

SAID = "put the fork left of the plate and the knife right of it"
FORK, KNIFE = Atom("left_of", ("fork0", "plate0")), Atom("right_of", ("knife0", "plate0"))


@pytest.fixture(scope="module")
def kitchen():
    return load_domain("kitchen")


def full(robot="fake"):
    return Session("kitchen", "full", robot=robot, memory=None)


@pytest.mark.parametrize("robot", ["fake", "pybullet"])
def test_both_are_put_where_the_person_sees_left_and_right(robot):
    with full(robot) as session:
        episode = session.handle(SAID)
        state, sightings = session.environment.watcher.state, session.environment.watcher.sightings
        fork, plate, knife = (sightings[name].box.centre for name in ("fork0", "plate0", "knife0"))
        heading = session.environment.watcher.heading
    left = (-sin(heading), cos(heading))
    along = [x * left[0] + y * left[1] for x, y, _ in (fork, plate, knife)]
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    assert "'it' was read as 'the plate'." in episode.notes
    assert "Left, right, in front and behind are meant as human0 sees them." in episode.notes
    assert {FORK, KNIFE} <= state.atoms
    assert along[0] > along[1] > along[2]


def test_only_what_is_asked_for_is_sensed():
    with full() as session:
        watcher = session.environment.watcher
        before = {atom.predicate for atom in watcher.state.atoms}
        assert not before & MADE.keys()
        session.handle("put the fork left of the plate")
        assert {atom for atom in watcher.state.atoms if atom.predicate in MADE} == {FORK}
        assert session.handle("put the fork left of the plate").outcome is Outcome.ALREADY
        brought = session.handle("bring me the fork to the left of the plate")
        assert brought.goal == "(inhand fork0 human0)"
        assert watcher.sensed(Literal(FORK)) is False


def test_a_distance_is_that_of_its_own_relation():
    with full() as session:
        episode = session.handle("put the cup 5 cm left of the plate and the knife 2 cm to the right of it")
    assert episode.outcome is Outcome.ACHIEVED
    assert "(place_left_of robot0 cup0 plate0 table0 :distance 5cm)" in episode.plan
    assert "(place_right_of robot0 knife0 plate0 table0 :distance 2cm)" in episode.plan


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("put the cup between the plate and the bowl", "(between cup0 plate0 bowl0)"),
        ("put the apple in the middle of the table", "(in_middle_of apple0 table0)"),
        ("put the cup beside the apple", "(next_to cup0 apple0)"),
        ("put the cup in line with the plate", "(aligned cup0 plate0)"),
        ("put the cup in a row with the plate and the bread", "(in_row cup0 plate0 bread0)"),
        ("put the apple in the top left corner of the table", "(in_top_left_corner_of apple0 table0)"),
        ("put the cup on the left side of the counter", "(at_left_edge_of cup0 counter0)"),
        ("put the cup behind the plate", "(behind cup0 plate0)"),
    ],
)
def test_each_is_said_and_done(said, goal):
    with full() as session:
        episode = session.handle(said)
    assert (episode.outcome, episode.goal) == (Outcome.ACHIEVED, goal), episode.message


def test_a_goal_is_planned_with_its_own_relations_alone(kitchen):
    scene = load_scene(kitchen, "full")
    whole = Problem(kitchen, scene.things, State(scene.facts), (frozenset({Literal(FORK)}),))
    model = whole.for_goal()
    assert {name for name in model.domain.capabilities if name.startswith("place_")} == {
        "place_on_top",
        "place_left_of",
    }
    assert FORK in model.ground(grasp("plate0")).deleted
    assert FORK not in model.ground(grasp("cup0")).deleted
    assert not model.domain.features  # the fast searches apply


def grasp(thing):
    return Action("grasp", ("robot0", thing, "table0", "table0"))


def test_moving_the_plate_comes_before_what_is_put_beside_it():
    goal = "(and (left_of fork0 plate0) (on plate0 counter0))"
    with full() as session:
        episode = session.handle(goal=goal)
    assert episode.outcome is Outcome.ACHIEVED
    steps = [step.strip("()").split() for step in episode.plan]
    assert steps.index(["place", "robot0", "plate0", "counter0"]) < steps.index(
        ["place_left_of", "robot0", "fork0", "plate0", "counter0"]
    )


def test_a_program_asks_for_relations_and_makes_them():
    program = (
        "if left_of(fork0, plate0):\n    fail('it is there already')\n"
        "grasp(fork0)\nplace_left_of(fork0, plate0)\n"
        "return left_of(fork0, plate0)\n"
    )
    with full() as session:
        session.handle("go to the table")
        episode = session.program(program).finish()
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    assert episode.answer == {"type": "yes or no", "value": True}


def left_and_right(session, *names):
    """How far each thing is from the plate, in metres from edge to edge: to its left, or else to its right."""
    seen = session.environment.watcher.arrangement
    axis = seen.along(DIRECTIONS["left"])
    plate = seen.solid("plate0")

    def space(name):
        solid = seen.solid(name)
        along = sum((at - of) * part for at, of, part in zip(solid.at, plate.at, axis, strict=False))
        return abs(along) - solid.reach(axis) - plate.reach(axis)

    return [space(name) for name in names]


@pytest.mark.parametrize(
    "said",
    [
        "put the cup and the apple 20 cm left of the plate",
        "put the apple 20 cm left of the plate and the knife 5 cm right of the plate",
        "bring me the lemon, then put the apple 20 cm left of the plate",
    ],
)
def test_what_is_on_that_side_already_is_put_at_the_distance_that_was_said(said):
    with full() as session:
        before = left_and_right(session, "apple0")
        episode = session.handle(said)
        after = left_and_right(session, "apple0")
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    assert before == pytest.approx([0.052], abs=0.005)
    assert after == pytest.approx([0.2], abs=0.01)


def test_a_distance_at_which_a_thing_is_already_is_no_work():
    with full() as session:
        assert session.handle("put the apple 20 cm left of the plate").outcome is Outcome.ACHIEVED
        assert session.handle("put the apple 20 cm left of the plate").outcome is Outcome.ALREADY
        assert session.handle("put the apple left of the plate").outcome is Outcome.ALREADY


def test_a_distance_that_is_said_of_one_is_not_taken_for_the_other():
    with full() as session:
        episode = session.handle("put the cup 30 cm left of the plate and the fork left of the bread")
    assert episode.outcome is Outcome.REFUSED
    assert "'30cm' would count for it too" in episode.message


@pytest.mark.parametrize("words", ["left of", "to the left of", "on the left of", "which is left of"])
def test_a_thing_is_described_by_any_words_of_a_relation(words):
    with full() as session:
        episode = session.handle(f"bring me the fruit {words} the plate")
    assert episode.goal == "(inhand apple0 human0)", episode.message


def test_relations_that_the_own_steps_end_are_no_disturbance():
    events = Entries()
    with Session("kitchen", "full", robot="fake", memory=None, journals=[events]) as session:
        assert session.handle("first put the cup left of the plate, then the cup right of the plate").outcome is (
            Outcome.ACHIEVED
        )
    assert not events.of("disturbed")


def test_a_body_without_positions_keeps_relations_and_ends_them_with_what_it_moves():
    with full("symbolic") as session:
        episode = session.handle("put the fork left of the plate and the knife right of it")
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert session.handle("put the fork left of the plate").outcome is Outcome.ALREADY
        assert session.handle("put the fork behind the plate").outcome is Outcome.ACHIEVED
        truth = session.environment.robot.state.atoms
        refused = session.handle("put the fork 5 cm left of the plate")
    assert Atom("behind", ("fork0", "plate0")) in truth
    assert KNIFE in truth
    assert FORK not in truth
    assert refused.outcome is Outcome.REFUSED
    assert "senses no positions" in refused.message


def test_of_several_relations_of_one_thing_it_is_said_that_no_step_makes_them_all():
    with Session("kitchen", "full", robot="fake", memory=None, part="never") as session:
        episode = session.handle("put the cup left of the plate and behind the bread")
    assert episode.outcome is Outcome.REFUSED
    assert "no step puts a thing so that several of them hold" in episode.message


def test_a_refusal_for_many_reasons_tells_the_first_of_them():
    with Session("tabletop", "four", robot="fake", memory=None) as session:
        episode = session.handle("put the blocks on the bowls")
    assert episode.outcome is Outcome.REFUSED
    assert len(episode.feedback) > 6
    assert episode.message.endswith(f"And {len(episode.feedback) - 6} more.")


def test_a_distance_counts_no_longer_when_another_goal_or_program_is_begun():
    with full() as session:
        assert session.handle("put the apple 20 cm left of the plate").outcome is Outcome.ACHIEVED
        watcher = session.environment.watcher
        assert watcher.scene.distances
        closer = 'place_left_of(apple0, plate0, table0, distance="5 cm")'
        moved = session.program(f"grasp(apple0, table0)\n{closer}\nreturn left_of(apple0, plate0)")
        episode = moved.finish()
        assert (episode.answer or {}).get("value") is True, episode.message
        assert not watcher.scene.distances


@pytest.mark.parametrize(
    ("world", "scene", "robot", "asked", "fact"),
    [
        (
            "tabletop",
            "four",
            "fake",
            "put the green block left of the yellow bowl",
            "(left_of green_block yellow_bowl)",
        ),
        (
            "tabletop",
            "four",
            "fake",
            "put the green block to the top of the blue bowl",
            "(behind green_block blue_bowl)",
        ),
        ("blocks", "sussman", "fake", "put the green block next to the red block", "(next_to green_block red_block)"),
        ("barman", "counter", "symbolic", "put the thimble left of the tall glass", "(left_of thimble tall_glass)"),
    ],
)
def test_other_worlds_have_relations_too(world, scene, robot, asked, fact):
    with Session(world, scene, robot=robot, memory=None) as session:
        episode = session.handle(asked)
        assert episode.outcome is Outcome.ACHIEVED, episode.message
    assert str(episode.goal) == fact


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("in front of the yellow bowl", "green_block"),
        ("to the right of the red block", ""),  # the blue block is nearer, and the green one less aslant
        ("behind the red bowl", ""),  # there is none
    ],
)
def test_the_block_beside_a_thing_is_the_nearest_there(said, meant):
    with Session("tabletop", "four", robot="fake", memory=None) as session:
        episode = session.handle(f"pick up the block {said} and place it on the right side")
    assert str(episode.goal) == (f"(lies {meant} right_side)" if meant else "None")
