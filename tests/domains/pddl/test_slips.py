"""What other planners read of PDDL with slips is read here too, with a warning at its place."""

from pathlib import Path

import pytest

from domains.errors import DomainFileError
from domains.pddl import read_pddl_domain, read_pddl_problem, read_pddl_reading
from domains.problem import Problem
from planning import FastDownward, solve
from semantics.logic.atoms import dnf
from semantics.logic.state import Plan, State
from tests.domains.pddl.slips import DOMAIN, PROBLEM, SLIPS, Slip
from tests.domains.pddl.translator import reads

REFUSED_ON_PURPOSE = {
    "a parameter twice",
    "a parameter with a type that is not declared",
    "a predicate that is a function",
    "a predicate twice with other arguments",
    "a type above itself",
    "a variable of a quantifier without '?'",
    "no space after a dash in a quantifier",
}
"""What the translator reads, as something that its author hardly means."""


def slipped(slip: Slip) -> tuple[str, str]:
    return DOMAIN.replace(slip.old, slip.new), PROBLEM.replace(slip.old, slip.new)


def written(slip: Slip, folder: Path) -> tuple[Path, Path]:
    paths = folder / "domain.pddl", folder / "problem.pddl"
    for path, text in zip(paths, slipped(slip), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def told(slip: Slip, folder: Path) -> tuple[list[str], bool]:
    """Return line, column and code of what is reported, the errors alone if there are any, and whether there are."""
    domain, problem = written(slip, folder)
    try:
        reading = read_pddl_reading(domain)
        problems = (
            *reading.document.diagnostics.problems,
            *read_pddl_problem(reading.domain, problem).diagnostics.problems,
        )
        refused = False
    except DomainFileError as error:
        problems, refused = tuple(one for one in error.problems if one.severity == "error"), True
    return [f"{one.line}:{one.column} {one.code}" for one in problems], refused


@pytest.mark.parametrize("slip", SLIPS.values(), ids=SLIPS)
def test_a_slip_is_told_at_its_place(slip: Slip, tmp_path: Path):
    assert slipped(slip) != (DOMAIN, PROBLEM)
    reports, refused = told(slip, tmp_path)
    assert (reports[:1], refused) == ([slip.report] if slip.report else [], slip.refused)


def test_what_the_translator_of_fast_downward_reads_is_read():
    answers = reads(slipped(slip) for slip in SLIPS.values())
    unread = {name for (name, slip), fit in zip(SLIPS.items(), answers, strict=True) if fit and slip.refused}
    assert sum(answers) > 60
    assert unread == REFUSED_ON_PURPOSE


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("objects are numbers", "(kick blue 1 attic)"),
        ("an object begins with a colon", "(kick blue cellar :attic)"),
        ("a predicate begins with a digit", "(kick blue cellar attic)"),
        ("a variable has no name", "(kick blue cellar attic)"),
        ("a type has a dot", "(kick blue cellar attic)"),
        ("an action twice", "(kick blue cellar attic)"),
        ("no space between variables", "(kick blue cellar attic)"),
    ],
)
def test_a_world_with_odd_names_has_a_plan(name: str, step: str, tmp_path: Path):
    domain_path, problem_path = written(SLIPS[name], tmp_path)
    domain = read_pddl_domain(domain_path)
    problem = read_pddl_problem(domain, problem_path)
    planner = FastDownward()
    state = State(problem.scene.facts, problem.scene.numbers)
    answer = solve(Problem(domain, problem.scene.things, state, dnf(problem.goal)), planner=planner)
    planner.close()
    assert isinstance(answer, Plan)
    assert list(map(str, answer.steps)) == [step]


def test_two_actions_of_one_name_are_two_actions(tmp_path: Path):
    path, _ = written(SLIPS["an action twice"], tmp_path)
    assert list(read_pddl_domain(path).capabilities) == ["go", "kick", "go-2"]


def test_a_missing_space_is_named(tmp_path: Path):
    domain, problem = written(SLIPS["no space after a dash in the objects"], tmp_path)
    warnings = read_pddl_problem(read_pddl_domain(domain), problem).diagnostics.problems
    assert "a space is missing after the dash" in warnings[0].message
    domain, _ = written(SLIPS["no space after a dash in parameters"], tmp_path)
    with pytest.raises(DomainFileError, match="a space is missing after the dash"):
        read_pddl_domain(domain)


def test_letters_of_another_encoding_do_no_harm_in_a_comment(tmp_path: Path):
    path = tmp_path / "domain.pddl"
    path.write_bytes(f"; Zürich\n{DOMAIN}".encode("latin-1"))
    assert [(one.line, one.column, one.code) for one in read_pddl_reading(path).document.diagnostics.problems] == [
        (1, 4, "encoding")
    ]
    path.write_bytes(DOMAIN.replace("lit", "glüht").encode("latin-1"))
    with pytest.raises(DomainFileError, match="UTF-8"):
        read_pddl_domain(path)
