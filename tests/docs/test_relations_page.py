"""The world of the page about relations does what the page says, with and without physics."""

import pytest

from domains import load_domain
from graftwork import Outcome, Session
from semantics.logic.atoms import Atom
from tests.docs.blocks import DOCS

PAGE = (DOCS / "relations.md").read_text(encoding="utf-8")
LEFT = Atom("left_of", ("cup0", "plate0"))


@pytest.fixture
def dining(tmp_path):
    """Return the folder of the world, with the files of the page."""
    (tmp_path / "scenes").mkdir()
    for mark, name in (("<!-- world -->", "domain.yaml"), ("<!-- scene -->", "scenes/room.yaml")):
        text = PAGE.split(mark)[1].split("```yaml\n")[1].split("```")[0]
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("robot", ["fake", "pybullet"])
def test_the_cup_is_put_left_of_the_plate(dining, robot):
    with Session(domain=dining, scene="room", robot=robot, memory=None) as session:
        episode = session.handle("put the cup left of the plate")
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        cup, plate = (session.environment.robot.observation().sightings[name].box.centre for name in ("cup0", "plate0"))
    # The person looks along y, so that their left is against x.
    assert cup[0] < plate[0] - 0.08
    assert abs(cup[1] - plate[1]) <= plate[0] - cup[0]


@pytest.fixture
def narrow(dining):
    """Return the world with a table that has room for the plate only."""
    scene = dining / "scenes" / "room.yaml"
    text = scene.read_text(encoding="utf-8").replace("size: [1.4, 0.8, 0.72]", "size: [0.4, 0.2, 0.72]")
    scene.write_text(text.replace("offset: [0.05, 0.2]", "offset: [0.0, 0.0]"), encoding="utf-8")
    return dining


def test_where_no_place_is_free_the_plate_is_carried_to_no_other_table(narrow):
    with Session(domain=narrow, scene="room", robot="fake", memory=None) as session:
        episode = session.handle("put the cup left of the plate")
        facts = session.environment.watcher.state.atoms
    assert episode.outcome is Outcome.QUESTION  # whether both may be put elsewhere, before anything moves
    assert episode.message.endswith("Shall I put both on table1?")
    assert not episode.failures
    assert Atom("on", ("plate0", "table0")) in facts


@pytest.mark.parametrize("robot", ["fake", "pybullet"])
def test_what_takes_the_room_is_taken_away_first(dining, robot):
    scene = dining / "scenes" / "room.yaml"
    text = scene.read_text(encoding="utf-8").replace("size: [1.4, 0.8, 0.72]", "size: [0.14, 0.38, 0.72]")
    text = text.replace("on: table0, offset: [0.05, 0.2]}", "on: table0, offset: [0.0, -0.06]}")
    scene.write_text(f"{text}  cup1: {{class: cup, on: table0, offset: [0.0, 0.105]}}\n", encoding="utf-8")
    with Session(domain=dining, scene="room", robot=robot, memory=None) as session:
        episode = session.handle(goal="(and (left_of cup0 plate0) (on plate0 table0))")
        facts = session.environment.watcher.state.atoms
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    assert not episode.failures
    assert facts >= {LEFT, Atom("on", ("plate0", "table0"))}
    assert Atom("on", ("cup1", "table0")) not in facts
    assert (
        "Not so at once: there is no free place on table0 for cup0 that is left of plate0 while cup1 is there."
        in episode.notes
    )


def test_where_nothing_makes_room_the_goal_is_refused_before_anything_moves(narrow):
    with Session(domain=narrow, scene="room", robot="fake", memory=None) as session:
        episode = session.handle(goal="(and (left_of cup0 plate0) (on plate0 table0))")
        seconds = session.environment.robot.clock.now()
    assert episode.outcome is Outcome.REFUSED
    (reason,) = episode.feedback
    assert (reason.code, reason.how) == ("no-room", "Choose another place, or a larger one.")
    assert seconds < 0.2  # nothing was driven or lifted


def test_what_is_moved_away_is_no_longer_left_of_it(dining):
    with Session(domain=dining, scene="room", robot="fake", memory=None) as session:
        session.handle("put the cup left of the plate")
        assert LEFT in session.environment.watcher.state.atoms
        session.handle(goal="(on cup0 table1)")
        assert LEFT not in session.environment.watcher.state.atoms


def test_there_is_room_as_the_robot_sees_it_from_where_it_will_work(dining):
    scene = dining / "scenes" / "room.yaml"
    text = scene.read_text(encoding="utf-8").replace("size: [1.4, 0.8, 0.72]", "size: [0.14, 0.38, 0.72]")
    text = text.replace("on: table0, offset: [0.05, 0.2]}", "on: table0, offset: [0.0, -0.06]}")
    text = text.replace("robot0: {class: robot, pose: [0.0, 0.0, 0.0]", "robot0: {class: robot, pose: [0.0, 0.0, 3.1]")
    scene.write_text(f"{text}  cup1: {{class: cup, on: table0, offset: [0.0, 0.105]}}\n", encoding="utf-8")
    with Session(domain=dining, scene="room", robot="fake", memory=None) as session:
        episode = session.handle(goal="(and (in_front_of_seen_from cup0 plate0 robot0) (on plate0 table0))")
        facts = session.environment.watcher.state.atoms
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    assert not episode.failures
    assert Atom("in_front_of_seen_from", ("cup0", "plate0", "robot0")) in facts
    assert any(note.endswith("seen from robot0 while cup1 is there.") for note in episode.notes)


@pytest.mark.parametrize(("listed", "has_twin"), [("[next_to, left_of]", True), ("[next_to]", False)])
def test_whoever_lists_a_direction_may_name_its_viewer(dining, listed, has_twin):
    path = dining / "domain.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("relations: all", f"relations: {listed}"), encoding="utf-8"
    )
    domain = load_domain(path)
    assert ("put_left_of_seen_from" in domain.capabilities) is has_twin
    assert ("viewpoint" in domain.affordances) is has_twin
    assert {name for name, each in domain.classes.items() if "viewpoint" in each.affordances} == (
        {"robot", "human", "table"} if has_twin else set()
    )
