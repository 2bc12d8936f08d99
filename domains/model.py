"""`Domain` and `SceneFile`: a world as data, checked and ready to use.

A domain says which classes of things there are and what they afford, which facts can be stated, what agents can do,
and how people talk about it. It is read from YAML by `domains.reading`; nothing here knows about files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from domains.capability import Capability, ConditionalEffect, NumericEffect, Parameter, Template, features_of
from domains.grounding import ground_axioms, ground_operator
from domains.ladder import Ladder, Spending
from domains.repairs import RepairRule, RepairStep
from semantics.atoms import Atom, Formula, Variable
from semantics.errors import UnknownNameError, UsageError
from semantics.layout import Layout, Shape
from semantics.state import Action, Axioms, Operator
from semantics.vocabulary import GoalPhrase, Predicate, Thing, Vocabulary

__all__ = [
    "AgentModel",
    "Capability",
    "ConditionalEffect",
    "DerivedPredicate",
    "Domain",
    "NumericEffect",
    "NumericFluent",
    "ObjectClass",
    "Parameter",
    "PredicateModel",
    "RepairRule",
    "RepairStep",
    "Rule",
    "SceneFile",
    "Spending",
    "Template",
]


@dataclass(frozen=True, slots=True)
class ObjectClass:
    """A class of things.

    Attributes:
        name: Symbol, such as ``milk``.
        affordances: What its instances are good for.
        kinds: Groups it belongs to, such as ``drink``.
        words: Further words people use for it, singular.
        shape: Solid of a movable thing.
        model: Builder of a piece of furniture; None for movable things and agents.
        abstract: Whether its things have no body, so that a scene need not place them: liquids, levels, puzzle pieces.
    """

    name: str
    affordances: frozenset[str]
    kinds: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    shape: Shape | None = None
    model: str | None = None
    abstract: bool = False


@dataclass(frozen=True, slots=True)
class PredicateModel:
    """A predicate, and how it is known.

    Attributes:
        predicate: Name, argument affordances and sentence.
        sensed: Name of the geometric test that decides it, see `affordances.facts.TESTS`.
        bookkeeping: Whether it follows from other facts, and is kept by effects only for the planner's sake.
    """

    predicate: Predicate
    sensed: str | None = None
    bookkeeping: bool = False


@dataclass(frozen=True, slots=True)
class AgentModel:
    """A class of agents: the capabilities it has and what each of its actions costs."""

    class_name: str
    capabilities: frozenset[str]
    cost: int = 1


@dataclass(frozen=True, slots=True)
class Rule:
    """A semantic condition on the literals of a goal.

    Attributes:
        name: Symbol, such as ``one-place``.
        prolog: Body of a clause that binds ``Culprits`` to a list of names when the goal violates it. It may ask
            ``holds(Predicate, Arguments)`` and ``fails(Predicate, Arguments)`` for the literals of the conjunct, and
            ``thing(Name, Class)`` and ``affords(Name, Affordance)`` for the scene.
        sentence: What to say when it is violated, with ``{0}``, ``{1}`` for the culprits.
        hint: How to mend it.
        definitions: Prolog clauses that the body may call; the same for all rules of a domain.
    """

    name: str
    prolog: str
    sentence: str
    hint: str = ""
    definitions: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class DerivedPredicate:
    """A predicate that follows from others by definition: one of `bodies` holds, with `variables` its arguments.

    It is listed among the predicates of its domain too; no effect may change it. Several bodies are alternatives.
    """

    name: str
    variables: tuple[Variable, ...]
    bodies: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class NumericFluent:
    """A number that depends on things.

    Attributes:
        name: Symbol, such as ``volume``.
        parameters: Affordance of each argument, in order.
        description: One sentence with ``{0}`` and ``{value}``: "{0} holds {value} l".
        unit: Of the value, such as ``l``; empty for a count.
        default: Value where a scene says none; None: it must say one.
        planned: Whether a planner has to mind it. Otherwise plans are made without it, and only validated with it:
            exact volumes beside the bounded portions that a search can count.
    """

    name: str
    parameters: tuple[str, ...]
    description: str = ""
    unit: str = ""
    default: float | None = None
    planned: bool = True


@dataclass(frozen=True, slots=True)
class Domain:
    """A world as data.

    Mappings are by name, in the order of the file; `source` is that file's path, if any. `constants` are things that
    exist in every scene, by name. Derived predicates are in `predicates` too.
    """

    name: str
    affordances: Mapping[str, str]
    classes: Mapping[str, ObjectClass]
    kinds: Mapping[str, frozenset[str]]
    predicates: Mapping[str, PredicateModel]
    capabilities: Mapping[str, Capability]
    agents: Mapping[str, AgentModel]
    phrases: tuple[GoalPhrase, ...] = ()
    rules: tuple[Rule, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    source: str | None = None
    constants: Mapping[str, Thing] = field(default_factory=dict)
    derived: Mapping[str, DerivedPredicate] = field(default_factory=dict)
    fluents: Mapping[str, NumericFluent] = field(default_factory=dict)
    repairs: tuple[RepairRule, ...] = ()
    ladder: Ladder = field(default_factory=dict)

    @property
    def features(self) -> frozenset[str]:
        """What this domain asks of a planner beyond literals and costs.

        ``conditional-effects``, ``quantified-effects``, ``quantified-conditions``, ``disjunctive-conditions``,
        ``derived-predicates``, ``numeric`` (only fluents that are planned), ``costs-by-arguments``. None: the fast
        searches take it.
        """
        found = set[str]().union(*(one.features for one in self.capabilities.values()))
        if self.derived:
            found.add("derived-predicates")
            found.update(*(features_of(body) for one in self.derived.values() for body in one.bodies))
        if not any(one.planned for one in self.fluents.values()):
            found.discard("numeric")
        return frozenset(found)

    def with_costs(self, costs: Mapping[str, int]) -> Domain:
        """Return this domain with other costs of the actions of its agents, by class.

        Raises:
            UnknownNameError: A class is no agent here.
        """
        for name in costs:
            if name not in self.agents:
                raise UnknownNameError("agent", name, self.agents)
        agents = {name: replace(agent, cost=costs.get(name, agent.cost)) for name, agent in self.agents.items()}
        return replace(self, agents=agents)

    def axioms(self, things: Mapping[str, Thing]) -> Axioms | None:
        """Return the derived predicates over `things`, or None when there are none.

        Raises:
            UsageError: A predicate is derived from its own denial.
        """
        return ground_axioms(self, things) if self.derived else None

    def thing(self, name: str, class_name: str) -> Thing:
        """Make an instance of a class.

        Raises:
            UnknownNameError: No such class.
        """
        if class_name not in self.classes:
            raise UnknownNameError("class", class_name, self.classes)
        found = self.classes[class_name]
        return Thing(name, class_name, found.affordances, found.kinds, found.words)

    def vocabulary(self, things: Mapping[str, Thing], speaker: str | None = None) -> Vocabulary:
        """Join this domain with the things of a scene."""
        robots = [name for name, thing in things.items() if thing.class_name == "robot"]
        return Vocabulary(
            domain=self.name,
            predicates={name: model.predicate for name, model in self.predicates.items()},
            things=things,
            classes={name: found.affordances for name, found in self.classes.items()},
            kinds=self.kinds,
            synonyms={word: found.name for found in self.classes.values() for word in found.words} | dict(self.words),
            phrases=self.phrases,
            speaker=speaker,
            robot=robots[0] if robots else "robot0",
        )

    def ground(
        self,
        action: Action,
        things: Mapping[str, Thing],
        numbers: Mapping[Atom, float] | None = None,
        axioms: Axioms | None = None,
    ) -> Operator:
        """Turn an action into an operator.

        Args:
            action: Name and arguments.
            things: Everything that exists, by name.
            numbers: Of the scene, for a cost that depends on them.
            axioms: What `axioms` returned for these things, so that it is not computed anew for each action.

        Raises:
            UnknownNameError: The capability or an argument is unknown.
            UsageError: Wrong number of arguments, a missing affordance, equal arguments that must differ, an agent
                without the capability, or a cost that is no whole number from 0.
        """
        return ground_operator(self, action, things, numbers or {}, axioms)


@dataclass(frozen=True, slots=True)
class SceneFile:
    """A scene as written.

    Attributes:
        name: Its name.
        things: Everything that exists, agents and furniture included.
        layout: The true arrangement, for a body; None where nothing is placed.
        facts: The facts of that arrangement (``on``, ``in``, ``at``, ``opened``, ``closed``), to plan without a body.
        beliefs: What is held true at the start without having been sensed, with the source in words.
        speaker: The person who speaks.
        numbers: Values of numeric fluents, those by default included.
    """

    name: str
    things: Mapping[str, Thing]
    layout: Layout | None
    facts: frozenset[Atom]
    beliefs: Mapping[Atom, str] = field(default_factory=dict)
    speaker: str | None = None
    numbers: Mapping[Atom, float] = field(default_factory=dict)

    @property
    def arrangement(self) -> Layout:
        """The true arrangement, for a body; a scene without one is a `UsageError`."""
        if self.layout is None:
            raise UsageError(f"scene '{self.name}' has no arrangement; the robot symbolic needs none")
        return self.layout
