import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bt import Runner
from bt.runner import signals
from tests.bt.toy import ToyBeliefs, ToyRobot

ROOT = Path(__file__).parents[2]


def outcome(*numbers, arguments=()):
    """Start the program, send it the signals one after the other, and read what it says."""
    command = [sys.executable, "-m", "tests.bt.signalled", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            for number in numbers:
                process.send_signal(number)
                threading.Event().wait(0.2)
            told = json.loads(process.communicate(timeout=30)[0])
        finally:
            process.kill()
    assert process.returncode == 0
    return told


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_cancels_the_run_and_leaves_nothing_running(number):
    told = outcome(number)
    assert (told["status"], told["broken"]) == ("cancelled", False)
    assert number.name in told["why"]
    assert told["cancelled"]
    assert told["running"] == []


def test_a_second_ctrl_c_ends_at_once_with_the_body_stopped():
    told = outcome(signal.SIGINT, signal.SIGINT, arguments=["deaf"])
    assert told["broken"]
    assert told["cancelled"]
    assert told["running"] == []


def test_the_old_handlers_are_put_back():
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    robot = ToyRobot([])
    with signals(Runner(None, robot, ToyBeliefs(robot))):
        assert signal.getsignal(signal.SIGINT) is not before[0]
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_off_the_main_thread_nothing_is_changed():
    robot, seen = ToyRobot([]), []

    def run():
        with signals(Runner(None, robot, ToyBeliefs(robot))):
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGINT)]
