"""`DomainSurvey`: the literals that the parts of a world ask for and change, collected once for all checks.

Known scenes, problems and goals give the initial facts and the goals; without any scene, anything may hold initially.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from domains.capability import effects_of, formulas_of
from domains.diagnostics import Diagnostics, Mark
from domains.invariants.exclusion import SlotMutexes, exclusions
from domains.lint.survey.pddl_places import PddlPlaces
from domains.lint.survey.places import Path, YamlPlaces
from domains.model import Domain, SceneFile
from semantics.logic.atoms import Formula, Literal, literals
from semantics.logic.vocabulary import Thing

PositionFinder = YamlPlaces | PddlPlaces
"""Finds positions in one file."""


@dataclass(frozen=True, slots=True)
class LiteralUse:
    """A literal that some part asks for or changes, and the path of that part."""

    literal: Literal
    path: Path


@dataclass(frozen=True)
class DomainSurvey:
    """A domain, its known scenes and goals, and the receiver of findings.

    Attributes:
        domain: The domain that is checked.
        places: Positions in its file.
        diagnostics: Receives the findings.
        scenes: Known scenes; there may be none.
        goals: Goals of known problems.
        open_world: Whether facts may hold that no scene states, because no scene is known.
    """

    domain: Domain
    places: PositionFinder
    diagnostics: Diagnostics
    scenes: tuple[SceneFile, ...] = ()
    goals: tuple[Formula, ...] = ()

    @property
    def typed(self) -> bool:
        """Whether classes come from PDDL types, of which each is a class even without things of it."""
        return isinstance(self.places, PddlPlaces)

    @property
    def open_world(self) -> bool:
        """Whether facts may hold initially that no scene states."""
        return not self.scenes

    def warn(self, mark: Mark, code: str, message: str, culprit: str) -> None:
        """Report a warning."""
        self.diagnostics.warn(mark, message, code, culprit)

    def unknown(self, mark: Mark, kind: str, name: str, valid: Collection[str]) -> None:
        """Report an unknown name."""
        self.diagnostics.unknown(mark, kind, name, valid)

    def in_rule(self, name: str, offset: int) -> Mark:
        """Return the position of an offset in the condition of a rule."""
        return self.places.offset(("rules", name, "when"), offset)

    @cached_property
    def asked(self) -> tuple[LiteralUse, ...]:
        """Every literal that a capability, a derived predicate or a repair asks for."""
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
        """Predicates that become true without an effect: sensed, told by a body, bookkeeping, derived, or stated."""
        models = self.domain.predicates.values()
        seen = {model.predicate.name for model in models if model.sensed is not None or model.told or model.bookkeeping}
        return self.stated.union(seen, self.domain.derived)

    @cached_property
    def wanted(self) -> frozenset[str]:
        """Predicates of the goals that are known."""
        return frozenset(literal.atom.predicate for goal in self.goals for literal in literals(goal))

    @cached_property
    def exclusions(self) -> SlotMutexes:
        """Mutexes: facts about one thing that cannot hold together."""
        return exclusions(self.domain, self.scenes)

    @cached_property
    def things(self) -> Mapping[str, Thing]:
        """The things of the scenes and the constants of the domain."""
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
            yield LiteralUse(template.literal, (*path, "precondition"))
        for part, formula in formulas_of(capability):
            yield from (LiteralUse(literal, (*path, part)) for literal in literals(formula))
    for derived in domain.derived.values():
        yield from (LiteralUse(literal, ("predicates", derived.name, "derived")) for literal in derived.literals)
    for repair in domain.repairs:
        if repair.when is not None:
            yield from (LiteralUse(literal, ("repairs", repair.name, "when")) for literal in literals(repair.when))
