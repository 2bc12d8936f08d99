"""Checks of PDDL domains and problems; a domain is checked together with the problems beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from domains.errors import Diagnostic, DomainFileError, Severity
from domains.invariants.mentions import certain
from domains.lint import PddlPlaces, lint_domain, lint_scene
from domains.lint.usage import fluents_read
from domains.model import Domain, SceneFile
from domains.pddl.reader import Document, ProblemFile, open_document, read_problem_document
from domains.pddl.reader.domain import read_domain_document
from domains.problem import Problem
from graftwork.checks.worlds import CheckedDomain
from planning.reasons import out_of_reach
from semantics.errors import UsageError
from semantics.logic.atoms import conjoined, literals
from semantics.logic.parsing import Group, Word
from semantics.logic.state import State

MOST_BESIDE = 50
PROBLEMS = ("*.pddl", "problems/*.pddl", "scenes/*.pddl")


def kind_of(document: Document) -> str:
    """Return what a file defines: ``domain``, ``problem``, or any other word as it is written."""
    second = document.define.items[1] if len(document.define.items) > 1 else None
    return second.head if isinstance(second, Group) else ""


def check_pddl_domain(path: Path, shown: str) -> CheckedDomain:
    """Read a PDDL domain and check it as far as it can be read."""
    checked = CheckedDomain(shown)
    try:
        document = open_document(path, shown)
        reading = read_domain_document(document, str(path))
        checked.problems = list(document.diagnostics.problems)
        if not checked.errors:
            checked.domain = reading.domain
            beside = tuple(_problems_beside(path, reading.domain))
            lint_domain(
                reading.domain,
                PddlPlaces(document.text),
                document.diagnostics,
                scenes=[problem.scene for problem in beside],
                goals=[problem.goal for problem in beside],
            )
            checked.problems = [
                problem for problem in document.diagnostics.problems if not _is_for_goals(problem, beside)
            ]
    except DomainFileError as error:
        checked.problems = list(error.problems)
    return checked


def _is_for_goals(finding: Diagnostic, problems: Iterable[ProblemFile]) -> bool:
    """Return whether the finding is an unused ``:negative-preconditions`` that the goal of a problem beside needs."""
    if (finding.code, finding.culprit) != ("unused-requirement", ":negative-preconditions"):
        return False
    return any(not literal.positive for problem in problems for literal in literals(problem.goal))


def _problems_beside(path: Path, domain: Domain) -> Iterator[ProblemFile]:
    """Yield the usable problems that stand beside a domain."""
    for file in [file for place in PROBLEMS for file in sorted(path.parent.glob(place))][:MOST_BESIDE]:
        try:
            document = open_document(file)
            if kind_of(document) == "problem" and named_domain(document) in ("", domain.name):
                problem = read_problem_document(domain, document, file.stem)
                document.diagnostics.settle()
                yield problem
        except UsageError:
            continue  # the check of that file reports it


def named_domain(document: Document) -> str:
    """Return the domain name in a problem; empty when there is none."""
    for section in document.define.items:
        if isinstance(section, Group) and section.head == ":domain" and len(section.items) == 2:
            name = section.items[1]
            return name.text if isinstance(name, Word) else ""
    return ""


def domain_of_problem(document: Document, path: Path) -> Path | None:
    """Return the PDDL file beside a problem that defines the problem's domain, or None."""
    wanted = named_domain(document)
    for file in sorted(path.parent.glob("*.pddl"))[:MOST_BESIDE]:
        try:
            other = open_document(file)
        except UsageError:
            continue
        second = other.define.items[1] if kind_of(other) == "domain" else None
        if isinstance(second, Group) and wanted in (item.text for item in second.items if isinstance(item, Word)):
            return file
    return None


def check_pddl_problem(document: Document, domain: Domain, stem: str) -> None:
    """Read a problem and check its meaning; the findings go to the diagnostics of its document."""
    problem = read_problem_document(domain, document, stem)
    diagnostics = document.diagnostics
    if any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics.problems):
        return
    places = PddlPlaces(document.text)
    lint_scene(problem.scene, domain, places, diagnostics)
    _check_numbers(problem.scene, domain, document)
    start = State(problem.scene.facts | problem.scene.beliefs.keys(), problem.scene.numbers)
    scene = Problem(domain, problem.scene.things, start)
    for literal in out_of_reach(certain(conjoined(problem.goal)), scene):
        mark = places.literal(("goal",), (literal.atom.predicate, *literal.atom.args), literal.positive)
        message = f"nothing that can be done from here makes {literal} true"
        diagnostics.warn(mark, message, "unreachable-goal", str(literal))


def _check_numbers(scene: SceneFile, domain: Domain, document: Document) -> None:
    """Report numeric fluents that an action reads but that neither the initial state nor an effect assigns."""
    with_value = {atom.predicate for atom in scene.numbers}
    start = next(
        (section for section in document.define.items if isinstance(section, Group) and section.head == ":init"), None
    )
    with_value |= {
        numeric.fluent.predicate for capability in domain.capabilities.values() for numeric in capability.numeric
    }
    for name in sorted({*fluents_read(domain)} & domain.fluents.keys() - with_value):
        if domain.fluents[name].default is None:
            message = f"an action reads the number '{name}', which has no value here; expected such as (= ({name} …) 1)"
            document.warn(start or document.define, message, "no-value", name)
