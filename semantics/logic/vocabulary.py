"""`Vocabulary`: the names that may be used in a scene, and what each may be used for.

It joins a domain (predicates, classes, kinds, phrases) with a scene (objects). Checking a goal, resolving a word and
prompting a language model need nothing else.

A world declares attributes of its things, such as a colour, a material or a size, each with a closed list of values or
with a unit. A thing may have several values of one attribute: a red and white cup. A value that nobody stated is
unknown, so that a thing without a colour is neither red nor of another colour.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from semantics.geometry.geometry import Vector
from semantics.logic.atoms import Atom, Conjunct, Literal
from semantics.logic.quantity import Quantity, ValueModel

AttributeValue = str | float
Attributes = tuple[tuple[str, AttributeValue], ...]
"""The values of a thing: pairs of an attribute and a value, sorted; a number is in the unit of its attribute."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """A property of things.

    Attributes:
        name: Symbol, such as ``colour``.
        values: The values that it may have; empty for a number.
        words: The value that each further word stands for: ``wooden`` for ``wood``.
        unit: The unit of a number, such as ``cm``; empty if it has a list of values.
        measure: What of a solid gives the number of things that state none, such as ``height``; empty for nothing.
        more: Adjectives for a large number: ``big``.
        less: Adjectives for a small number: ``small``.
        sensed: Whether a body tells the values, so that they are unknown until it does.
        shown: The colour (red, green, blue) in which a body shows things with a value.
    """

    name: str
    values: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    unit: str = ""
    measure: str = ""
    more: tuple[str, ...] = ()
    less: tuple[str, ...] = ()
    sensed: bool = False
    shown: Mapping[str, Vector] = field(default_factory=dict)

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers."""
        return bool(self.unit)

    def said(self, values: Iterable[AttributeValue]) -> str:
        """Return values as a person says them: ``red and white``, ``7.5cm``."""
        return " and ".join(
            str(Quantity(round(value, 6), self.unit)) if isinstance(value, float) else value.replace("_", " ")
            for value in values
        )


def values_of(attributes: Attributes, name: str) -> tuple[AttributeValue, ...]:
    """Return the values of one attribute; none if they are unknown."""
    return tuple(value for attribute, value in attributes if attribute == name)


def told_values(values: Attributes, attributes: Mapping[str, Attribute]) -> Iterator[str]:
    """Yield the values of a thing in words, such as ``colour red and white``."""
    for name in dict.fromkeys(name for name, _ in values):
        yield f"{name} {attributes[name].said(values_of(values, name))}"


