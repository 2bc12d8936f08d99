"""Bodies that are not their model keep amounts too: exactly, and nothing moves for more than there is."""

from pathlib import Path

import pytest

from domains import load_domain, load_scene
from graftwork import Outcome, Session, read_record
from graftwork.setup.bodies import robot_for
from graftwork.setup.model_body import numeric_model
from robots.fake import FakeRobot
from robots.primitives import PRIMITIVES
from robots.pybullet import PyBulletRobot
from robots.served import BodyServer, ServedRobot
from semantics.body.protocols import MotionStatus
from semantics.errors import UnknownNameError
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code
from semantics.logic.state import Command

WORLD = str(Path(__file__).resolve().parents[2] / "examples" / "juice")
DOMAIN = load_domain(WORLD)
SCENE = load_scene(DOMAIN, "table")
BOTTLE, GLASS = Atom("level", ("bottle0",)), Atom("level", ("glass0",))
IN_BOTTLE, IN_GLASS = Atom("liquid_in", ("juice0", "bottle0")), Atom("liquid_in", ("juice0", "glass0"))
POUR = {"contents": "juice0", "source": "bottle0", "target": "glass0", "at": "table0"}
EXACT = 1e-6
"""The largest error, in millilitres."""


def juice(robot="fake", **more):
    return Session(WORLD, "table", robot=robot, **{"memory": None, **more})


def body(numeric=True):
    return FakeRobot(SCENE.arrangement, numeric=numeric_model(DOMAIN, SCENE) if numeric else None)


def done(robot, primitive, **roles):
    """Start a motion with its roles and values, let it end, and return its progress."""
    values = {name: roles.pop(name) for name in list(roles) if not isinstance(roles[name], str)}
    motion = robot.start(Command(primitive, "robot0", roles, values))
    while motion.poll().stage is MotionStatus.RUNNING:
        robot.clock.sleep(0.05)
        robot.observation()
    return motion.poll()


def at_the_bottle(robot):
    assert done(robot, "drive", to="table0").stage is MotionStatus.DONE
    assert done(robot, "pick", object="bottle0", source="table0", at="table0").stage is MotionStatus.DONE
    return robot


@pytest.mark.parametrize("robot", ["symbolic", "fake", "pybullet"])
def test_as_much_is_poured_as_was_said_and_the_rest_stays(robot):
    with juice(robot) as session:
        episode = session.handle("pour 30 ml of juice into the glass")
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        seen = session.environment.robot.observation()
    assert seen.numbers[GLASS] == pytest.approx(30.0, abs=EXACT)
    assert seen.numbers[BOTTLE] == pytest.approx(470.0, abs=EXACT)
    assert seen.told[IN_BOTTLE]
    assert seen.told[IN_GLASS]


def test_what_nobody_says_is_a_portion():
    with juice() as session:
        assert session.handle("pour juice into the glass").outcome is Outcome.ACHIEVED
        assert session.environment.robot.observation().numbers[GLASS] == pytest.approx(50.0, abs=EXACT)


def test_what_is_empty_holds_nothing_any_more():
    robot = at_the_bottle(body())
    robot.set_number(BOTTLE, 30.0)
    assert done(robot, "fill", **POUR, amount=30.0).stage is MotionStatus.DONE
    seen = robot.observation()
    assert (seen.numbers[BOTTLE], seen.numbers[GLASS]) == (0.0, 30.0)
    assert not seen.told[IN_BOTTLE]
    assert seen.told[IN_GLASS]


def test_only_numbers_that_actions_change_are_measured():
    assert {fluent.predicate for fluent in body().observation().numbers} == {"level"}


def test_a_world_without_numbers_keeps_none():
    kitchen = load_domain("kitchen")
    assert numeric_model(kitchen, load_scene(kitchen, "tea")) is None
    assert not robot_for("fake", kitchen, load_scene(kitchen, "tea")).observation().numbers


def test_a_motion_that_fails_changes_no_number():
    robot = at_the_bottle(body())
    motion = robot.start(Command("fill", "robot0", POUR, {"amount": 30.0}))
    robot.clock.sleep(1.0)
    robot.drop("bottle0")
    robot.clock.sleep(5.0)
    assert robot.observation().numbers == {BOTTLE: 500.0, GLASS: 0.0}
    assert motion.poll().feedback.code is Code.DROPPED


