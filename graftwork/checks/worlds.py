"""Checks of YAML domains and scenes; a domain is read once and checked together with the scenes beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from affordances.scene import Scene
from affordances.shown import sensed_predicates
from domains.diagnostics import Diagnostics
from domains.errors import Diagnostic, DomainFileError, Severity
from domains.lint import ADDED, CHECKS, YamlPlaces, absent_conventions, lint_domain, lint_scene
from domains.model import Domain, SceneFile
from domains.reader import available_scenes, load_scene
from domains.reader.bases import with_bases
from domains.reader.domain_file import read_domain
from domains.reader.nodes.document import Node, read_document, value_of
from domains.reader.scene_file import read_scene
from graftwork.checks.bodies import Means, check_bodies, limits_of
from graftwork.checks.files import problem_of
from graftwork.checks.geometry import OF_HAND, check_boards, check_geometry
from semantics.errors import UsageError

ANY = Means()  # a check for no body in particular


@dataclass(slots=True)
class CheckedDomain:
    """A domain and the problems of its file."""

    shown: str  # its path, for messages
    domain: Domain | None = None  # the domain; None when the file cannot be used
    problems: list[Diagnostic] = field(default_factory=list)  # errors and warnings of the file
    # features that do not work in this world although nothing is wrong
    notes: list[Diagnostic] = field(default_factory=list)

    @property
    def errors(self) -> int:
        """Number of problems that make the file unusable."""
        return sum(problem.severity is Severity.ERROR for problem in self.problems)


def check_domain(path: Path, shown: str, means: Means = ANY) -> CheckedDomain:
    """Read a domain and check it as far as it can be read."""
    checked = CheckedDomain(shown)
    try:
        node, diagnostics = read_document(path, shown)
        node = with_bases(node, path)
        domain = read_domain(node, str(path))
        checked.problems = list(diagnostics.problems)
        if not checked.errors:
            checked.domain = domain
            scenes = _scenes_beside(domain)
            places = YamlPlaces(node)
            checks = CHECKS if value_of(node, "pddl") is None else ADDED
            lint_domain(domain, places, diagnostics, scenes=scenes, checks=checks)
            check_bodies(domain, places, diagnostics, means)
            checked.notes = [*absent_conventions(domain, places, shown), *limits_of(domain, places, shown, means)]
            checked.problems = [*diagnostics.problems, *_problems_of_scenes_elsewhere(domain)]
    except DomainFileError as error:
        checked.problems = list(error.problems)
    except UsageError as error:
        checked.problems.append(problem_of(shown, str(error), "unusable"))
    return checked


def _scenes_beside(domain: Domain) -> Iterable[SceneFile]:
    """Return the scenes of a domain; none if one of them is unusable, because its facts are then unknown."""
    try:
        return [load_scene(domain, name) for name in available_scenes(domain)]
    except UsageError:
        return ()


def _problems_of_scenes_elsewhere(domain: Domain) -> Iterator[Diagnostic]:
    """Yield what keeps scenes of the worlds that a domain extends from being scenes of it."""
    for file in domain.ancestry.files.get("scenes", {}).values():
        try:
            load_scene(domain, file)
        except DomainFileError as error:
            yield from error.problems if file.parent.parent != Path(domain.source or "").parent else ()


def check_scene(
    node: Node, diagnostics: Diagnostics, domain: Domain, name: str, means: Means = ANY
) -> tuple[Diagnostic, ...]:
    """Read a scene and check its meaning, and its geometry for the body of `means`; return notes."""
    scene = read_scene(node, domain, name)
    if not any(problem.severity is Severity.ERROR for problem in diagnostics.problems):
        places = YamlPlaces(node)
        lint_scene(scene, domain, places, diagnostics)
        _check_agents(scene, domain, places, diagnostics)
        check_geometry(scene, places, diagnostics, means)
        if means.samples and means.robot in OF_HAND:
            return tuple(check_boards(scene, places, diagnostics))
    return ()


def _check_agents(scene: SceneFile, domain: Domain, places: YamlPlaces, diagnostics: Diagnostics) -> None:
    """Report agents that are somewhere else by the pose in the scene than by its words: a body senses the pose."""
    name = domain.conventions.at
    if scene.layout is None or name not in sensed_predicates(domain):
        return
    from robots.fake import FakeRobot  # only scenes with poses need it

    try:
        seen = FakeRobot(scene.layout).observation()
    except UsageError:  # furniture of a model that only another body builds
        return
    beliefs = Scene.start(scene, domain).updated(seen).beliefs
    sensed = {atom.args[0]: atom for atom in beliefs if atom.predicate == name}
    for fact in sorted(scene.facts):
        other = sensed.get(fact.args[0], fact) if fact.predicate == name else fact
        if other != fact:
            message = f"the scene says {fact}, but by its pose a body senses {other}; expected one of both to change"
            diagnostics.warn(places.of("things", fact.args[0], "at"), message, "pose-elsewhere", fact.args[0])
