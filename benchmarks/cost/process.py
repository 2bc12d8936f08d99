"""What ``graftwork plan`` costs as a process.

Its time is divided by that of a Python that does nothing, and on problems of `benchmarks.any` by that of
``fast-downward.py --alias lama-first`` on the same files, where this takes less than about a second. They run in turn.
The byte code is kept in a folder of its own, which the first runs fill, so that it is there as in an installed copy.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

from benchmarks.any.families import FAMILIES, SEED, problem_of
from benchmarks.any.rows import fast_downward, written_files
from benchmarks.cost.figure import Figure

__all__ = ["measure"]

ROOT = Path(__file__).parents[2]
STARTS, TIMES, HELP, MODULES, SETTINGS = 45.0, 5.0, 8.0, 400, 150
"""Bounds: a plan in starts of Python and in times of the other planner, the help in starts, and counts of modules."""
SHORT = 30.0
"""Rows where the other planner takes longer than this, in bare starts, are left out: about a second."""
SIZES = (0, 4)
"""The sizes of each family."""
BARE = (sys.executable, "-c", "pass")
COMMAND = (sys.executable, "-m", "graftwork")
SENTENCES = (("open the fridge", "small"), ("bring me the milk", "small"), ("put all the fruit on the shelf", "full"))
"""Sentences in scenes of the kitchen."""
COUNTED = "import sys\n{}\nsys.stderr.write(f'{{len(sys.modules)}}')"
"""Does something, and writes how many modules are imported."""
PLAN = (
    "sys.argv[1:] = ['plan', 'bring me the milk', '--scene', 'small']\n"
    "from graftwork.__main__ import main\n"
    "try:\n    main()\nexcept SystemExit:\n    pass"
)


def measure(runs: int) -> Iterator[Figure]:
    """Yield the figures; each is the median of as many `runs`."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)

        def seconds(command: Sequence[str]) -> float:
            return _seconds(command, environment)

        yield Figure("graftwork --help", _ratio((*COMMAND, "--help"), BARE, runs, seconds), HELP, "bare starts")
        for words, scene in SENTENCES:
            plan = (*COMMAND, "plan", words, "--scene", scene)
            yield Figure(f"plan: {words}, {scene}", _ratio(plan, BARE, runs, seconds), STARTS, "bare starts")
        yield from _beside_the_other(runs, seconds)
        yield Figure("graftwork plan", _modules(PLAN, environment), MODULES, "modules")
        settings = _modules("import graftwork.setup.settings", environment)
        yield Figure("graftwork.setup.settings", settings, SETTINGS, "modules")


def _beside_the_other(runs: int, seconds: Callable[[Sequence[str]], float]) -> Iterator[Figure]:
    """Yield the figures of the problems that the other planner solves soon."""
    for family in FAMILIES:
        for size in SIZES:
            with written_files(problem_of(family, size, SEED)) as folder:
                files = [str(folder / name) for name in ("domain.pddl", "problem.pddl")]
                other = fast_downward(["--plan-file", str(folder / "plan"), "--alias", "lama-first", *files])
                if _ratio(other, BARE, 1, seconds) >= SHORT:
                    continue
                ours = (*COMMAND, "plan", "--domain", files[0], "--scene", files[1], "--search", "first")
                ratio = _ratio(ours, other, runs, seconds)
                yield Figure(f"plan: {family} {size}", ratio, TIMES, "times fast-downward.py")


def _ratio(ours: Sequence[str], other: Sequence[str], runs: int, seconds: Callable[[Sequence[str]], float]) -> float:
    """Return the median ratio of the times of two commands, which run in turn; the first runs do not count."""
    seconds(ours)
    return median(seconds(ours) / ((seconds(other) + seconds(other)) / 2) for _ in range(runs))


def _seconds(command: Sequence[str], environment: Mapping[str, str]) -> float:
    with tempfile.TemporaryDirectory() as folder:  # the other planner leaves files where it runs
        began = time.perf_counter()
        subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
        return time.perf_counter() - began


def _modules(code: str, environment: Mapping[str, str]) -> int:
    """Return how many modules a Python has imported after some code."""
    done = subprocess.run(
        [sys.executable, "-c", COUNTED.format(code)], env=environment, capture_output=True, text=True, check=True
    )
    return int(done.stderr)
