"""The world of the page about relations does what the page says, with and without physics."""

import pytest

from graftwork import Outcome, Session
from semantics.atoms import Atom
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
        cup, plate = (session.stage.robot.observation().sightings[name].box.centre for name in ("cup0", "plate0"))
    # The person looks along y, so that their left is against x.
    assert cup[0] < plate[0] - 0.08
    assert abs(cup[1] - plate[1]) <= plate[0] - cup[0]


def test_where_no_place_is_free_the_plate_is_moved_first(dining):
    scene = dining / "scenes" / "room.yaml"
    narrow = scene.read_text(encoding="utf-8").replace("size: [1.4, 0.8, 0.72]", "size: [0.4, 0.2, 0.72]")
    scene.write_text(narrow.replace("offset: [0.05, 0.2]", "offset: [0.0, 0.0]"), encoding="utf-8")
    with Session(domain=dining, scene="room", robot="fake", memory=None) as session:
        episode = session.handle("put the cup left of the plate")
        facts = session.stage.watcher.state.atoms
    assert {failure["feedback"]["code"] for failure in episode.failures} == {"no-room"}
    assert episode.outcome is Outcome.ACHIEVED
    assert Atom("on", ("plate0", "table0")) not in facts


def test_what_is_moved_away_is_no_longer_left_of_it(dining):
    with Session(domain=dining, scene="room", robot="fake", memory=None) as session:
        session.handle("put the cup left of the plate")
        assert LEFT in session.stage.watcher.state.atoms
        session.handle(goal="(on cup0 table1)")
        assert LEFT not in session.stage.watcher.state.atoms
