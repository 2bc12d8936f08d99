"""What a domain declares besides its capabilities: classes, predicates, agents, rules, derived predicates, numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from semantics.body.layout import FurnitureValues, Shape
from semantics.geometry.geometry import Mesh
from semantics.logic.atoms import Formula, Literal, Variable, literals
from semantics.logic.vocabulary import Attributes, Predicate, Thing


@dataclass(frozen=True, slots=True)
class ObjectClass:
    """A class of things.

    Attributes:
        name: Symbol, such as ``milk``.
        affordances: Affordances of its instances.
        kinds: Groups it belongs to, such as ``drink``.
        words: Further words that people use for it, in the singular.
        shape: Solid of a movable thing.
        model: Builder of a piece of furniture; None for movable things and agents.
        parameters: Parameters of the furniture model, such as the boards of a shelf.
        mesh: The file of the furniture's solid, of the model ``mesh``.
        lacks: Affordances that its author denies, although they usually follow from those that it has.
        abstract: Whether its things have no body, so that a scene need not place them: liquids, levels, puzzle pieces.
        attributes: Values of its instances, such as ``("colour", "red")``, sorted.
    """

    name: str
    affordances: frozenset[str]
    kinds: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    shape: Shape | None = None
    model: str | None = None
    parameters: FurnitureValues = ()
    abstract: bool = False
    attributes: Attributes = ()
    mesh: Mesh | None = None
    lacks: frozenset[str] = frozenset()

    def instance(self, name: str) -> Thing:
        """Return a thing of this class."""
        size = None if self.shape is None else self.shape.size
        return Thing(name, self.name, self.affordances, self.kinds, self.words, attributes=self.attributes, size=size)


@dataclass(frozen=True, slots=True)
class PredicateModel:
    """A predicate, and how its facts become known.

    Attributes:
        predicate: Name, argument affordances and sentence.
        sensed: Name of what decides it: a geometric test, see `affordances.facts.TESTS`, or a sensor of the user.
        bookkeeping: Whether it follows from other facts, and effects maintain it only for the planner.
        told: Whether its author declares that a body or a skill reports it.
        believed: Whether its facts are assumed after an action that has succeeded.
    """

    predicate: Predicate
    sensed: str | None = None
    bookkeeping: bool = False
    told: bool = False
    believed: bool = False


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
    """A number that depends on things (a numeric fluent).

    Attributes:
        name: Symbol, such as ``volume``.
        parameters: Affordance of each argument, in order.
        description: One sentence with ``{0}`` and ``{value}``, which has its unit: "{0} holds {value}".
        unit: Unit of the value, such as ``l``; empty for a count.
        default: Value where a scene gives none; None: the scene must give one.
        planned: Whether planning uses it. Otherwise plans are only validated with it: for instance exact volumes,
            beside the bounded portions that a search can count.
    """

    name: str
    parameters: tuple[str, ...]
    description: str = ""
    unit: str = ""
    default: float | None = None
    planned: bool = True


def kinds_of(classes: Mapping[str, ObjectClass], kinds: Collection[str]) -> dict[str, frozenset[str]]:
    """Return the classes of each kind."""
    return {
        kind: frozenset(name for name, object_class in classes.items() if kind in object_class.kinds) for kind in kinds
    }
