"""A driver that is frozen, busy or does not read: the robot stops, and nobody else has to wait for it."""

import ctypes
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from robots.errors import BodyUnavailableError
from robots.fake import FakeRobot
from robots.real_time import WallClock
from robots.served import BodyServer, ServedRobot, reception
from semantics.body.motion import Motion
from semantics.body.observation import Observation
from semantics.body.protocols import MotionStatus
from semantics.logic.feedback import Code
from semantics.logic.state import Command
from tests.contracts.bodies import LAYOUT
from tests.robots.served.frames import Raw

LONG = 60.0
"""The longest wait for what has to happen, in seconds; a bound on hangs."""
DRIVE = Command("drive", "robot0", {"to": "table0"})
START = b'{"do": "start", "with": {"primitive": "drive", "agent": "robot0", "roles": {"to": "table0"}}}'
BEGIN = """
import gc, sys, time
from pathlib import Path
from robots.errors import BodyUnavailableError
from robots.served import ServedRobot
from semantics.logic.state import Command
DRIVE = Command("drive", "robot0", {"to": "table0"})
robot = ServedRobot(Path(sys.argv[1]))
motion = robot.start(DRIVE)
robot.clock.sleep(0.2)
print("moving", flush=True)
"""
ASKED_AFTERWARDS = """
sys.stdin.readline()
try:
    print(motion.poll().stage, robot.start(DRIVE).poll().feedback.code, flush=True)
    robot.observation()
    print(robot.start(DRIVE).poll().stage, flush=True)
except BodyUnavailableError:
    print("gone", flush=True)
"""
BUSY = """
import unified_planning.shortcuts, numpy
heap = [[index] for index in range(1_000_000)]
end = time.monotonic() + 4
while time.monotonic() < end:
    gc.collect()
print(motion.poll().stage, flush=True)
"""


HELD = """
import ctypes
ctypes.PyDLL(None).usleep(3_000_000)  # C code that holds the interpreter; no thread of this process runs
"""


class Watched(FakeRobot):
    """A fake that tells when a running motion was stopped, and on request blocks in `start` until it is."""

    blocks = False

    def __init__(self, clock: WallClock | None = None) -> None:
        super().__init__(LAYOUT, clock=clock)
        self.stopped = threading.Event()
        self.entered = threading.Event()

    def start(self, command: Command) -> Motion:
        motion = super().start(command)
        self.entered.set()
        if self.blocks:
            assert self.stopped.wait(LONG)
        return motion

    def stop(self) -> None:
        if self._motions:
            self.stopped.set()
        super().stop()


