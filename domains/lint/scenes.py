"""Scenes: things that nothing can be done with, and beliefs that the scene itself denies."""

from __future__ import annotations

from domains.lint.survey.places import PositionFinder
from domains.model import Domain, SceneFile
from domains.reader.nodes.diagnostics import Diagnostics
from semantics.atoms import Atom

__all__ = ["lint_scene"]


def lint_scene(scene: SceneFile, domain: Domain, places: PositionFinder, diagnostics: Diagnostics) -> None:
    """Tell of things that no capability can take, and of beliefs about things that are elsewhere."""
    _check_things(scene, domain, places, diagnostics)
    for belief in scene.beliefs:
        _check_belief(belief, scene, domain.conventions.resting, places, diagnostics)


def _check_things(scene: SceneFile, domain: Domain, places: PositionFinder, diagnostics: Diagnostics) -> None:
    asked = [
        frozenset(parameter.affordances) - {"object"}
        for capability in domain.capabilities.values()
        for parameter in capability.parameters
    ]
    for name, thing in scene.things.items():
        if asked and not any(affordances <= thing.affordances for affordances in asked):
            message = f"no capability can do anything with '{name}': nothing asks for what {thing.class_name} affords"
            diagnostics.warn(places.of("things", name), message, "idle-thing", name)


def _check_belief(
    belief: Atom, scene: SceneFile, resting: tuple[str, ...], places: PositionFinder, diagnostics: Diagnostics
) -> None:
    """Tell of a belief about where a thing rests, of which it has one value at a time, that the scene denies."""
    if belief.predicate not in resting or belief in scene.facts or len(belief.args) != 2:
        return
    where = [fact for fact in scene.facts if fact.predicate in resting and fact.args[0] == belief.args[0]]
    if where:
        message = f"{belief} is believed, and the scene says {where[0]}; meant if it is to be found out"
        diagnostics.warn(places.of("beliefs", str(belief)), message, "denied-belief", str(belief))
