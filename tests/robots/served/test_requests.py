"""What a client sends is checked and bounded: a broken request is answered, and changes nothing."""

import gc
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from robots.fake import FakeRobot
from robots.primitives import PRIMITIVES
from robots.served import BodyServer, ServedRobot
from robots.served.wire import (
    LONGEST_REQUEST,
    LONGEST_SLEEP,
    line,
    read_primitive,
    read_request,
    written_command,
    written_primitive,
)
from semantics.errors import UsageError
from semantics.geometry.geometry import Box
from semantics.geometry.points import MapPoint
from semantics.logic.state import Command
from tests.contracts.bodies import LAYOUT
from tests.robots.served.frames import Raw, broken_frame

FRAMES = int(os.environ.get("GRAFTWORK_FRAMES", "400"))
"""Broken frames of the fuzz."""
START = b'{"do": "start", "with": {"primitive": "drive", "agent": "robot0", "roles": {"to": "table0"}}}'


@pytest.fixture
def fake() -> FakeRobot:
    return FakeRobot(LAYOUT)


@pytest.fixture
def server(fake: FakeRobot, tmp_path: Path) -> Iterator[BodyServer]:
    with BodyServer(fake, tmp_path / "body") as served:
        yield served


def world(fake: FakeRobot) -> tuple[float, str]:
    """Return the time and the ground truth."""
    return fake.clock.now(), repr(sorted(vars(fake.world).items(), key=lambda entry: entry[0]))


@pytest.mark.parametrize(
    "frame",
    [
        b'{"do": "sleep", "with": 1e999}',
        b'{"do": "sleep", "with": -1e999}',
        b'{"do": "sleep", "with": NaN}',
        b'{"do": "sleep", "with": 1e18}',
        b'{"do": "sleep", "with": true}',
        b'{"do": "sleep", "with": "1"}',
        b'{"do": "sleep"}',
        b'{"do": "sleep", "with": 1, "and": 2}',
        b'{"do": "sleep", "do": "stop", "with": 1}',
        b'{"do": "poll", "with": 1e999}',
        b'{"do": "observation", "with": [1]}',
        b'{"do": "stop", "with": {}}',
        b'{"do": ["stop"]}',
        b'{"do": "start", "with": {"primitive": "drive", "agent": "robot0", "roles": {"to": "\\ud800"}}}',
        b'{"do": ' + b"[" * 30000,
        '{"do": "stop"}'.encode("utf-16"),
        b"\xff",
    ],
    ids=lambda frame: frame[:40],
)
def test_a_broken_request_is_answered_and_changes_nothing(server: BodyServer, fake: FakeRobot, frame: bytes):
    before = world(fake)
    with Raw(server.path) as raw:
        assert "error" in raw.ask(frame.replace(b"\n", b""))
        assert raw.ask(b'{"do": "now"}') == {"is": 0.0}
    assert world(fake) == before


PLACES = (
    MapPoint(0.1 + 0.2, -1e-9),
    MapPoint(0.4, 0.1, 0.72),
    Box((0.0, -0.3, 0.72), (0.4, 0.1, 0.72)),
)


@pytest.mark.parametrize("place", PLACES)
def test_a_point_and_a_region_arrive_as_they_were_sent(place: MapPoint | Box):
    command = Command("put", "robot0", {"object": "cup0"}, {"turn": 30.0}, {"where": place})
    assert read_request(line({"do": "start", "with": written_command(command)})).argument == command


@pytest.mark.parametrize(
    "place",
    ["[1]", "[]", "[1, 2, 3, 4]", '"0,0m"', "[1, NaN]", "[1e999, 0]", "[[1, 2], [3, 4]]", "[[1,0,0],[0,1,1]]", "7"],
)
def test_what_is_no_place_is_refused(place: str):
    frame = START.replace(b'"roles"', f'"places": {{"where": {place}}}, "roles"'.encode())
    with pytest.raises(ValueError, match=r"places is an object|no number of JSON"):
        read_request(frame)


