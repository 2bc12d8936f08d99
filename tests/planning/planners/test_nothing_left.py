"""When the program ends, however that is, so does the worker."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.planning.processes import children, running, wait_for

PARENT = """
import threading
from planning import FastDownward
from tests.planning.planners.hard import HARD
planner = FastDownward(greedy=None)
planner.warm_up()
print(planner._worker.process.pid, flush=True)
planner.solve(HARD.domain, HARD.problem, seconds=60.0)
"""


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_outlives_a_killed_program(blow, tmp_path):
    root = Path(__file__).parents[3]
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(root)}
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=tmp_path,
        env=environment,
        text=True,
    )
    with parent:
        worker = int(parent.stdout.readline())
        (search,) = wait_for(lambda: children(worker), 20)
        parent.send_signal(blow)
        parent.wait(20)
        assert wait_for(lambda: not running(worker) and not running(search))
    assert list(tmp_path.iterdir()) == []


def test_a_program_killed_during_translation_leaves_nothing(tmp_path):
    script = Path(__file__).parents[3] / "planning" / "planners" / "worker.py"
    worker = subprocess.Popen(
        [sys.executable, "-P", str(script), "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
    )
    with worker:
        worker.stdin.close()
        assert worker.wait(20) == 0
    assert list(tmp_path.iterdir()) == []
