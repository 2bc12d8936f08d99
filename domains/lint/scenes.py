"""Scenes: things that no capability can use, and beliefs that the scene itself contradicts."""

from __future__ import annotations

from domains.diagnostics import Diagnostics
from domains.lint.survey.survey import PositionFinder
from domains.model import Domain, SceneFile
from semantics.logic.atoms import Atom


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
