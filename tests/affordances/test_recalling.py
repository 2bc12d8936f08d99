"""What an earlier run believed is taken in, and what is sensed now goes before it."""

from affordances.scene import SENSED, Belief, Scene
from affordances.watcher import Watcher
from domains.reader import load_domain, load_scene
from robots.fake import FakeRobot
from semantics.logic.atoms import Atom, Literal

APPLE = Atom("in", ("apple0", "fridge0"))
COLA = Atom("in", ("cola0", "fridge0"))


def watched() -> Watcher:
    domain = load_domain("kitchen")
    scene = load_scene(domain, "small")
    watcher = Watcher(FakeRobot(scene.arrangement), Scene.start(scene, domain))
    watcher.refresh()
    return watcher


def test_what_cannot_be_seen_is_believed_with_its_last_sensing():
    watcher, revision = watched(), 0
    assert watcher.sensed(Literal(COLA)) is None
    revision = watcher.revision
    watcher.recall({COLA: Belief(COLA, SENSED, 0.0, 0.0)})
    assert COLA in watcher.state.atoms
    assert watcher.sensed(Literal(COLA)) is True
    assert watcher.revision > revision


def test_what_is_seen_elsewhere_is_not_believed_where_it_was():
    watcher = watched()  # the apple lies on the table, in full view
    watcher.recall({APPLE: Belief(APPLE, SENSED, 0.0, 0.0)})
    assert APPLE not in watcher.state.atoms
    assert Atom("on", ("apple0", "table0")) in watcher.state.atoms


def test_what_nobody_had_sensed_is_only_believed():
    watcher = watched()
    watcher.recall({COLA: Belief(COLA, "an earlier run")})
    assert COLA in watcher.state.atoms
    assert watcher.sensed(Literal(COLA)) is None


def test_a_fact_that_only_follows_is_worked_out_anew():
    watcher = watched()
    wrong = Atom("hand_occupied", ("robot0",))
    watcher.recall({wrong: Belief(wrong, SENSED, 0.0, 0.0)})
    assert wrong not in watcher.state.atoms