@contextmanager
def driver(program: str, server: BodyServer) -> Iterator["subprocess.Popen[str]"]:
    """Run a driver in a process of its own; kill it at the end."""
    command = [sys.executable, "-c", program, str(server.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def line_of(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_a_frozen_driver_leaves_a_body_at_rest_and_drives_on_once_it_has_sensed(tmp_path: Path):
    body = Watched()
    with BodyServer(body, tmp_path / "body") as server, driver(BEGIN + ASKED_AFTERWARDS, server) as process:
        assert line_of(process) == "moving"
        process.send_signal(signal.SIGSTOP)
        assert body.stopped.wait(LONG)
        process.send_signal(signal.SIGCONT)
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
        assert line_of(process) == f"{MotionStatus.FAILED} {Code.CANCELLED}"
        assert line_of(process) == MotionStatus.RUNNING


def test_a_frozen_driver_keeps_its_place_only_while_nobody_else_wants_it(tmp_path: Path):
    body = Watched()
    with BodyServer(body, tmp_path / "body") as server, driver(BEGIN + ASKED_AFTERWARDS, server) as process:
        assert line_of(process) == "moving"
        process.send_signal(signal.SIGSTOP)
        robot = ServedRobot(server.path)
        assert body.stopped.is_set()
        assert robot.start(DRIVE).poll().stage is MotionStatus.RUNNING
        process.send_signal(signal.SIGCONT)
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
        assert line_of(process) == "gone"
        robot.close()


def test_a_driver_that_imports_and_collects_garbage_for_seconds_drives_on(tmp_path: Path):
    body = Watched()
    with BodyServer(body, tmp_path / "body") as server, driver(BEGIN + BUSY, server) as process:
        assert line_of(process) == "moving"
        assert line_of(process) == MotionStatus.RUNNING
        assert not body.stopped.is_set()


def test_a_driver_that_c_code_held_up_for_seconds_has_stopped_and_drives_on(tmp_path: Path):
    body = Watched()
    with BodyServer(body, tmp_path / "body") as server, driver(BEGIN + HELD + ASKED_AFTERWARDS, server) as process:
        assert line_of(process) == "moving"
        assert body.stopped.wait(LONG)
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
        assert line_of(process) == f"{MotionStatus.FAILED} {Code.CANCELLED}"
        assert line_of(process) == MotionStatus.RUNNING


def test_a_server_that_c_code_holds_up_does_not_take_its_own_delay_for_silence(tmp_path: Path):
    class Slow(Watched):
        def observation(self) -> Observation:
            ctypes.PyDLL(None).usleep(1_300_000)
            return super().observation()

    body = Slow()
    look = "robot.observation()\nrobot.observation()\nprint(motion.poll().stage, flush=True)"
    with BodyServer(body, tmp_path / "body") as server, driver(BEGIN + look, server) as process:
        assert line_of(process) == "moving"
        assert line_of(process) == MotionStatus.RUNNING


def test_a_driver_frozen_in_a_long_sleep_leaves_a_body_at_rest(tmp_path: Path):
    body = Watched(WallClock())
    with BodyServer(body, tmp_path / "body") as server:
        with driver(BEGIN + "robot.clock.sleep(50)", server) as process:
            assert line_of(process) == "moving"
            process.send_signal(signal.SIGSTOP)
            assert body.stopped.wait(20.0)
        ServedRobot(server.path).close()  # the killed driver's sleep holds nobody up


@pytest.mark.parametrize("how", [signal.SIGSTOP, signal.SIGKILL])
def test_a_body_whose_call_blocks_is_stopped_beside_it(tmp_path: Path, how: signal.Signals):
    body = Watched()
    body.blocks = True
    with BodyServer(body, tmp_path / "body") as server, driver(BEGIN, server) as process:
        assert body.entered.wait(LONG)
        process.send_signal(how)
        assert body.stopped.wait(LONG)
        body.blocks = False
        ServedRobot(server.path).close()


def test_a_client_that_never_reads_is_dropped_and_the_next_one_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(reception, "MOST_UNANSWERED", sys.maxsize)  # what counts here is the deadline of sending
    body = Watched()
    with BodyServer(body, tmp_path / "body") as server, Raw(server.path) as raw:
        assert "is" in raw.ask(START)
        dropped = _send_until_refused(raw)
        assert dropped
        assert body.stopped.wait(LONG)
        robot = ServedRobot(server.path)
        assert robot.start(DRIVE).poll().stage is MotionStatus.RUNNING
        robot.close()


def _send_until_refused(raw: Raw) -> bool:
    """Ask for observations a few at a time and never read one; return whether the server ended the connection."""
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        try:
            raw.socket.sendall(b'{"do": "observation"}\n\n')
        except OSError:
            return True
        time.sleep(0.002)
    return False


def test_a_client_without_heartbeats_is_at_rest_after_a_second_and_goes_on_by_its_next_request(tmp_path: Path):
    body = Watched()
    with BodyServer(body, tmp_path / "body") as server, Raw(server.path) as raw:
        assert "version" not in raw.ask(b'{"do": "hello"}')["is"]
        assert raw.ask(b'{"do": "hello", "with": {"version": 2}}')["is"]["version"] == 2
        assert raw.ask(START) == {"is": 0}
        assert body.stopped.wait(LONG)
        late = _until(lambda: raw.ask(START)["is"], lambda number: number > 0)
        assert raw.ask(b'{"do": "poll", "with": %d}' % late)["is"]["feedback"]["code"] == Code.CANCELLED
        raw.ask(b'{"do": "observation"}')
        again = raw.ask(START)["is"]
        assert raw.ask(b'{"do": "poll", "with": %d}' % again)["is"]["stage"] == MotionStatus.RUNNING


def _until(ask: Callable[[], int], holds: Callable[[int], bool]) -> int:
    while not holds(answer := ask()):
        pass
    return answer


def test_heartbeats_alone_keep_a_robot_moving(tmp_path: Path):
    body = Watched()
    with BodyServer(body, tmp_path / "body") as server:
        robot = ServedRobot(server.path)
        motion = robot.start(DRIVE)
        assert not body.stopped.wait(2.0)
        assert motion.poll().stage is MotionStatus.RUNNING
        with pytest.raises(BodyUnavailableError, match="somebody else"):
            ServedRobot(server.path)
        robot.close()


def test_the_answer_to_an_interrupted_request_is_not_taken_for_that_to_the_next(tmp_path: Path):
    body = FakeRobot(LAYOUT, clock=WallClock())

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with BodyServer(body, tmp_path / "body") as server:
        robot = ServedRobot(server.path)
        before = signal.signal(signal.SIGALRM, interrupt)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with pytest.raises(KeyboardInterrupt):
                robot.clock.sleep(1.0)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, before)
        assert robot.clock.now() > 0.0
        assert robot.observation().number > 0
        robot.close()


def test_an_older_server_gets_no_heartbeats(tmp_path: Path):
    received = []

    def serve(listening: socket.socket) -> None:
        client, _ = listening.accept()
        with client, client.makefile("rb") as stream:
            for request in stream:
                received.append(request)
                hello = {"name": "robot0", "simulated": True} if len(received) == 1 else None
                client.sendall(json.dumps({"is": hello}).encode() + b"\n")

    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "body"))
        listening.listen()
        old = threading.Thread(target=serve, args=(listening,))
        old.start()
        robot = ServedRobot(tmp_path / "body")
        time.sleep(0.5)
        robot.close()
        old.join(LONG)
    assert [json.loads(request)["do"] for request in received] == ["hello", "stop"]


@pytest.mark.parametrize(
    "answer", [b'{"is": NaN}', b'{"is": [1]}', b"[" * 5000, b"{}", b'{"is": {"name": 1}}', b"\xff"]
)
def test_a_server_that_answers_nonsense_is_no_body(tmp_path: Path, answer: bytes):
    def serve(listening: socket.socket) -> None:
        client, _ = listening.accept()
        with client:
            client.recv(1000)
            client.sendall(answer + b"\n")

    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "body"))
        listening.listen()
        thread = threading.Thread(target=serve, args=(listening,))
        thread.start()
        with pytest.raises(BodyUnavailableError):
            ServedRobot(tmp_path / "body")
        thread.join(LONG)
