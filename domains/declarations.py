"""What a domain declares besides its capabilities: classes, predicates, agents, rules, derived predicates, numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

from semantics.body.layout import FurnitureValues, Shape
from semantics.errors import UsageError
from semantics.geometry.geometry import Mesh
from semantics.logic.atoms import Formula, Literal, Variable, literals
from semantics.logic.vocabulary import Attributes, Predicate, Thing


@dataclass(frozen=True, slots=True)
class ObjectClass:
    """A class of things."""

    name: str  # symbol, such as ``milk``
    affordances: frozenset[str]  # affordances of its instances
    kinds: frozenset[str] = frozenset()  # groups it belongs to, such as ``drink``
    words: tuple[str, ...] = ()  # further words that people use for it, in the singular
    shape: Shape | None = None  # solid of a movable thing
    model: str | None = None  # builder of a piece of furniture; None for movable things and agents
    parameters: FurnitureValues = ()  # parameters of the furniture model, such as the boards of a shelf
    # whether its things have no body, so that a scene need not place them: liquids, levels, puzzle pieces
    abstract: bool = False
    attributes: Attributes = ()  # values of its instances, such as ``("colour", "red")``, sorted
    mesh: Mesh | None = None  # the file of the furniture's solid, of the model ``mesh``
    # affordances that its author denies, although they usually follow from those that it has
    lacks: frozenset[str] = frozenset()

    def instance(self, name: str) -> Thing:
        """Return a thing of this class."""
        size = None if self.shape is None else self.shape.size
        return Thing(name, self.name, self.affordances, self.kinds, self.words, attributes=self.attributes, size=size)


@dataclass(frozen=True, slots=True)
class PredicateModel:
    """A predicate, and how its facts become known."""

    predicate: Predicate  # name, argument affordances and sentence
    # name of what decides it: a geometric test, see `affordances.facts.TESTS`, or a sensor of the user
    sensed: str | None = None
    bookkeeping: bool = False  # whether it follows from other facts, and effects maintain it only for the planner
    told: bool = False  # whether its author declares that a body or a skill reports it
    believed: bool = False  # whether its facts are assumed after an action that has succeeded


@dataclass(frozen=True, slots=True)
class AgentModel:
    """A class of agents: the capabilities it has and what each of its actions costs."""

    class_name: str
    capabilities: frozenset[str]
    cost: int = 1


@dataclass(frozen=True, slots=True)
class DerivedPredicate:
    """A predicate that follows from others by definition: one of `bodies` holds, with `variables` its arguments.

    The predicates of its domain include it; no effect may change it. Several bodies are alternatives.
    """

    name: str
    variables: tuple[Variable, ...]
    bodies: tuple[Formula, ...]

    @property
    def literals(self) -> list[Literal]:
        """The literals of its bodies."""
        return [literal for body in self.bodies for literal in literals(body)]


@dataclass(frozen=True, slots=True)
class NumericFluent:
    """A number that depends on things (a numeric fluent)."""

    name: str  # symbol, such as ``volume``
    parameters: tuple[str, ...]  # affordance of each argument, in order
    description: str = ""  # one sentence with ``{0}`` and ``{value}``, which has its unit: "{0} holds {value}"
    unit: str = ""  # unit of the value, such as ``l``; empty for a count
    default: float | None = None  # value where a scene gives none; None: the scene must give one
    # Whether planning uses it. Otherwise plans are only validated with it: for instance exact volumes, beside the
    # bounded portions that a search can count.
    planned: bool = True


def kinds_of(classes: Mapping[str, ObjectClass], kinds: Collection[str]) -> dict[str, frozenset[str]]:
    """Return the classes of each kind."""
    return {
        kind: frozenset(name for name, object_class in classes.items() if kind in object_class.kinds) for kind in kinds
    }


@dataclass(frozen=True)
class PackedClasses(Mapping[str, ObjectClass]):
    """Classes by name; a lookup finds those of the packs too, a walk over it does not."""

    listed: Mapping[str, ObjectClass]  # the classes that a walk goes over
    digest: str  # of the packs; classes with the same digest find the same ones
    read: Callable[[str], ObjectClass] = field(compare=False)  # returns a class of the packs by its name
    names: Collection[str] = field(compare=False)  # the names of the classes of the packs
    # what people call the classes of the packs, in plain form, with the names of those that it may mean
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)
    # the kind of each further word of people for a kind of the packs
    kind_words: Mapping[str, str] = field(default_factory=dict, compare=False)
    # the affordances that classes of the packs may have
    given: frozenset[str] = field(default=frozenset(), compare=False)
    _made: dict[str, ObjectClass] = field(default_factory=dict, compare=False)

    def meant(self, word: str) -> tuple[str, ...]:
        """Return the names of the classes of packs that a word in its plain form may mean."""
        return self.words.get(word, ())

    @property
    def every(self) -> Iterator[ObjectClass]:
        """Every class that can be used, also those of the packs that nobody has asked for."""
        return filter(None, map(self.usable, dict.fromkeys((*self.listed, *self.names))))

    def usable(self, name: str) -> ObjectClass | None:
        """Return a class; None if what its pack says of it cannot be used."""
        try:
            return self[name]
        except UsageError:
            return None

    def listing(self, classes: Mapping[str, ObjectClass]) -> PackedClasses:
        """Return the same classes, with these among the listed ones."""
        return replace(self, listed={**self.listed, **classes})

    def __getitem__(self, name: str) -> ObjectClass:
        if name in self.listed:
            return self.listed[name]
        if name not in self._made:
            self._made[name] = self.read(name)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self.listed or name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.listed)

    def __len__(self) -> int:
        return len(self.listed)

    def __reduce__(self) -> tuple[type[PackedClasses], tuple[object, ...]]:
        """Keep what was made: another process meets no other class."""
        return PackedClasses, (self.listed, self.digest, self._made.__getitem__, tuple(self._made))


def circular_denials(derived: Mapping[str, DerivedPredicate]) -> Iterator[tuple[str, str]]:
    """Yield each predicate that negates one which depends on it, with the first such one."""
    used = {name: definition.literals for name, definition in derived.items()}
    reached = {name: {literal.atom.predicate for literal in uses} for name, uses in used.items()}
    for middle in used:  # transitive closure (Warshall)
        for names in reached.values():
            names.update(reached[middle] if middle in names else ())
    for name, uses in used.items():
        denied = (literal.atom.predicate for literal in uses if not literal.positive)
        circles = (other for other in denied if other == name or name in reached.get(other, ()))
        yield from ((name, other) for other in islice(circles, 1))
