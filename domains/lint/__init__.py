"""Lint: checks of a domain and its scenes for what parses but cannot be intended; they need no planner.

Each check is a function over a `DomainSurvey`; it reports findings with a code of docs/checks.md at the position of
the culprit. A finding is a warning, unless the text can never work, such as a rule that names an unknown predicate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from domains.diagnostics import Diagnostics
from domains.lint.capabilities import check_capabilities
from domains.lint.conditions import check_conditions, check_repairs
from domains.lint.conventions import absent_conventions
from domains.lint.goals import check_goals
from domains.lint.survey.pddl_places import PddlPlaces
from domains.lint.survey.places import YamlPlaces
from domains.lint.survey.survey import DomainSurvey, PositionFinder
from domains.lint.usage import check_names, check_usage
from domains.model import Domain, SceneFile
from semantics.logic.atoms import Atom, Formula

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


def lint_scene(scene: SceneFile, domain: Domain, places: PositionFinder, diagnostics: Diagnostics) -> None:
    """Report things that no capability can use, and beliefs about things that are elsewhere."""
    _check_things(scene, domain, places, diagnostics)
    for belief in scene.beliefs:
        _check_belief(belief, scene, domain.conventions.resting, places, diagnostics)


def _check_things(scene: SceneFile, domain: Domain, places: PositionFinder, diagnostics: Diagnostics) -> None:
    parameters = [parameter for capability in domain.capabilities.values() for parameter in capability.parameters]
    in_roles = {name for capability in domain.capabilities.values() for name in capability.roles.values()}
    for name, thing in scene.things.items():
        if name in in_roles or thing.class_name in domain.attributes:
            continue  # a value of an attribute is no thing to act on
        if scene.layout is not None and thing.class_name == domain.conventions.robot:
            continue  # it is the body, which needs no part in an action
        if not thing.affordances and domain.classes[thing.class_name].model is not None:
            continue  # a wall is there to be in the way
        if parameters and not any(thing.affords(parameter.affordances) for parameter in parameters):
            message = f"no capability can do anything with '{name}': nothing asks for what {thing.class_name} affords"
            diagnostics.warn(places.of("things", name), message, "idle-thing", name)


def _check_belief(
    belief: Atom, scene: SceneFile, resting: tuple[str, ...], places: PositionFinder, diagnostics: Diagnostics
) -> None:
    """Report a belief about the place of a thing that the scene contradicts; a thing has one place at a time."""
    if belief.predicate not in resting or belief in scene.facts or len(belief.args) != 2:
        return
    where = [fact for fact in scene.facts if fact.predicate in resting and fact.args[0] == belief.args[0]]
    if where:
        message = f"{belief} is believed, and the scene says {where[0]}; meant if it is to be found out"
        diagnostics.warn(places.of("beliefs", str(belief)), message, "denied-belief", str(belief))
