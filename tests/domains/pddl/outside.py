"""Other programs that read PDDL, asked about what we write."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

__all__ = ["fast_downward", "pyperplan"]


def fast_downward(domain: str, problem: str, folder: Path) -> int | None:
    """Return the least cost of a plan; None when there is provably none."""
    found = importlib.util.find_spec("up_fast_downward")
    if found is None or found.origin is None:
        pytest.skip("Fast Downward (up-fast-downward) is not installed")
    program = Path(found.origin).parent / "downward" / "fast-downward.py"
    output = _run([sys.executable, str(program), "domain.pddl", "problem.pddl", "--search", "astar(blind())"],
                  domain, problem, folder)  # fmt: skip
    cost = re.search(r"Plan cost: (\d+)", output)
    assert cost or "unsolvable" in output, output[-2000:]
    return int(cost[1]) if cost else None


def pyperplan(domain: str, problem: str, folder: Path) -> int:
    """Return the length of a shortest plan."""
    if importlib.util.find_spec("pyperplan") is None:
        pytest.skip("pyperplan is not installed")
    program = "from pyperplan.__main__ import main; main()"
    output = _run([sys.executable, "-c", program, "-s", "bfs", "domain.pddl", "problem.pddl"], domain, problem, folder)
    length = re.search(r"Plan length: (\d+)", output)
    assert length, output[-2000:]
    return int(length[1])


def _run(command: list[str], domain: str, problem: str, folder: Path) -> str:
    (folder / "domain.pddl").write_text(domain, encoding="utf-8")
    (folder / "problem.pddl").write_text(problem, encoding="utf-8")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    return done.stdout + done.stderr
