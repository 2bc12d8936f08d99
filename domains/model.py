"""`Domain` and `SceneFile`: a world as data, checked and ready to use.

A domain holds the classes of things with their affordances, the predicates, the capabilities of agents, and the words
of people. `domains.reader` reads it from files; this module reads none.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from domains.capability import (
    Capability,
    ConditionalEffect,
    NumericEffect,
    Parameter,
    Template,
    effects_of,
    features_of,
)
from domains.conventions import STANDARD, ConventionKind, Conventions, Known
from domains.cost_scale import cost_scale
from domains.declarations import (
    AgentModel,
    DerivedPredicate,
    NumericFluent,
    ObjectClass,
    PackedClasses,
    PredicateModel,
    kinds_of,
)
from domains.grounding import ground_axioms, ground_operator
from domains.repairs import Ladder, RepairRule, RepairStep, Spending
from domains.worlds import Ancestry
from semantics.body.layout import Layout
from semantics.errors import UsageError, known_name
from semantics.logic.atoms import Atom
from semantics.logic.state import Action, Axioms, Operator
from semantics.logic.vocabulary import Attribute, GoalPhrase, GoalRule, ProgramPhrase, Thing, Vocabulary

__all__ = [
    "AgentModel",
    "Capability",
    "ConditionalEffect",
    "DerivedPredicate",
    "Domain",
    "GoalRule",
    "NumericEffect",
    "NumericFluent",
    "ObjectClass",
    "Parameter",
    "PredicateModel",
    "RepairRule",
    "RepairStep",
    "SceneFile",
    "Spending",
    "Template",
]


MOST_COMPUTED = 64  # how many cached values a domain or a world keeps

Value = TypeVar("Value")


class Computed(dict[Hashable, Any]):
    """A cache of values computed from an immutable value; it is no part of it, so copies and pickles start empty."""

    def __reduce__(self) -> tuple[type[Computed], tuple[()]]:
        return Computed, ()

    def remember(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the cached result of `make`; the oldest keys are dropped when there are many."""
        entry = self.get(key)  # looked up once, since other threads may drop the key
        if entry is None:
            entry = self[key] = (make(),)
            for oldest in tuple(self)[:-MOST_COMPUTED]:
                self.pop(oldest, None)
        value: Value = entry[0]
        return value


SHIPPED = Path(__file__).parent  # the folder of the worlds that every command knows by name


