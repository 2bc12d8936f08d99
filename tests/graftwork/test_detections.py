"""What a body detects in a session: errors of its camera, bad detections, and things that come and go."""

import gc
import tracemalloc
from dataclasses import replace
from math import nan

import pytest

from domains.reader import load_domain, load_scene
from domains.worlds import WORLDS
from graftwork import Session
from graftwork.record.episode import Outcome
from robots.fake import FakeRobot
from robots.noise import Noise
from semantics.body import observation
from semantics.body.layout import MovableObject
from semantics.body.observation import MOST_KNOWN, Detection, Observation, Sighting
from semantics.geometry.geometry import Box
from semantics.logic.atoms import Atom

KITCHEN = load_domain("kitchen")
SMALL = load_scene(KITCHEN, "small")


class Seeing(FakeRobot):
    """A body whose detector finds something else: what `found` makes of each sensing."""

    def __init__(self, found, *pieces: MovableObject):
        self.found = found
        super().__init__(replace(SMALL.layout, pieces=(*SMALL.layout.pieces, *pieces)))

    def _observed(self, now: float, number: int) -> Observation:
        seen = super()._observed(now, number)
        return replace(seen, detections=tuple(self.found(seen)))


def unlisted(name: str, label: str, class_name: str = "", where="counter0", offset=(0.3, 0.0)) -> MovableObject:
    return MovableObject(name, KITCHEN.classes[class_name or label].shape, "on", where, offset, label=label)


def opened(robot, **given) -> Session:
    return Session(scene="small", robot=robot, memory=None, **given)


def fake(*pieces: MovableObject) -> FakeRobot:
    return Seeing(lambda seen: seen.detections, *pieces)


@pytest.mark.parametrize("seed", range(1, 13))
def test_with_the_errors_of_a_camera_the_right_thing_is_moved(seed: int):
    noise = Noise(seed, misses=0.1, false_names=0.05, position_sigma=0.01, names={"pear0": ["lemon", "sextant"]})
    with opened(fake(unlisted("pear0", "orange")), noise=noise) as session:
        episode = session.handle("put the orange on the table")
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert session.environment.robot.world.carriers["pear0"] == ("on", "table0")


def test_what_the_first_pictures_misname_is_known_before_it_is_asked_for():
    false = {1: "lemon", 2: "pan", 3: "cup", 4: "fork", 5: "plate"}

    def err(seen: Observation) -> Observation:
        found = tuple(replace(each, label=false.get(seen.number, each.label)) for each in seen.detections)
        return replace(seen, detections=found)

    with opened(fake(unlisted("pear0", "orange")), noise=err) as session:
        assert session.environment.world.origins.keys() == {"orange0"}


def test_a_detector_that_names_everything_cup_leads_to_no_false_success():
    robot = Seeing(
        lambda seen: (replace(found, label="cup") for found in seen.detections),
        unlisted("thing1", "orange"),
        unlisted("thing2", "lemon", "orange", offset=(0.0, 0.0)),
    )
    with opened(robot) as session:
        episode = session.handle("put the orange on the table")
        assert episode.outcome is not Outcome.ACHIEVED
        assert robot.world.carriers["thing1"] == ("on", "counter0")


def test_bad_detections_are_noted_once_and_change_nothing(tmp_path):
    bad = Detection("orange", Sighting("", Box((nan, 0.0, 0.0), (0.1, 0.1, 0.1))))
    with opened(Seeing(lambda _: (bad,)), record=tmp_path / "record") as session:
        episode = session.handle("put the apple on the counter")
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert not session.environment.world.origins
    journal = next((tmp_path / "record").glob("*.jsonl")).read_text(encoding="utf-8")
    assert journal.count("it has a number that is not finite") == 1


def test_a_thing_that_returns_as_another_class_is_another_thing():
    robot = Seeing(lambda seen: (replace(found, label=label) for found in seen.detections), unlisted("a", "orange"))
    label = "orange"
    with opened(robot) as session:
        watcher = session.environment.watcher
        label = "lemon"
        for _ in range(5):
            robot.clock.sleep(0.3)
            watcher.refresh()
        assert Atom("on", ("orange0", "counter0")) not in watcher.state.atoms
        assert Atom("on", ("lemon0", "counter0")) in watcher.state.atoms
        session.handle("put the orange on the table")
        assert robot.world.carriers["a"] == ("on", "counter0")


def come_and_go(session: Session, first: int, last: int) -> int:
    """Let things come and go, and return the memory in use at the end."""
    robot, watcher = session.environment.robot, session.environment.watcher
    for turn in range(first, last):
        robot.add_piece(unlisted(f"thing{turn}", "orange"))
        robot.clock.sleep(0.2)
        watcher.refresh()
        robot.remove_piece(f"thing{turn}")
        robot.clock.sleep(0.2)
        watcher.refresh()
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def test_things_that_come_and_go_take_bounded_memory(monkeypatch):
    monkeypatch.setattr(observation, "MOST_KNOWN", 32)
    with opened(fake()) as session:
        come_and_go(session, 0, 40)
        tracemalloc.start()
        try:
            before = come_and_go(session, 40, 80)
            after = come_and_go(session, 80, 160)
        finally:
            tracemalloc.stop()
        assert after - before < 20_000  # a kilobyte of each would come to 80
        assert len(session.environment.world.origins) <= 33
        assert "orange159" in session.environment.world.objects


def test_what_a_running_goal_needs_is_not_forgotten():
    with opened(fake(unlisted("mine", "orange"))) as session:
        run = session.start("put the orange on the table")
        run.wait()
        run.tick()
        robot, watcher = session.environment.robot, session.environment.watcher
        box = Box((0.0, 0.0, 3.0), (0.1, 0.1, 3.1))
        for turn in range(MOST_KNOWN + 9):
            robot.found = lambda _, turn=turn: (Detection("lemon", Sighting(f"x{turn}", box)),)
            robot.clock.sleep(0.2)
            watcher.refresh()
        assert "orange0" in session.environment.world.objects
        assert "lemon0" not in session.environment.world.objects
        run.cancel()


def test_an_unlisted_thing_of_a_scene_is_there_and_nobody_is_told(tmp_path):
    written = (WORLDS / "kitchen" / "scenes" / "small.yaml").read_text(encoding="utf-8")
    more = "unlisted:\n  thing1: {class: orange, label: blood orange, on: counter0, offset: [0.3, 0.0]}\n"
    (tmp_path / "more.yaml").write_text(f"{written}\n{more}", encoding="utf-8")
    scene = load_scene(KITCHEN, str(tmp_path / "more.yaml"))
    assert "thing1" not in scene.things
    assert not any("thing1" in atom.args for atom in (*scene.facts, *scene.numbers))
    with Session(scene=tmp_path / "more.yaml", robot="fake", memory=None) as session:
        assert session.environment.world.origins["blood_orange0"].label == "blood orange"
