"""`DomainSurvey`: what a world's parts ask for and change, gathered once for all checks.

Scenes, problems and goals that are known tell what holds at the start and what is wanted; without any scene nothing is
said of what may hold at the start.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from domains.lint.survey.exclusion import SlotMutexes, exclusions
from domains.lint.survey.mentions import effects_of, formulas_of, literal_of
from domains.lint.survey.pddl_places import PddlPlaces
from domains.lint.survey.places import Path, PositionFinder
from domains.model import Domain, SceneFile
from domains.reader.nodes.diagnostics import Diagnostics, Mark
from semantics.atoms import (
    Formula,
    Literal,
    literals,
)
from semantics.vocabulary import Thing

__all__ = ["DomainSurvey", "LiteralUse"]


@dataclass(frozen=True, slots=True)
class LiteralUse:
    """A literal that something asks for or changes, and what it stands in."""

    literal: Literal
    path: Path


@dataclass(frozen=True)
class DomainSurvey:
    """A domain, what is known beside it, and where to tell of findings.

    Attributes:
        domain: What is checked.
        places: Of its file.
        diagnostics: Takes the findings.
        scenes: Those that are known; they may be none.
        goals: Wanted by problems that are known.
        open_world: Whether facts may hold that no scene states, because no scene is known.
    """

    domain: Domain
    places: PositionFinder
    diagnostics: Diagnostics
    scenes: tuple[SceneFile, ...] = ()
    goals: tuple[Formula, ...] = ()

    @property
    def typed(self) -> bool:
        """Whether classes are PDDL's types, of which each is a class whether things are of it or not."""
        return isinstance(self.places, PddlPlaces)

    @property
    def open_world(self) -> bool:
        """Whether facts may hold at the start that nothing here states."""
        return not self.scenes

    def warn(self, mark: Mark, code: str, message: str, culprit: str) -> None:
        """Note what is not meant."""
        self.diagnostics.warn(mark, message, code, culprit)

    def unknown(self, mark: Mark, kind: str, name: str, valid: Collection[str]) -> None:
        """Note a name that nothing carries."""
        self.diagnostics.unknown(mark, kind, name, valid)

    def in_rule(self, name: str, offset: int) -> Mark:
        """Return the place of an offset in the condition of a rule."""
        return self.places.offset(("rules", name, "when"), offset)

    @cached_property
    def asked(self) -> tuple[LiteralUse, ...]:
        """Every literal that a capability, a definition or a repair asks for."""
        return tuple(_asked(self.domain))

    @cached_property
    def changed(self) -> tuple[LiteralUse, ...]:
        """Every literal that an effect makes true or false."""
        return tuple(
            LiteralUse(literal, ("capabilities", capability.name, "effect"))
            for capability in self.domain.capabilities.values()
            for literal in effects_of(capability)
        )

    @cached_property
    def added(self) -> frozenset[str]:
        """Predicates that some effect makes true."""
        return frozenset(use.literal.atom.predicate for use in self.changed if use.literal.positive)

    @cached_property
    def deleted(self) -> frozenset[str]:
        """Predicates that some effect makes false."""
        return frozenset(use.literal.atom.predicate for use in self.changed if not use.literal.positive)

    @cached_property
    def stated(self) -> frozenset[str]:
        """Predicates of which a scene states or believes a fact."""
        return frozenset(atom.predicate for scene in self.scenes for atom in (*scene.facts, *scene.beliefs))

    @cached_property
    def observed(self) -> frozenset[str]:
        """Predicates that become true without an effect: sensed, following from others, or stated."""
        models = self.domain.predicates.values()
        seen = {model.predicate.name for model in models if model.sensed is not None or model.bookkeeping}
        return self.stated.union(seen, self.domain.derived)

    @cached_property
    def wanted(self) -> frozenset[str]:
        """Predicates of the goals that are known."""
        return frozenset(literal.atom.predicate for goal in self.goals for literal in literals(goal))

    @cached_property
    def exclusions(self) -> SlotMutexes:
        """Which facts about one thing cannot hold together."""
        return exclusions(self.domain, self.scenes)

    @cached_property
    def things(self) -> Mapping[str, Thing]:
        """Everything that the scenes and the domain itself name."""
        things = dict(self.domain.constants)
        for scene in self.scenes:
            things.update(scene.things)
        return things

    @cached_property
    def able(self) -> frozenset[frozenset[str]]:
        """The sets of affordances that some class or thing has."""
        classes = {object_class.affordances for object_class in self.domain.classes.values()}
        return frozenset(classes | {thing.affordances for thing in self.things.values()})

    def somebody_affords(self, affordances: Iterable[str]) -> bool:
        """Return whether a class or thing has all of `affordances`."""
        asked = frozenset(affordances) - {"object"}
        return any(asked <= has for has in self.able)


def _asked(domain: Domain) -> Iterator[LiteralUse]:
    for capability in domain.capabilities.values():
        path = ("capabilities", capability.name)
        for template in capability.precondition:
            yield LiteralUse(literal_of(template), (*path, "precondition"))
        for part, formula in formulas_of(capability):
            yield from (LiteralUse(literal, (*path, part)) for literal in literals(formula))
    for derived in domain.derived.values():
        for body in derived.bodies:
            yield from (LiteralUse(literal, ("predicates", derived.name, "derived")) for literal in literals(body))
    for repair in domain.repairs:
        if repair.when is not None:
            yield from (LiteralUse(literal, ("repairs", repair.name, "when")) for literal in literals(repair.when))
