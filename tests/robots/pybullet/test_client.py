import os
import subprocess
import sys

import pytest

import robots.pybullet


def test_loading_the_simulated_body_says_nothing():
    done = subprocess.run([sys.executable, "-c", "import robots.pybullet"], capture_output=True, timeout=60, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")


def test_a_part_of_it_says_nothing_either():
    code = "import robots.pybullet.scenery.world"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")


def test_it_loads_in_a_process_without_standard_error():
    code = "import os; os.close(2); import robots.pybullet; print('loaded')"
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, timeout=60, check=True)
    assert done.stdout == b"loaded\n"


def test_what_else_is_written_meanwhile_comes_out(monkeypatch, capfd):
    def load(name):
        os.write(2, b"pybullet build time: today\nno graphics here\n")
        raise ImportError(f"{name} has no fitting library")

    monkeypatch.setattr(robots.pybullet.importlib, "import_module", load)
    with pytest.raises(ImportError, match="pybullet has no fitting library"):
        robots.pybullet.import_pybullet()
    assert capfd.readouterr().err == "no graphics here\n"