@pytest.mark.parametrize("robot", ["fake", "symbolic"])
def test_a_shortfall_is_refused_before_anything_moves_with_the_nearest_amount(robot):
    with juice(robot) as session:
        refused = session.handle("pour 600 ml of juice into the glass")
        assert session.environment.robot.clock.now() == 0.0
    assert refused.outcome is Outcome.REFUSED
    assert "bottle0 holds 500ml, and 600ml are asked. At most 250ml." in refused.message


def test_the_body_refuses_what_only_it_knows_to_be_too_much():
    robot = at_the_bottle(body())
    robot.set_number(BOTTLE, 20.0)
    before = robot.clock.now()
    progress = robot.start(Command("fill", "robot0", POUR, {"amount": 30.0})).poll()
    assert (progress.stage, robot.clock.now()) == (MotionStatus.FAILED, before)
    assert progress.feedback.code is Code.PRECONDITION
    assert "bottle0 holds 20ml, and 30ml are asked" in progress.feedback.why
    assert progress.feedback.how == "At most 20ml."
    assert progress.feedback.culprits == ("bottle0",)


def test_what_is_drunk_during_the_motion_is_not_poured():
    robot = at_the_bottle(body())
    motion = robot.start(Command("fill", "robot0", POUR, {"amount": 30.0}))
    robot.clock.sleep(1.0)
    robot.set_number(BOTTLE, 20.0)
    robot.clock.sleep(5.0)
    seen = robot.observation()
    assert motion.poll().feedback.how == "At most 20ml."
    assert seen.numbers == {BOTTLE: 20.0, GLASS: 0.0}
    assert IN_GLASS not in seen.told


def test_a_number_that_the_body_does_not_keep_is_named():
    with pytest.raises(UnknownNameError, match="level glass0"):
        body().set_number(Atom("level", ("glas0",)), 1.0)


def test_a_body_without_numbers_takes_no_amount():
    motion = at_the_bottle(body(numeric=False)).start(Command("fill", "robot0", POUR, {"amount": 30.0}))
    assert motion.poll().feedback.culprits == ("amount",)


class OnlyNames(FakeRobot):
    primitives = frozenset(PRIMITIVES) - {"wash"}


def test_a_body_that_tells_only_the_names_of_its_primitives_keeps_amounts():
    robot = OnlyNames(SCENE.arrangement, numeric=numeric_model(DOMAIN, SCENE))
    assert robot.primitives == frozenset(PRIMITIVES) - {"wash"}
    with juice(robot) as session:
        assert session.handle("pour 30 ml of juice into the glass").outcome is Outcome.ACHIEVED
        assert session.environment.robot.observation().numbers[GLASS] == pytest.approx(30.0, abs=EXACT)


def test_a_body_tells_that_it_takes_an_amount():
    (amount,) = body().primitives["fill"].values
    assert amount.form == "amount (ml, 1 to 1000)"
    assert not PRIMITIVES["fill"].values


class Thirsty(FakeRobot):
    """A body beside which somebody drinks from a bottle, just before the first pour."""

    drunk_from = ""

    def start(self, command):
        if command.primitive == "fill" and self.drunk_from:
            self.set_number(Atom("level", (self.drunk_from,)), 25.0)
            self.drunk_from = ""
        return super().start(command)


def thirsty(scene_name):
    scene = load_scene(DOMAIN, scene_name)
    return Thirsty(scene.arrangement, numeric=numeric_model(DOMAIN, scene))


def test_the_bottle_that_has_enough_is_taken():
    for said, bottle in (("30 ml", "bottle1"), ("15 ml", "bottle0")):
        with Session(WORLD, "bottles", robot="fake", memory=None) as session:
            episode = session.handle(f"pour {said} of juice into the glass")
            assert episode.outcome is Outcome.ACHIEVED, episode.message
            assert f"(take robot0 {bottle} table0)" in episode.plan


