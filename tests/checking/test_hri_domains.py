"""The 25 generated PDDL domains of HRI-EU/pddl-domains: what is told of each is what is wrong with it.

Only codes and places are kept here; the files are read from ``GRAFTWORK_DATA``. The answers come from reading the
files; those about types and requirements from a search in their text that shares no code with the check. Two, a
requirement that the goal of a problem needs, were added when the check had told them and they were found to be right.
"""

import os
from pathlib import Path

import pytest

from domains.errors import Diagnostic, Severity
from graftwork.checks import check_paths

ANSWERS = Path(__file__).parent / "hri" / "expected.txt"


def answers() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in ANSWERS.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            found[line.strip("[]")] = here = []
        elif not line.startswith("#"):
            here.append(line)
    return found


def domains() -> Path:
    data = os.environ.get("GRAFTWORK_DATA")
    if not data:
        pytest.skip("GRAFTWORK_DATA names no folder with hri_pddl_domains in it")
    folder = Path(data) / "hri_pddl_domains" / "results"
    if not folder.is_dir():
        pytest.skip(f"there is no {folder}")
    return folder


def written(problem: Diagnostic) -> str:
    return f"{Path(problem.file).name}:{problem.line}:{problem.column}: {problem.code}"


@pytest.mark.parametrize("name", answers())
def test_a_generated_domain_is_told_what_is_wrong_with_it(name: str):
    problems = check_paths([str(domains() / name)]).problems
    assert [written(problem) for problem in problems] == answers()[name]
    assert {problem.severity for problem in problems} == {Severity.WARNING}


def test_there_are_25_answers():
    assert len(answers()) == 25


def test_where_no_plan_was_found_the_goal_is_told_to_be_out_of_reach():
    for name, told in answers().items():
        has_plan = (domains() / name / "plan.json").exists()
        assert any("unreachable-goal" in line for line in told) != has_plan
