"""A run in a world that grows is broken off and gone on with: names, agreements and bound words stay."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bt.record import read_record
from domains.reader import load_domain, load_scene
from graftwork import Outcome, Session
from graftwork.run.past import read_past
from robots.fake import FakeRobot
from robots.served import BodyServer
from semantics.body.layout import MovableObject
from tests.graftwork.test_resuming import as_if_killed, opened

KITCHEN = load_domain("kitchen")
SMALL = load_scene(KITCHEN, "small")
KILLED = """
import os, signal, sys
from graftwork import Session
socket, record, said, ticks, answer = sys.argv[1:]
with Session("kitchen", "small", robot=f"served:{socket}", memory=None, record=record) as session:
    run = session.start(said)
    run.wait()
    if run.question is not None:
        run.say(answer)
        run.wait()
    while run.runner.ticks < int(ticks):
        run.tick()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def unlisted(name: str, label: str, where: str = "counter0", class_name: str = "", offset=(0.3, 0.0)) -> MovableObject:
    return MovableObject(name, KITCHEN.classes[class_name or label].shape, "on", where, offset, label=label)


class Nameless(FakeRobot):
    """A body that has no names of its own for what it detects."""

    def _observed(self, now: float, number: int):
        seen = super()._observed(now, number)
        bare = (replace(each, sighting=replace(each.sighting, name="")) for each in reversed(seen.detections))
        return replace(seen, detections=tuple(bare))


@pytest.fixture
def body() -> FakeRobot:
    return FakeRobot(SMALL.layout)


@pytest.fixture
def socket(body: FakeRobot, tmp_path: Path) -> Iterator[Path]:
    with BodyServer(body, tmp_path / "body") as server:
        yield server.path


