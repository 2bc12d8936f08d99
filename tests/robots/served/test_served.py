import json
import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from robots.errors import BodyUnavailableError
from robots.fake import FakeRobot
from robots.served import BodyServer, ServedRobot
from robots.served.wire import line, read_observation, value, written_observation
from semantics.body.observation import Observation
from semantics.body.protocols import MotionStatus
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code
from semantics.logic.state import Command
from tests.contracts.bodies import LAYOUT

DRIVE = Command("drive", "robot0", {"to": "table0"})
DRIVER = """
import sys, time
from pathlib import Path
from robots.served import ServedRobot
from semantics.logic.state import Command
robot = ServedRobot(Path(sys.argv[1]))
robot.start(Command("drive", "robot0", {"to": "table0"}))
robot.clock.sleep(0.2)
print("moving", flush=True)
time.sleep(60)
"""


@pytest.fixture
def fake() -> FakeRobot:
    return FakeRobot(LAYOUT)


@pytest.fixture
def server(fake: FakeRobot, tmp_path: Path) -> Iterator[BodyServer]:
    with BodyServer(fake, tmp_path / "body") as served:
        yield served


def test_what_is_seen_over_the_connection_is_what_the_body_sees(server: BodyServer, fake: FakeRobot):
    robot = ServedRobot(server.path)
    assert robot.observation() == fake.observation()
    robot.close()


def test_an_observation_survives_the_wire_whole(fake: FakeRobot):
    seen = fake.observation()
    told = Observation(seen.time, 7, seen.sightings, told={Atom("clean", ("cup0",)): False}, numbers={Atom("n"): 1.5})
    small = Observation(1.0, 8, searched=frozenset({"table0"}), undetectable={"table0": frozenset({"cup0", "fork0"})})
    for one in (seen, told, small):
        assert read_observation(value(line(written_observation(one)))) == one


@pytest.mark.parametrize("time", ["x", 10**400, None])
def test_a_time_that_is_none_is_told_as_an_answer_that_cannot_be_read(
    server: BodyServer, monkeypatch: pytest.MonkeyPatch, time: object
):
    robot = ServedRobot(server.path)
    monkeypatch.setattr(
        "robots.served.server.written_observation", lambda seen: {**written_observation(seen), "time": time}
    )
    with pytest.raises(BodyUnavailableError, match="cannot be read"):
        robot.observation()
    robot.close()


def test_a_motion_ends_over_the_connection_as_it_does_without(server: BodyServer, fake: FakeRobot):
    robot = ServedRobot(server.path)
    motion = robot.start(DRIVE)
    while motion.poll().stage is MotionStatus.RUNNING:
        robot.clock.sleep(0.05)
    assert motion.poll().stage is MotionStatus.DONE
    assert fake.world.pose == fake.world.stand("table0")
    refused = robot.start(Command("fly", "robot0", {})).poll()
    assert refused.feedback is not None
    assert refused.feedback.code is Code.REFUSED_BY_BODY
    robot.close()


def test_the_world_is_left_as_it_is_for_the_next_driver(server: BodyServer, fake: FakeRobot):
    first = ServedRobot(server.path)
    first.start(DRIVE)
    first.clock.sleep(30.0)
    first.close()
    second = ServedRobot(server.path)
    assert second.clock.now() == fake.clock.now() >= 30.0
    assert second.observation().agents["robot0"].pose == fake.world.stand("table0")
    second.close()


def test_a_body_whose_driver_is_killed_comes_to_rest_and_can_be_driven_again(server: BodyServer, fake: FakeRobot):
    with subprocess.Popen([sys.executable, "-c", DRIVER, str(server.path)], stdout=subprocess.PIPE) as driver:
        assert driver.stdout is not None
        assert driver.stdout.readline() == b"moving\n"
        os.kill(driver.pid, signal.SIGKILL)
    robot = ServedRobot(server.path)  # answered once the first one is gone
    robot.clock.sleep(1.0)
    assert not robot.observation().agents["robot0"].moving
    assert robot.observation().agents["robot0"].pose != fake.world.stand("table0")
    motion = robot.start(DRIVE)
    robot.clock.sleep(30.0)
    assert motion.poll().stage is MotionStatus.DONE
    robot.close()


def test_the_socket_is_its_owners_alone_and_goes_with_the_server(fake: FakeRobot, tmp_path: Path):
    path = tmp_path / "body"
    with BodyServer(fake, path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not path.exists()


def test_where_nobody_serves_there_is_no_body(tmp_path: Path):
    with pytest.raises(BodyUnavailableError, match="no body is served there"):
        ServedRobot(tmp_path / "nowhere")


def test_a_body_that_goes_is_told_and_to_stop_it_is_no_error(fake: FakeRobot, tmp_path: Path):
    with BodyServer(fake, tmp_path / "body") as server:
        robot = ServedRobot(server.path)
    with pytest.raises(BodyUnavailableError, match="the body is gone"):
        robot.observation()
    robot.stop()
    robot.close()
    with pytest.raises(BodyUnavailableError, match="let go"):
        robot.observation()


def test_two_bodies_are_not_served_at_one_place_and_a_dead_socket_is_replaced(fake: FakeRobot, tmp_path: Path):
    path = tmp_path / "body"
    with BodyServer(fake, path), pytest.raises(BodyUnavailableError, match="served there already"):
        BodyServer(fake, path)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    with BodyServer(fake, path):
        ServedRobot(path).close()


@pytest.mark.parametrize(
    "request_", [b"nonsense", b"[]", b"{}", b'{"do": "dance"}', b'{"do": "poll", "with": 9}', b'{"do": "start"}']
)
def test_a_request_without_sense_is_answered_and_the_next_one_too(server: BodyServer, request_: bytes):
    with socket.socket(socket.AF_UNIX) as raw:
        raw.connect(str(server.path))
        stream = raw.makefile("rwb")
        for _ in range(2):
            stream.write(request_ + b"\n")
            stream.flush()
            assert "error" in json.loads(stream.readline())
        stream.write(b'{"do": "hello"}\n')
        stream.flush()
        about = json.loads(stream.readline())["is"]
        assert (about["name"], about["simulated"]) == ("robot0", True)
        stream.close()