def test_after_the_refusal_of_the_body_a_plan_is_made_with_the_number_that_it_sensed(tmp_path):
    robot = thirsty("bottles")
    robot.set_number(Atom("level", ("bottle0",)), 300.0)
    robot.drunk_from = "bottle0"
    with Session(WORLD, "bottles", robot=robot, memory=None, record=tmp_path / "run") as session:
        episode = session.handle("pour 30 ml of juice into the glass")
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        left = session.environment.robot.observation().numbers
    assert left[GLASS] == pytest.approx(30.0, abs=EXACT)
    assert left[BOTTLE] == pytest.approx(25.0, abs=EXACT)
    assert left[Atom("level", ("bottle1",))] == pytest.approx(470.0, abs=EXACT)
    events = read_record(tmp_path / "run")
    (failure,) = [event["feedback"] for event in events if event["e"] == "failure"]
    assert (failure["why"], failure["how"]) == ("bottle0 holds 25ml, and 30ml are asked", "At most 25ml.")
    assert [event["rung"] for event in events if event["e"] == "rung" and event["solved"]] == ["replan"]


def test_where_nothing_else_is_there_the_message_tells_what_can_be_had():
    robot = thirsty("table")
    robot.drunk_from = "bottle0"
    with Session(WORLD, "table", robot=robot, memory=None) as session:
        episode = session.handle("pour 30 ml of juice into the glass")
        assert session.environment.robot.observation().numbers == {BOTTLE: 25.0, GLASS: 0.0}
    assert episode.outcome is Outcome.FAILED
    assert "bottle0 holds 25ml, and 30ml are asked" in episode.message
    assert episode.message.endswith("At most 25ml.")


@pytest.mark.parametrize("robot", ["symbolic", "fake"])
def test_the_record_tells_numbers_that_changed_and_so_does_the_report(tmp_path, robot):
    with juice(robot, record=tmp_path / "run") as session:
        session.handle("pour 30 ml of juice into the glass")
    (event,) = [event for event in read_record(tmp_path / "run") if event["e"] == "numbers"]
    assert event["numbers"] == {"(level bottle0)": 470.0, "(level glass0)": 30.0}
    assert event["before"] == {"(level bottle0)": 500.0, "(level glass0)": 0.0}
    assert event["text"] == "bottle0 holds 470ml and glass0 holds 30ml"
    assert event["t"] > 0.0
    assert event["text"] in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")


def test_the_record_tells_when_somebody_drinks(tmp_path):
    with juice(record=tmp_path / "run") as session:
        run, robot = session.start("pour 30 ml of juice into the glass"), session.environment.robot
        while run.tick():
            if run.runner is not None and run.runner.ticks == 20:
                robot.set_number(BOTTLE, 100.0)
        assert robot.observation().numbers == {BOTTLE: 70.0, GLASS: 30.0}
    texts = [event["text"] for event in read_record(tmp_path / "run") if event["e"] == "numbers"]
    assert texts == ["bottle0 holds 100ml", "bottle0 holds 70ml and glass0 holds 30ml"]


def test_where_no_number_changes_the_record_tells_none(tmp_path):
    with juice(record=tmp_path / "run") as session:
        session.handle(goal="(at robot0 table0)")
    assert not [event for event in read_record(tmp_path / "run") if event["e"] == "numbers"]


def test_of_several_bottles_the_one_that_comes_nearest_is_named():
    with Session(WORLD, "bottles", robot="fake", memory=None) as session:
        refused = session.handle("pour 600 ml of juice into the glass")
    assert refused.outcome is Outcome.REFUSED
    assert "bottle1 holds 500ml, and 600ml are asked. At most 250ml." in refused.message


def test_a_served_body_keeps_amounts_too(tmp_path):
    fake = body()
    with BodyServer(fake, tmp_path / "body") as server, juice(ServedRobot(server.path)) as session:
        assert session.environment.robot.primitives["fill"] == fake.primitives["fill"]
        assert session.handle("pour 30 ml of juice into the glass").outcome is Outcome.ACHIEVED
        assert session.environment.robot.observation().numbers == {BOTTLE: 470.0, GLASS: 30.0}


def test_the_simulated_body_refuses_too_much_before_it_moves():
    robot = PyBulletRobot(SCENE.arrangement, numeric_model(DOMAIN, SCENE))
    try:
        motion = robot.start(Command("fill", "robot0", POUR, {"amount": 260.0}))
        assert motion.poll().stage is MotionStatus.FAILED
        assert motion.poll().feedback.how == "At most 250ml."
        assert robot.start(Command("fill", "robot0", POUR, {"amout": 1.0})).poll().feedback.culprits == ("amout",)
    finally:
        robot.close()
