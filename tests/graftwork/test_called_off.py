"""Ctrl-C while a run still plans: it stops, says so, and leaves nothing running."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from semantics.process.child import family
from tests.planning.processes import running

LONG = "put everything that is on the table and everything that is on the counter in the fridge"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="asks the kernel for processes as Linux has them")
def test_ctrl_c_while_it_plans_stops_it_and_leaves_nothing():
    run = subprocess.Popen(
        [sys.executable, "-m", "graftwork", "run", LONG, "--robot", "fake", "--no-memory"],
        env={**os.environ, "GRAFTWORK_PLANNING_SECONDS": "60"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    while not family(run.pid)[1:] and run.poll() is None:
        time.sleep(0.05)
    time.sleep(1.0)
    started = family(run.pid)[1:]
    assert started
    run.send_signal(signal.SIGINT)
    told = run.communicate(timeout=30)[0].decode()
    assert run.returncode == 4
    assert "stopped" in told
    waiting = time.monotonic() + 5
    while any(map(running, started)) and time.monotonic() < waiting:
        time.sleep(0.05)
    assert not any(map(running, started))
