"""Lint: checks of a domain and its scenes for what parses but cannot be intended; they need no planner.

Each check is a function over a `DomainSurvey`; it reports findings with a code of docs/checks.md at the position of
the culprit. A finding is a warning, unless the text can never work, such as a rule that names an unknown predicate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from domains.diagnostics import Diagnostics
from domains.lint.capabilities import check_capabilities
from domains.lint.conditions import check_conditions
from domains.lint.conventions import absent_conventions
from domains.lint.goals import check_goals
from domains.lint.repairs import check_repairs
from domains.lint.scenes import lint_scene
from domains.lint.survey.pddl_places import PddlPlaces
from domains.lint.survey.places import YamlPlaces
from domains.lint.survey.survey import DomainSurvey, PositionFinder
from domains.lint.usage import check_names, check_usage
from domains.model import Domain, SceneFile
from semantics.logic.atoms import Formula

__all__ = [
    "ADDED",
    "CHECKS",
    "PddlPlaces",
    "PositionFinder",
    "YamlPlaces",
    "absent_conventions",
    "lint_domain",
    "lint_scene",
]

CHECKS: tuple[Callable[[DomainSurvey], None], ...] = (
    check_names,
    check_usage,
    check_capabilities,
    check_conditions,
    check_goals,
    check_repairs,
)

ADDED = (check_conditions, check_goals, check_repairs)
"""Checks of what a YAML file adds to a PDDL domain, which is checked separately."""


def lint_domain(
    domain: Domain,
    places: PositionFinder,
    diagnostics: Diagnostics,
    *,
    scenes: Iterable[SceneFile] = (),
    goals: Iterable[Formula] = (),
    checks: Iterable[Callable[[DomainSurvey], None]] = CHECKS,
) -> None:
    """Report what parses in a domain and cannot be intended.

    Args:
        domain: A domain that was read without errors.
        places: Positions in its file.
        diagnostics: Receives the findings.
        scenes: All known scenes of it; without any, the checks ignore facts that never hold.
        goals: Goals of the known problems.
        checks: The checks to run.
    """
    survey = DomainSurvey(domain, places, diagnostics, tuple(scenes), tuple(goals))
    for check in checks:
        check(survey)
