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
    """A property of things."""

    name: str  # symbol, such as ``colour``
    values: tuple[str, ...] = ()  # the values that it may have; empty for a number
    # the value that each further word stands for: ``wooden`` for ``wood``
    words: Mapping[str, str] = field(default_factory=dict)
    unit: str = ""  # the unit of a number, such as ``cm``; empty if it has a list of values
    # what of a solid gives the number of things that state none, such as ``height``; empty for nothing
    measure: str = ""
    more: tuple[str, ...] = ()  # adjectives for a large number: ``big``
    less: tuple[str, ...] = ()  # adjectives for a small number: ``small``
    sensed: bool = False  # whether a body tells the values, so that they are unknown until it does
    # the colour (red, green, blue) in which a body shows things with a value
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
    """An object of the scene."""

    name: str  # unique symbol, such as ``milk0``
    class_name: str  # its class, such as ``milk``
    affordances: frozenset[str]  # its affordances
    kinds: frozenset[str] = frozenset()  # groups it belongs to, such as ``drink``
    words: tuple[str, ...] = ()  # what people call it: synonyms of its class, without plurals
    # affordances that are stated for this thing itself, in addition to those of its class
    gains: frozenset[str] = frozenset()
    lacks: frozenset[str] = frozenset()  # affordances of its class that this thing itself is stated not to have
    attributes: Attributes = ()  # its values, such as ``("colour", "red")``, sorted
    # its extents along its own axes as it stands upright, in metres; None if they are not known
    size: Vector | None = field(default=None, compare=False, repr=False)

    def values(self, attribute: str) -> tuple[AttributeValue, ...]:
        """Return its values of an attribute; none if they are unknown."""
        return values_of(self.attributes, attribute)

    def affords(self, affordances: Iterable[str]) -> bool:
        """Return whether it has all `affordances`; every thing is an ``object``."""
        return set(affordances) - {"object"} <= self.affordances


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate with the affordance each argument must have (``object`` takes anything)."""

    name: str  # symbol
    parameters: tuple[str, ...]  # affordance of each argument, in order
    description: str  # one sentence with ``{0}``, ``{1}`` for the arguments: ``{0} is in {1}``
    goal: bool = True  # whether it may stand in a goal
    momentary: bool = False  # whether its facts are forgotten when another goal is begun, as that of having waited
    # whether its facts are sensed only where a goal, a program or a sentence asks for them: there are as many as pairs
    # of things
    on_demand: bool = False


@dataclass(frozen=True, slots=True)
class GoalPhrase:
    """A pattern of controlled English and the goal it stands for."""

    # Words, alternatives ``put|place``, words that may be missing together ``[top of]``, slots ``{name}``: ``put|place
    # {thing} on|onto [top of] {support}``. At least one word stands between two slots.
    pattern: str
    # PDDL template over the slots, ``(on {thing} {support})``. A slot that only the goal has is filled from the
    # vocabulary: ``{robot}`` is the acting robot, ``{speaker}`` the person who speaks, and any other, such as
    # ``{trash}``, is resolved as if its name had been said.
    goal: str
    # required affordance of each slot, by slot name; used to choose among interpretations
    slots: Mapping[str, str] = field(default_factory=dict)
    told: bool = True  # whether a model is told of it


@dataclass(frozen=True, slots=True)
class ProgramPhrase:
    """Controlled English that no goal says, such as a motion of the hand or a row, and the program it stands for."""

    # as those of a `GoalPhrase`, but two slots may follow each other; none for a function that others call
    patterns: tuple[str, ...]
    text: str  # the program, with slots as ``{thing}``; see docs/programs.md
    tell: str = ""  # what is taken as given, with slots; ``{said}`` are the words
    # the kind of each slot, by default its name: an affordance for one thing, ``all`` before it for a list of things,
    # ``every`` for all that the noun can mean; or ``place``, ``way``, ``shift``, ``length``, ``angle``
    slots: Mapping[str, str] = field(default_factory=dict)
    # for a slot without a kind, the text that each word or group of words stands for
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GoalRule:
    """A semantic condition on the literals of a goal."""

    name: str  # symbol, such as ``one-place``
    # Body of a clause that binds ``Culprits`` to a list of names when the goal violates it. It may ask
    # ``holds(Predicate, Arguments)`` and ``fails(Predicate, Arguments)`` for the literals of the conjunct, and
    # ``thing(Name, Class)`` and ``affords(Name, Affordance)`` for the scene.
    prolog: str
    sentence: str  # message for a violation, with ``{0}``, ``{1}`` for the culprits
    hint: str = ""  # how to avoid the violation
    # Prolog clauses that the body may call; the same for all rules of a domain
    definitions: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Everything that may be named."""

    domain: str  # name of the domain
    predicates: Mapping[str, Predicate]  # by name
    things: Mapping[str, Thing]  # objects of the scene, by name
    classes: Mapping[str, frozenset[str]]  # affordances of each class, by class name
    kinds: Mapping[str, frozenset[str]] = field(default_factory=dict)  # classes of each kind, by kind name
    # class or kind name of each further word people use for it, singular
    synonyms: Mapping[str, str] = field(default_factory=dict)
    phrases: tuple[GoalPhrase, ...] = ()  # goal phrases, in order of preference
    # phrases with a program, and functions that these call, by name
    programs: Mapping[str, ProgramPhrase] = field(default_factory=dict)
    speaker: str | None = None  # name of the person who speaks (``me``), if any
    robot: str = "robot0"  # name of the acting robot
    actor: str = "actor"  # affordance of agents
    world: str = "NAME"  # the world as commands call it, by its name or its path
    # the properties with values that things may have, by name
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    # what capabilities take beside things, by the name of the capability; those that take nothing are left out
    values: Mapping[str, tuple[ValueModel, ...]] = field(default_factory=dict)
    on: str = ""  # predicate of a thing and what it stands on; empty without one
    overturned: str = ""  # predicate of a vessel that does not stand upright; empty without one
    aside: str = ""  # predicate of a thing and the area in which it lies off the middle; empty without one
    # what is said of things that are good for something, such as ``cut with``, with the affordances, kinds and classes
    # of these things
    uses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # words, in plain form, for classes that are known and that no thing of the scene has
    further: Container[str] = field(default=(), compare=False, repr=False)
    # what is computed from it once, such as its lexicon, by name
    computed: dict[str, object] = field(default_factory=dict, init=False, compare=False, repr=False)

    @property
    def momentary(self) -> frozenset[str]:
        """Names of the predicates whose facts are forgotten when another goal is begun."""
        return frozenset(name for name, predicate in self.predicates.items() if predicate.momentary)

    def decided(self, goal: Conjunct) -> Conjunct:
        """Return what decides whether a goal is reached.

        Nobody says that vessels shall stand upright where they are put, on something or beside something, nor that
        what is put in an area shall lie near its middle.
        """
        fallen, aside = self.predicates.get(self.overturned), self.predicates.get(self.aside)
        if aside is not None:
            lying = [atom for atom, positive in goal if positive and self._is_lying(atom, aside)]
            goal |= {Literal(Atom(aside.name, atom.args), False) for atom in lying}
        if fallen is None:
            return goal
        put = (
            atom.args[0]
            for atom, positive in goal
            if positive and (atom.predicate == self.on or self.predicates[atom.predicate].on_demand)
        )
        vessels = (Atom(fallen.name, (name,)) for name in put if self.things[name].affords(fallen.parameters))
        return goal | {Literal(atom, False) for atom in vessels if Literal(atom) not in goal}

    def _is_lying(self, atom: Atom, aside: Predicate) -> bool:
        """Return whether a fact says that a thing is in an area: it is of the same sorts as one that it is aside."""
        return atom.predicate != aside.name and self.predicates[atom.predicate].parameters == aside.parameters

    def of_class(self, class_name: str) -> tuple[str, ...]:
        """Return the names of the objects of a class, sorted."""
        return tuple(sorted(name for name, thing in self.things.items() if thing.class_name == class_name))

    def of_kind(self, kind: str) -> tuple[str, ...]:
        """Return the names of the objects of a kind, sorted."""
        return tuple(sorted(name for name, thing in self.things.items() if kind in thing.kinds))