@dataclass(frozen=True, slots=True)
class Domain:
    """A world as data.

    Mappings are by name, in the order of the file; `source` is that file's path, if any. `constants` are things that
    exist in every scene, by name. Derived predicates are in `predicates` too. `implied` are the affordances that follow
    from another one in every class. `attributes` are the properties with values of things. `conventions` are the names
    that world-independent code uses. What is seen with less than `least_confidence`, from 0 to 1, is not sensed.
    `moves_every` says after how many seconds half the things of a class or kind have been moved; infinite for never.
    `uses` are the affordances, kinds and classes of things by what one can do with them, such as ``cut with``.
    `ancestry` says which worlds this one extends; equal worlds may differ in it.
    """

    name: str
    affordances: Mapping[str, str]
    classes: Mapping[str, ObjectClass]
    kinds: Mapping[str, frozenset[str]]
    predicates: Mapping[str, PredicateModel]
    capabilities: Mapping[str, Capability]
    agents: Mapping[str, AgentModel]
    phrases: tuple[GoalPhrase, ...] = ()
    programs: Mapping[str, ProgramPhrase] = field(default_factory=dict)
    rules: tuple[GoalRule, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    source: str | None = None
    constants: Mapping[str, Thing] = field(default_factory=dict)
    derived: Mapping[str, DerivedPredicate] = field(default_factory=dict)
    fluents: Mapping[str, NumericFluent] = field(default_factory=dict)
    repairs: tuple[RepairRule, ...] = ()
    ladder: Ladder = field(default_factory=dict)
    conventions: Conventions = STANDARD
    implied: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    least_confidence: float = 0.5
    moves_every: Mapping[str, float] = field(default_factory=dict)
    uses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ancestry: Ancestry = field(default_factory=Ancestry, repr=False, compare=False)

    _computed: Computed = field(default_factory=Computed, init=False, repr=False, compare=False)

    def remember(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the cached result of `make`, which depends on this domain and `key` alone.

        Args:
            key: Starts with the name of the caller. The oldest keys are dropped when there are many.
            make: Computes the value when it is not cached.
        """
        return self._computed.remember(key, make)

    @property
    def reference(self) -> str:
        """The world as commands call it: the name of a shipped one, the path of any other."""
        if self.source is None or Path(self.source).parent.parent == SHIPPED:
            return self.name
        return shlex.quote(self.source)

    @property
    def names(self) -> Known:
        """The names of each sort that a convention can be."""
        return {
            ConventionKind.AFFORDANCE: self.affordances,
            ConventionKind.CLASS: self.classes,
            ConventionKind.PREDICATE: self.predicates,
        }

    @property
    def features(self) -> frozenset[str]:
        """Features that a planner must support beyond literals and costs.

        ``conditional-effects``, ``quantified-effects``, ``quantified-conditions``, ``disjunctive-conditions``,
        ``derived-predicates``, ``numeric`` (only fluents that are planned), ``costs-by-arguments``. Without any, the
        fast searches apply.
        """
        features = set[str]().union(*(capability.features for capability in self.capabilities.values()))
        if self.derived:
            features.add("derived-predicates")
            features.update(*(features_of(body) for derived in self.derived.values() for body in derived.bodies))
        if not any(fluent.planned for fluent in self.fluents.values()):
            features.discard("numeric")
        return frozenset(features)

    @property
    def is_adl(self) -> bool:
        """Whether conditions or effects of actions go beyond literals, or costs depend on arguments."""
        verbs = self.capabilities.values()
        beyond_literals = any(
            capability.condition is not None
            or capability.conditional
            or capability.numeric
            or capability.cost_by is not None
            for capability in verbs
        )
        return beyond_literals or bool(self.derived)

    @property
    def momentary(self) -> frozenset[str]:
        """Names of the predicates whose facts are forgotten when another goal is begun."""
        return frozenset(name for name, model in self.predicates.items() if model.predicate.momentary)

    @property
    def on_demand(self) -> frozenset[str]:
        """Names of the predicates that are sensed only where something asks for them."""
        return self.remember(
            "on demand", lambda: frozenset(name for name, model in self.predicates.items() if model.predicate.on_demand)
        )

    def defining(self, predicate: str) -> frozenset[str]:
        """Return the predicates that the definition of a derived predicate names, and theirs; empty for another one."""
        found, agenda = set[str](), [predicate]
        while agenda:
            derived = self.derived.get(agenda.pop())
            new = {literal.atom.predicate for literal in derived.literals} - found if derived is not None else set()
            found |= new
            agenda += new
        return frozenset(found)

    @property
    def static_predicates(self) -> frozenset[str]:
        """Names of the predicates whose facts no capability changes, no rule derives, and planning does not keep."""
        changed = {literal.atom.predicate for verb in self.capabilities.values() for literal in effects_of(verb)}
        kept = {name for name, model in self.predicates.items() if model.bookkeeping}
        return frozenset(self.predicates.keys() - changed - kept - self.derived.keys())

    @property
    def changing_numbers(self) -> frozenset[str]:
        """Names of the numeric fluents that some action changes."""
        effects = (effect for capability in self.capabilities.values() for effect in capability.effects)
        return frozenset(numeric.fluent.predicate for effect in effects for numeric in effect.numeric)

    @property
    def planned_numbers(self) -> frozenset[str]:
        """Names of the numbers that change and that planning uses."""
        return frozenset(
            name for name in self.changing_numbers if name not in self.fluents or self.fluents[name].planned
        )

    def with_costs(self, costs: Mapping[str, int]) -> Domain:
        """Return this domain with other costs of the actions of its agents, by class.

        Raises:
            UnknownNameError: A class is not an agent class.
        """
        for name in costs:
            known_name("agent", name, self.agents)
        if not costs:
            return self
        agents = {name: replace(agent, cost=costs.get(name, agent.cost)) for name, agent in self.agents.items()}
        return replace(self, agents=agents)

    def beyond(self, primitives: Collection[str]) -> frozenset[str]:
        """Return the capabilities that a body with `primitives` cannot do.

        These need another primitive, or give a primitive too few roles, if `primitives` is a mapping that tells them. A
        capability without a primitive needs one of its own name.
        """
        told = primitives if isinstance(primitives, Mapping) else {}
        return frozenset(
            name
            for name, verb in self.capabilities.items()
            if (motion := verb.primitive or name) not in primitives
            or (motion in told and not verb.roles_of_command >= frozenset(told[motion].roles))
        )

    def without(self, capabilities: Collection[str]) -> Domain:
        """Return this domain with agents that lack some capabilities; those without an agent are left out."""
        agents = {
            name: replace(agent, capabilities=agent.capabilities - frozenset(capabilities))
            for name, agent in self.agents.items()
        }
        kept = {n: verb for n, verb in self.capabilities.items() if not (verb.agentless and n in capabilities)}
        return replace(self, agents=agents, capabilities=kept)

    def with_classes(self, classes: Iterable[ObjectClass]) -> Domain:
        """Return this domain with further classes, or others in place of those of their names."""
        added = {each.name: each for each in classes}
        kinds = dict.fromkeys((*self.kinds, *sorted(kind for each in added.values() for kind in each.kinds)))
        if not isinstance(self.classes, PackedClasses):
            return replace(self, classes={**self.classes, **added}, kinds=kinds_of({**self.classes, **added}, kinds))
        known = self.classes.listing(added)
        words = {word: kind for word, kind in known.kind_words.items() if kind in kinds}
        return replace(self, classes=known, kinds=kinds_of(known, kinds), words=words | dict(self.words))

    def with_classes_of(self, things: Mapping[str, Thing]) -> Domain:
        """Return this domain with the classes of packs that things have among its own."""
        if not isinstance(self.classes, PackedClasses):
            return self
        names = {thing.class_name for thing in things.values()} - {*self.classes}
        touched = [known for name in sorted(names) if name in self.classes and (known := self.classes.usable(name))]
        return self.with_classes(touched) if touched else self

    def cost_scale(self, numbers: Mapping[Atom, float]) -> int:
        """Return how many units of planning make one unit of this domain's costs, see `domains.cost_scale`."""
        verbs = self.capabilities.values()
        costs = self.remember("costs", lambda: tuple(verb.cost_by for verb in verbs if verb.cost_by is not None))
        if not costs:
            return 1
        last: list[tuple[Mapping[Atom, float], int]] = self.remember("cost scale", list)
        for known, scale in last:  # the same object, since comparing the numbers costs as much as reading them
            if known is numbers:
                return scale
        scale = cost_scale(costs, numbers)
        last[:] = [(numbers, scale)]
        return scale

    def axioms(self, things: Mapping[str, Thing]) -> Axioms | None:
        """Return the derived predicates over `things`, or None when there are none.

        Raises:
            UsageError: A predicate depends on its own negation.
        """
        return ground_axioms(self, things) if self.derived else None

    def thing(self, name: str, class_name: str) -> Thing:
        """Make an instance of a class.

        Raises:
            UnknownNameError: There is no such class.
        """
        known_name("class", class_name, self.classes)
        return self.classes[class_name].instance(name)

    def takes(self, atom: Atom, things: Mapping[str, Thing]) -> bool:
        """Return whether there is a predicate of a fact and its arguments have the affordances that this asks for."""
        model = self.predicates.get(atom.predicate)
        if model is None or len(model.predicate.parameters) != len(atom.args):
            return False
        pairs = zip(atom.args, model.predicate.parameters, strict=True)
        return all(name in things and things[name].affords((affordance,)) for name, affordance in pairs)

    @property
    def sayings(self) -> dict[str, dict[str, str]]:
        """The sentences of its facts and of its actions by name, with ``{0}``, ``{1}`` for the arguments."""
        facts = {name: model.predicate.description for name, model in self.predicates.items()}
        actions = {name: capability.template for name, capability in self.capabilities.items()}
        return {"facts": facts, "actions": actions}

    def vocabulary(self, things: Mapping[str, Thing], speaker: str | None = None) -> Vocabulary:
        """Return the vocabulary of this domain and the things of a scene."""
        touched = self.with_classes_of(things)
        if touched is not self:
            return touched.vocabulary(things, speaker)
        robots = [name for name, thing in things.items() if thing.class_name == self.conventions.robot]
        return Vocabulary(
            domain=self.name,
            predicates={name: model.predicate for name, model in self.predicates.items()},
            things=things,
            classes={name: object_class.affordances for name, object_class in self.classes.items()},
            kinds=self.kinds,
            synonyms={word: object_class.name for object_class in self.classes.values() for word in object_class.words}
            | dict(self.words),
            phrases=self.phrases,
            programs=self.programs,
            speaker=speaker,
            robot=robots[0] if robots else "robot0",
            actor=self.conventions.actor or STANDARD.actor,
            world=self.reference,
            attributes=self.attributes,
            values={name: capability.values for name, capability in self.capabilities.items() if capability.values},
            on=self.conventions.on,
            overturned=self.conventions.overturned,
            aside=self.conventions.aside,
            uses=self.uses,
            further=self.classes.words if isinstance(self.classes, PackedClasses) else (),
        )

    def ground(
        self,
        action: Action,
        things: Mapping[str, Thing],
        numbers: Mapping[Atom, float] | None = None,
        axioms: Axioms | None = None,
    ) -> Operator:
        """Ground an action.

        Args:
            action: Name and arguments.
            things: Everything that exists, by name.
            numbers: Numbers of the scene, for a cost that depends on them.
            axioms: The result of `axioms` for these things, so that it is not recomputed for each action.

        Raises:
            UnknownNameError: The capability or an argument is unknown.
            UsageError: Wrong number of arguments, a missing affordance, equal arguments that must differ, an agent
                without the capability, or a cost that is no number from 0.
        """
        return ground_operator(self, action, things, numbers or {}, axioms)


@dataclass(frozen=True, slots=True)
class SceneFile:
    """A scene as its file states it."""

    name: str  # its name
    things: Mapping[str, Thing]  # everything that exists, agents and furniture included
    layout: Layout | None  # the true arrangement, for a body; None where nothing is placed
    # the facts of that arrangement (``on``, ``in``, ``at``, ``opened``, ``closed``), to plan without a body
    facts: frozenset[Atom]
    # what is held true at the start without having been sensed, with the source in words
    beliefs: Mapping[Atom, str] = field(default_factory=dict)
    speaker: str | None = None  # the person who speaks
    numbers: Mapping[Atom, float] = field(default_factory=dict)  # values of numeric fluents, those by default included
    hidden: frozenset[str] = frozenset()  # movable things of which nobody knows where they are until they are sensed

    @property
    def arrangement(self) -> Layout:
        """The true arrangement, for a body.

        Raises:
            UsageError: The scene has none.
        """
        if self.layout is None:
            raise UsageError(f"scene '{self.name}' has no arrangement; the robot symbolic needs none")
        return self.layout
