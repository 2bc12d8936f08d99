import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import up_fast_downward

from benchmarks.any.families import FAMILIES, SECOND_SEED, SEED, SIZES, problem_of

DRIVER = Path(up_fast_downward.__file__).parent / "downward" / "fast-downward.py"
ROOT = Path(__file__).parents[2]
PRINTS = """
from hashlib import sha256
from benchmarks.any.families import FAMILIES, SEED, problem_of
for family in FAMILIES:
    for size in (0, 3):
        print(family, size, sha256("".join(problem_of(family, size, SEED)).encode()).hexdigest())
"""


def objects_in(problem):
    listed = problem[problem.index("(:objects") + len("(:objects") : problem.index("(:init")]
    return re.sub(r"\s- [\w-]+", "", listed).replace(")", "").split()


@cache
def first_plan(family, folder):
    """Return the actions that lama-first finds at the smallest size, and what it wrote."""
    for name, text in problem_of(family, 0, SEED)._asdict().items():
        (folder / f"{name}.pddl").write_text(text)
    command = [sys.executable, str(DRIVER), "--alias", "lama-first", "domain.pddl", "problem.pddl"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    lines = (folder / "sas_plan").read_text().splitlines()
    return [line for line in lines if line.startswith("(")], run.stdout + run.stderr


@pytest.fixture(scope="module", params=FAMILIES)
def family(request):
    return request.param


@pytest.fixture(scope="module")
def folder(family, tmp_path_factory):
    return tmp_path_factory.mktemp(family)


@pytest.mark.parametrize("size", [0, 3])
def test_a_seed_makes_one_problem_and_another_seed_makes_another(family, size):
    assert problem_of(family, size, SEED) == problem_of(family, size, SEED)
    assert problem_of(family, size, SEED) != problem_of(family, size, SECOND_SEED)


def test_the_text_does_not_depend_on_the_order_of_hashes():
    printed = [
        subprocess.run(
            [sys.executable, "-c", PRINTS],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1]
    assert len(printed[0].splitlines()) == 2 * len(FAMILIES)


def test_a_larger_size_never_has_fewer_objects(family):
    counts = [len(objects_in(problem_of(family, size, SEED).problem)) for size in range(SIZES)]
    assert counts == sorted(counts)
    assert counts[-1] > counts[0]


@pytest.mark.parametrize("size", [0, 3])
def test_no_name_is_given_to_two_objects(family, size):
    names = objects_in(problem_of(family, size, SEED).problem)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("size", [0, 3])
def test_the_text_is_lower_case_without_comments_and_its_parentheses_match(family, size):
    for text in problem_of(family, size, SEED):
        assert text == text.lower()
        assert ";" not in text
        assert text.count("(") == text.count(")")
        assert all(line == line.rstrip() for line in text.splitlines())


def test_the_smallest_problem_is_solved_and_read_without_a_warning(family, folder):
    assert "warning" not in first_plan(family, folder)[1].lower()


def test_the_start_does_not_fulfil_the_goal_of_the_smallest_problem(family, folder):
    assert len(first_plan(family, folder)[0]) > 0


def test_the_household_grows_from_100_to_600_objects_and_has_costs_at_odd_sizes():
    problems = [problem_of("household", size, SEED).problem for size in range(SIZES)]
    assert (len(objects_in(problems[0])), len(objects_in(problems[-1]))) == (100, 600)
    assert ["total-cost" in problem for problem in problems] == [size % 2 == 1 for size in range(SIZES)]