def killed(socket: Path, record: Path, said: str, ticks: int, answer: str = "yes") -> None:
    """Do a sentence for some ticks in a process of its own, which then kills itself."""
    words = [sys.executable, "-c", KILLED, str(socket), str(record), said, str(ticks), answer]
    done = subprocess.run(words, env=os.environ, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert read_record(record)[-1]["e"] != "end"


def test_after_a_kill_a_thing_has_its_name_and_no_other_gets_it(body, socket: Path, tmp_path: Path):
    body.add_piece(unlisted("thing1", "orange"))
    killed(socket, tmp_path / "one", "put the orange on the table", 30)
    body.add_piece(unlisted("thing0", "orange", offset=(0.0, 0.1)))  # found first, by its name
    with opened(socket, tmp_path / "two") as session:
        run = session.resume(tmp_path / "one")
        assert session.environment.robot.handles == {"orange0": "thing1", "orange1": "thing0"}
        assert run.finish().outcome is Outcome.ACHIEVED
    assert body.world.carriers["thing1"] == ("on", "table0")
    assert body.world.carriers["thing0"] == ("on", "counter0")
    assert read_past(tmp_path / "two").given == {"orange0", "orange1"}


def test_what_a_person_has_agreed_to_stands_after_a_kill(body, socket: Path, tmp_path: Path):
    body.add_piece(unlisted("thing1", "tagine", class_name="bowl"))
    killed(socket, tmp_path / "one", "put the apple in the tagine", 30)
    with opened(socket) as session:
        episode = session.resume(tmp_path / "one").finish()
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert session.environment.world.origins["tagine0"].source == "guessed"
    assert body.world.carriers["apple0"] == ("in", "thing1")


def test_after_a_kill_all_of_a_sort_still_means_what_comes_into_view(body, socket: Path, tmp_path: Path):
    body.add_piece(unlisted("thing1", "orange", "table0", offset=(0.0, 0.25)))
    killed(socket, tmp_path / "one", "put all the fruit on the counter", 30)
    (every,) = read_past(tmp_path / "one").goal.every
    assert "orange0" in every.names
    with opened(socket) as session:
        run = session.resume(tmp_path / "one")
        run.wait()
        for _ in range(30):
            assert run.tick()
        body.add_piece(unlisted("thing2", "orange", "table0", offset=(0.1, 0.25)))
        episode = run.finish()
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert "orange1" in str(episode.goal)
    assert {body.world.carriers[name] for name in ("thing1", "thing2", "apple0")} == {("on", "counter0")}


def broken_off(session: Session, record: Path, said: str, ticks: int) -> None:
    with session:
        run = session.start(said)
        run.wait()
        while run.runner.ticks < ticks:
            run.tick()
    as_if_killed(record)


def test_without_a_name_of_the_body_a_thing_is_known_by_its_label_and_place(tmp_path: Path):
    body = Nameless(replace(SMALL.layout, pieces=(*SMALL.layout.pieces, unlisted("b", "orange"))))
    with BodyServer(body, tmp_path / "body") as server:
        broken_off(opened(server.path, tmp_path / "one"), tmp_path / "one", "put the apple on the counter", 30)
        body.add_piece(unlisted("a", "orange", offset=(0.0, 0.1)))
        with opened(server.path) as session:
            places = lambda: {name: seen.box.centre for name, seen in session.environment.watcher.sightings.items()}  # noqa: E731
            before = places()["orange1"]
            session.resume(tmp_path / "one")
            assert set(session.environment.world.origins) == {"orange0", "orange2"}  # orange1 was given before
            assert places()["orange0"] == before


def test_a_thing_of_the_goal_that_is_gone_meanwhile_is_no_success(body, socket: Path, tmp_path: Path):
    body.add_piece(unlisted("thing1", "orange"))
    broken_off(opened(socket, tmp_path / "one"), tmp_path / "one", "put the orange on the table", 30)
    body.remove_piece("thing1")
    body.add_piece(unlisted("thing2", "orange", "table0", offset=(0.0, 0.25)))  # another one, where it was to be
    with opened(socket) as session:
        episode = session.resume(tmp_path / "one").finish()
    assert episode.outcome not in (Outcome.ACHIEVED, Outcome.ALREADY), episode.message
    assert "orange0" in episode.message


def test_a_class_that_does_not_exist_any_more_is_not_relied_on(body, socket: Path, tmp_path: Path):
    body.add_piece(unlisted("thing1", "orange"))
    broken_off(opened(socket, tmp_path / "one"), tmp_path / "one", "put the orange on the table", 30)
    past = read_past(tmp_path / "one")
    past = replace(past, things={name: replace(each, class_name="gone") for name, each in past.things.items()})
    with opened(socket) as session:
        episode = session.resume(past).finish()
    assert episode.outcome is not Outcome.ACHIEVED, episode.message
    assert body.world.carriers["thing1"] == ("on", "counter0")


def test_a_record_tells_things_as_differences_and_the_report_shows_them(tmp_path: Path):
    layout = replace(SMALL.layout, pieces=(*SMALL.layout.pieces, unlisted("thing1", "tagine", class_name="bowl")))
    with Session(scene="small", robot=FakeRobot(layout), memory=None, record=tmp_path / "one") as session:
        run = session.start("put the apple in the tagine")
        run.wait()
        run.say("yes")
        run.wait()
        for _ in range(30):
            run.tick()
        session.environment.robot.add_piece(unlisted("thing2", "orange", "table0", offset=(0.0, 0.25)))
        assert run.finish().outcome is Outcome.ACHIEVED
    events = [event for event in read_record(tmp_path / "one") if event["e"] == "revision"]
    assert [event["text"].partition(" (")[0] for event in events] == [
        "tagine0 is in view",
        "tagine0 is known otherwise",
        "orange0 came into view",
    ]
    assert [event["revision"] for event in events] == sorted({event["revision"] for event in events})
    assert [each["name"] for event in events for each in event["things"]] == ["tagine0", "tagine0", "orange0"]
    known = events[1]["things"][0]
    assert (known["class"], known["label"], known["source"]) == ("bowl", "tagine", "guessed")
    assert 0.0 < known["probability"] < 1.0
    assert "orange0 came into view (an orange)" in (tmp_path / "one" / "report.html").read_text()


@pytest.mark.parametrize(
    "wrong",
    [
        {"probability": 7},
        {"name": "no name"},
        {"name": "a" + "9" * 99},
        {"box": [1, 2]},
        {"box": [1, 0, 0, 0, 1, 1]},
        {"box": [0, 0, 0, 1, 1, float("inf")]},
    ],
)
def test_a_record_that_tells_impossible_things_is_refused(wrong, tmp_path: Path):
    from affordances.newcomers import KnownThing

    good = {
        "name": "orange0",
        "class": "orange",
        "label": "orange",
        "source": "pack",
        "probability": 1.0,
        "is_open": False,
    }
    good |= {"box": [0.0, 0.0, 1.0, 0.1, 0.1, 1.1], "handle": ""}
    assert json.loads(json.dumps(KnownThing.from_dict(good).as_dict())) == good
    with pytest.raises((ValueError, KeyError, TypeError)):
        KnownThing.from_dict({**good, **wrong})