@dataclass(frozen=True, slots=True)
class Thing:
    """An object of the scene.

    Attributes:
        name: Unique symbol, such as ``milk0``.
        class_name: Its class, such as ``milk``.
        affordances: Its affordances.
        kinds: Groups it belongs to, such as ``drink``.
        words: What people call it: synonyms of its class, without plurals.
        gains: Affordances that are stated for this thing itself, in addition to those of its class.
        lacks: Affordances of its class that this thing itself is stated not to have.
        attributes: Its values, such as ``("colour", "red")``, sorted.
        size: Its extents along its own axes as it stands upright, in metres; None if they are not known.
    """

    name: str
    class_name: str
    affordances: frozenset[str]
    kinds: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    gains: frozenset[str] = frozenset()
    lacks: frozenset[str] = frozenset()
    attributes: Attributes = ()
    size: Vector | None = field(default=None, compare=False, repr=False)

    def values(self, attribute: str) -> tuple[AttributeValue, ...]:
        """Return its values of an attribute; none if they are unknown."""
        return values_of(self.attributes, attribute)

    def affords(self, affordances: Iterable[str]) -> bool:
        """Return whether it has all `affordances`; every thing is an ``object``."""
        return set(affordances) - {"object"} <= self.affordances


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate with the affordance each argument must have (``object`` takes anything).

    Attributes:
        name: Symbol.
        parameters: Affordance of each argument, in order.
        description: One sentence with ``{0}``, ``{1}`` for the arguments: ``{0} is in {1}``.
        goal: Whether it may stand in a goal.
        momentary: Whether its facts are forgotten when another goal is begun, as that of having waited.
        on_demand: Whether its facts are sensed only where a goal, a program or a sentence asks for them: there are as
            many as pairs of things.
    """

    name: str
    parameters: tuple[str, ...]
    description: str
    goal: bool = True
    momentary: bool = False
    on_demand: bool = False


@dataclass(frozen=True, slots=True)
class GoalPhrase:
    """A pattern of controlled English and the goal it stands for.

    Attributes:
        pattern: Words, alternatives ``put|place``, words that may be missing together ``[top of]``, slots ``{name}``:
            ``put|place {thing} on|onto [top of] {support}``. At least one word stands between two slots.
        goal: PDDL template over the slots, ``(on {thing} {support})``. A slot that only the goal has is filled from
            the vocabulary: ``{robot}`` is the acting robot, ``{speaker}`` the person who speaks, and any other, such as
            ``{trash}``, is resolved as if its name had been said.
        slots: Required affordance of each slot, by slot name; used to choose among interpretations.
    """

    pattern: str
    goal: str
    slots: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GoalRule:
    """A semantic condition on the literals of a goal.

    Attributes:
        name: Symbol, such as ``one-place``.
        prolog: Body of a clause that binds ``Culprits`` to a list of names when the goal violates it. It may ask
            ``holds(Predicate, Arguments)`` and ``fails(Predicate, Arguments)`` for the literals of the conjunct, and
            ``thing(Name, Class)`` and ``affords(Name, Affordance)`` for the scene.
        sentence: Message for a violation, with ``{0}``, ``{1}`` for the culprits.
        hint: How to avoid the violation.
        definitions: Prolog clauses that the body may call; the same for all rules of a domain.
    """

    name: str
    prolog: str
    sentence: str
    hint: str = ""
    definitions: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Everything that may be named.

    Attributes:
        domain: Name of the domain.
        predicates: By name.
        things: Objects of the scene, by name.
        classes: Affordances of each class, by class name.
        kinds: Classes of each kind, by kind name.
        synonyms: Class or kind name of each further word people use for it, singular.
        phrases: Goal phrases, in order of preference.
        speaker: Name of the person who speaks (``me``), if any.
        robot: Name of the acting robot.
        actor: Affordance of agents.
        world: The world as commands call it, by its name or its path.
        attributes: The properties with values that things may have, by name.
        values: What capabilities take beside things, by the name of the capability; those that take nothing are left
            out.
        on: Predicate of a thing and what it stands on; empty without one.
        overturned: Predicate of a vessel that does not stand upright; empty without one.
        further: Words, in plain form, for classes that are known and that no thing of the scene has.
        computed: What is computed from it once, such as its lexicon, by name.
    """

    domain: str
    predicates: Mapping[str, Predicate]
    things: Mapping[str, Thing]
    classes: Mapping[str, frozenset[str]]
    kinds: Mapping[str, frozenset[str]] = field(default_factory=dict)
    synonyms: Mapping[str, str] = field(default_factory=dict)
    phrases: tuple[GoalPhrase, ...] = ()
    speaker: str | None = None
    robot: str = "robot0"
    actor: str = "actor"
    world: str = "NAME"
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    values: Mapping[str, tuple[ValueModel, ...]] = field(default_factory=dict)
    on: str = ""
    overturned: str = ""
    further: Container[str] = field(default=(), compare=False, repr=False)
    computed: dict[str, object] = field(default_factory=dict, init=False, compare=False, repr=False)

    @property
    def momentary(self) -> frozenset[str]:
        """Names of the predicates whose facts are forgotten when another goal is begun."""
        return frozenset(name for name, predicate in self.predicates.items() if predicate.momentary)

    def decided(self, goal: Conjunct) -> Conjunct:
        """Return what decides whether a goal is reached.

        Nobody says that vessels shall stand upright where they are put, on something or beside something.
        """
        fallen = self.predicates.get(self.overturned)
        if fallen is None:
            return goal
        put = (
            atom.args[0]
            for atom, positive in goal
            if positive and (atom.predicate == self.on or self.predicates[atom.predicate].on_demand)
        )
        vessels = (Atom(fallen.name, (name,)) for name in put if self.things[name].affords(fallen.parameters))
        return goal | {Literal(atom, False) for atom in vessels if Literal(atom) not in goal}

    def of_class(self, class_name: str) -> tuple[str, ...]:
        """Return the names of the objects of a class, sorted."""
        return tuple(sorted(name for name, thing in self.things.items() if thing.class_name == class_name))

    def of_kind(self, kind: str) -> tuple[str, ...]:
        """Return the names of the objects of a kind, sorted."""
        return tuple(sorted(name for name, thing in self.things.items() if kind in thing.kinds))