def test_a_primitive_comes_back_with_the_places_that_it_takes():
    assert read_primitive(json.loads(json.dumps(written_primitive(PRIMITIVES["put"])))) == PRIMITIVES["put"]


def test_one_request_moves_time_by_a_minute_at_most_and_a_client_may_ask_again(server: BodyServer, fake: FakeRobot):
    with Raw(server.path) as raw:
        assert raw.ask(json.dumps({"do": "sleep", "with": LONGEST_SLEEP}).encode()) == {"is": None}
        assert raw.ask(json.dumps({"do": "sleep", "with": -0.1}).encode()) == {"is": None}
    assert fake.clock.now() == LONGEST_SLEEP
    robot = ServedRobot(server.path)
    robot.clock.sleep(2.5 * LONGEST_SLEEP)
    assert robot.clock.now() == 3.5 * LONGEST_SLEEP
    with pytest.raises(UsageError, match="no finite number"):
        robot.clock.sleep(float("inf"))
    robot.close()


@pytest.mark.parametrize("flood", [b"x" * (2 * LONGEST_REQUEST), b'{"do": "now"}\n' * 100_000])
def test_who_sends_too_much_is_dropped_and_the_next_client_is_served(server: BodyServer, flood: bytes):
    with Raw(server.path) as raw:
        with pytest.raises(OSError, match=r"reset|pipe"):  # noqa: PT012  # either call may be the one that notices
            raw.socket.sendall(flood)
            while raw.socket.recv(1 << 16):
                pass
            raise ConnectionResetError("reset: closed in order")
        ServedRobot(server.path).close()


def test_a_name_of_another_request_is_told_with_the_valid_ones():
    with pytest.raises(ValueError, match="there are hello, now, sleep"):
        read_request(b'{"do": "dance"}')


def test_motions_of_one_driver_do_not_fill_the_memory(server: BodyServer):
    with Raw(server.path) as raw:
        numbers = [raw.ask(START)["is"] for _ in range(600)]
        assert len(server._motions) <= 256
        assert raw.ask(b'{"do": "poll", "with": %d}' % numbers[0])["is"]["stage"] == "running"
        assert "no motion 1" in raw.ask(b'{"do": "poll", "with": 1}')["error"]


def test_a_body_that_senses_no_number_or_cannot_stop_does_not_end_the_server(tmp_path: Path):
    class Odd(FakeRobot):
        def observation(self):
            return replace(super().observation(), time=float("nan"))

        def stop(self):
            raise RuntimeError("no stop")

    with BodyServer(Odd(LAYOUT), tmp_path / "body") as server:
        for _ in range(2):
            with Raw(server.path) as raw:
                assert "error" in raw.ask(b'{"do": "observation"}')
                assert "no stop" in raw.ask(b'{"do": "stop"}')["error"]


def test_after_many_broken_frames_the_world_is_as_valid_requests_left_it_and_memory_is_flat(
    server: BodyServer, fake: FakeRobot
):
    random = Random(14)
    valid, objects = 0, 0
    raw = Raw(server.path)
    for index in range(FRAMES):
        if index == FRAMES // 4:
            gc.collect()
            objects = len(gc.get_objects())
        frame = broken_frame(random)
        before = world(fake)
        reply = raw.ask(frame)
        if "error" in reply:
            assert world(fake) == before, frame
        else:
            read_request(frame)  # what was answered is a valid request
            valid += 1
        if random.random() < 0.02:
            raw.close()
            raw = Raw(server.path)
    raw.close()
    gc.collect()
    assert len(gc.get_objects()) < objects + 3000
    assert valid < FRAMES / 2
    robot = ServedRobot(server.path)
    assert robot.observation() == fake.observation()
    assert robot.clock.now() == fake.clock.now() <= LONGEST_SLEEP * valid
    robot.close()
