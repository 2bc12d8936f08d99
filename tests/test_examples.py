"""The programs in ``examples`` run as they are, and print what they print."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
PRINTED = {
    "batch": (
        "seed1 achieved 4\nseed2 achieved 4\nseed3 achieved 4\nseed4 achieved 4\n4 of 4; 95 % interval 51% to 100%\n"
    ),
    "corrected_run": "'move(end=counter0)' becomes 'move(end=shelf0)'.\nachieved ('on', 'shelf0')\n",
    "juice": (
        "(drive robot0 floor0 table0)\n(take robot0 bottle0 table0)\n"
        "(pour robot0 juice0 bottle0 glass0 table0 :amount 30ml)\nachieved\n"
        "(level bottle0) 450 ml\n(level glass0) 50 ml\n"
        "step 3, (pour robot0 juice0 bottle1 glass0 table0): bottle1 holds 500ml, and 600ml are asked. At most 250ml.\n"
    ),
    "own_body": (
        "achieved (go robot0 hall kitchen) (light robot0 lamp1 kitchen)\n"
        "achieved (go robot0 kitchen hall) (light robot0 lamp0 hall)\n"
        "['lamp0', 'lamp1'] hall\n"
    ),
    "own_planner": (
        "(unstack blue_block red_block)\n(put-down blue_block)\n(pick-up green_block)\n(stack green_block blue_block)\n"
        "(pick-up red_block)\n(stack red_block green_block)\nachieved\n"
    ),
    "own_skill": "(drive robot0 floor0 bench0)\n(polish robot0 cup0 bench0)\nachieved 4 s\n",
    "patrol": "at the table\nat the shelf\nat the table\nat the shelf\ncharged\n",
    "program": "There are 2 on the counter.\nachieved\n",
    "resumed_run": (
        "(take_out robot0 milk0 fridge0 fridge0)\n(move robot0 fridge0 human0)\n(handover robot0 human0 milk0)\n"
        "achieved\n"
    ),
    "sort_by_colour": "8 steps\nachieved\n",
}


@pytest.mark.parametrize("name", PRINTED)
def test_an_example_prints_what_it_prints(name):
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py")],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == PRINTED[name]


def test_every_example_is_run():
    assert {file.stem for file in EXAMPLES.glob("[!t_]*.py")} == PRINTED.keys()


def test_the_tests_of_a_world_pass():
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(EXAMPLES / "test_kitchen.py")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False, cwd=ROOT)
    assert "4 passed" in done.stdout
