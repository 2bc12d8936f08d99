"""`World`: what there is to plan and to talk about, at a revision.

A world is an immutable value: a domain with its objects, its lasting facts and its names. One thing or class more makes
the next revision. Whoever needs a world is given it at the call, or asks the beliefs for the present one; nothing else
that lives longer than a decision or a tick keeps a world, or what it can compute from one (`remember`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from domains.declarations import ObjectClass
from domains.model import Computed, Domain, SceneFile, Value
from domains.problem import ANYTHING, Problem
from semantics.body.protocols import Costs
from semantics.logic.atoms import Atom, Conjunct
from semantics.logic.rules import RuleBook
from semantics.logic.state import State
from semantics.logic.vocabulary import ProgramPhrase, Thing, Vocabulary


@dataclass(frozen=True, slots=True)
class Origin:
    """How a thing that no file lists became an object of the world."""

    label: str  # what a detector called it
    # who knows what it is: ``world`` or a class pack, ``learned``, ``guessed``, a language ``model``, or ``a person``;
    # empty if nobody does
    source: str = ""
    probability: float = 1.0  # how sure its class is, from 0 to 1
    is_open: bool = False  # whether it was seen to be open above, as a bowl is


@dataclass(frozen=True, slots=True, weakref_slot=True)
class World:
    """A domain with objects, at a revision.

    Attributes:
        domain: The classes, predicates and capabilities; without the capabilities that no body at hand has.
        objects: Everything that is known to exist, by name.
        scene: The name of the scene.
        speaker: The person who speaks.
        numbers: Values of numeric fluents at the start.
        unlimited: The domain with the capabilities whose motion primitives the body lacks; None when it lacks none.
        rules: The semantic conditions of goals, with the processes that check them.
        origins: How the things that no file lists became known, by name.
        labels: What a person has let things be treated as, by what they were called: a class, and its probability.
        taught: What a person has taught as a program: phrases, and the functions that they call.
        revision: Counts the changes since the files were read.
    """

    domain: Domain
    objects: Mapping[str, Thing]
    scene: str = ""
    speaker: str | None = None
    numbers: Mapping[Atom, float] = field(default_factory=dict)
    unlimited: Domain | None = None
    rules: RuleBook = field(default_factory=lambda: RuleBook(()), compare=False)
    origins: Mapping[str, Origin] = field(default_factory=dict)
    labels: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    taught: Mapping[str, ProgramPhrase] = field(default_factory=dict, compare=False)
    revision: int = field(default=0, compare=False)
    _computed: Computed = field(default_factory=Computed, init=False, repr=False, compare=False)

    @classmethod
    def of(cls, scene: SceneFile, domain: Domain, rules: RuleBook | None = None) -> World:
        """Return the world of a scene as its files state it; `rules` are those of the domain, if they are in use."""
        rules = rules or RuleBook(domain.rules)
        return cls(domain, scene.things, scene.name, scene.speaker, scene.numbers, rules=rules)

    def remember(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the cached result of `make`, which depends on this world and `key` alone; see `Domain.remember`."""
        return self._computed.remember(key, make)

    @property
    def vocabulary(self) -> Vocabulary:
        """The names that a goal may use, and the phrases of programs; what was taught comes first."""

        def make() -> Vocabulary:
            own = self.domain.vocabulary(self.objects, self.speaker)
            return replace(own, programs={**self.taught, **own.programs}) if self.taught else own

        return self._computed.remember("vocabulary", make)

    def with_taught(self, taught: Mapping[str, ProgramPhrase]) -> World:
        """Return the same world with what a person has taught as programs; it is no revision."""
        return self.remember(("taught", *taught), lambda: replace(self, taught=taught)) if taught else self

    def with_objects(self, *things: Thing, origins: Mapping[str, Origin] = MappingProxyType({})) -> World:
        """Return the next revision, in which these things exist too, or in place of those of their names.

        Args:
            things: The things.
            origins: How those of them became known that no file lists, by name.
        """
        known = {**self.objects, **{thing.name: thing for thing in things}}
        domain = self.domain.with_classes_of({thing.name: thing for thing in things})
        more = {**self.origins, **origins}
        return replace(self, domain=domain, objects=known, origins=more, revision=self.revision + 1)

    def without_objects(self, names: Collection[str]) -> World:
        """Return the next revision, in which these things are forgotten."""
        objects = {name: thing for name, thing in self.objects.items() if name not in names}
        origins = {name: origin for name, origin in self.origins.items() if name not in names}
        return replace(self, objects=objects, origins=origins, revision=self.revision + 1)

    @property
    def unknown(self) -> tuple[str, ...]:
        """The things of which nobody knows what they are."""
        return tuple(name for name, origin in self.origins.items() if not origin.source)

    def with_classes(self, *classes: ObjectClass) -> World:
        """Return the next revision, in which these classes are known too."""
        return replace(self, domain=self.domain.with_classes(classes), revision=self.revision + 1)

    def within(self, domain: Domain) -> World:
        """Return the same objects in another model, such as one with obstacles; it is no revision."""
        return self if domain is self.domain else replace(self, domain=domain)

    def problem(self, state: State, *alternatives: Conjunct, costs: Costs | None = None) -> Problem:
        """Return the problem of reaching one of `alternatives` from `state`; without any, a scene to act in."""
        return Problem(self.domain, self.objects, state, alternatives or ANYTHING, costs)
