"""`Domain` and `SceneFile`: a world as data, checked and ready to use.

A domain says which classes of things there are and what they afford, which facts can be stated, what agents can do,
and how people talk about it. It is read from YAML by `domains.reading`; nothing here knows about files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from semantics.atoms import Atom, Literal
from semantics.errors import UnknownNameError, UsageError
from semantics.layout import Layout, Shape
from semantics.state import Action, Command, Operator
from semantics.vocabulary import GoalPhrase, Predicate, Thing, Vocabulary

__all__ = [
    "AgentModel",
    "Capability",
    "Domain",
    "ObjectClass",
    "Parameter",
    "PredicateModel",
    "Rule",
    "SceneFile",
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
    """

    name: str
    affordances: frozenset[str]
    kinds: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    shape: Shape | None = None
    model: str | None = None


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
class Parameter:
    """A capability's parameter: its name without the question mark, and the affordances it must all have."""

    name: str
    affordances: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """A literal over parameters (``?o``) and constants."""

    predicate: str
    args: tuple[str, ...]
    positive: bool = True

    def ground(self, binding: Mapping[str, str]) -> Literal:
        """Replace parameters by names."""
        args = tuple(binding[arg[1:]] if arg.startswith("?") else arg for arg in self.args)
        return Literal(Atom(self.predicate, args), self.positive)


@dataclass(frozen=True, slots=True)
class Capability:
    """What an agent can do; the first parameter is the agent.

    Attributes:
        name: Symbol, such as ``grasp``.
        parameters: In order.
        precondition: Conjunction of literals.
        effect: Literals made true or false.
        distinct: Pairs of parameter names that must differ.
        primitive: Motion primitive of the body.
        roles: Parameter name of each of the primitive's roles.
        cost: Multiplies the agent's cost.
    """

    name: str
    parameters: tuple[Parameter, ...]
    precondition: tuple[Template, ...]
    effect: tuple[Template, ...]
    distinct: tuple[tuple[str, str], ...] = ()
    primitive: str = ""
    roles: Mapping[str, str] = field(default_factory=dict)
    cost: int = 1


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
    """

    name: str
    prolog: str
    sentence: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Domain:
    """A world as data. Mappings are by name, in the order of the file; `source` is that file's path, if any."""

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

    def ground(self, action: Action, things: Mapping[str, Thing]) -> Operator:
        """Turn an action into an operator.

        Raises:
            UnknownNameError: The capability or an argument is unknown.
            UsageError: Wrong number of arguments, a missing affordance, equal arguments that must differ, or an
                agent without the capability.
        """
        if action.name not in self.capabilities:
            raise UnknownNameError("capability", action.name, self.capabilities)
        capability = self.capabilities[action.name]
        _check_arguments(capability, action, things)
        agent = self.agents.get(things[action.args[0]].class_name)
        if agent is None or capability.name not in agent.capabilities:
            raise UsageError(f"{action.args[0]} cannot {capability.name}")
        binding = {parameter.name: arg for parameter, arg in zip(capability.parameters, action.args, strict=True)}
        for one, other in capability.distinct:
            if binding[one] == binding[other]:
                raise UsageError(f"{action}: ?{one} and ?{other} must differ")
        return self._operator(capability, action, binding, agent.cost)

    def _operator(
        self, capability: Capability, action: Action, binding: Mapping[str, str], agent_cost: int
    ) -> Operator:
        effect = [template.ground(binding) for template in capability.effect]
        added = frozenset(atom for atom, positive in effect if positive)
        changed = frozenset(atom for atom, _ in effect)
        precondition = frozenset(template.ground(binding) for template in capability.precondition)
        named = changed.union(atom for atom, _ in precondition)
        roles = {role: binding[name] for role, name in capability.roles.items()}
        return Operator(
            action=action,
            precondition=precondition,
            added=added,
            deleted=changed - added,
            cost=agent_cost * capability.cost,
            command=Command(capability.primitive, action.args[0], roles) if capability.primitive else None,
            bookkeeping=frozenset(atom for atom in named if self.predicates[atom.predicate].bookkeeping),
        )


def _check_arguments(capability: Capability, action: Action, things: Mapping[str, Thing]) -> None:
    if len(action.args) != len(capability.parameters):
        raise UsageError(f"{action}: {capability.name} takes {len(capability.parameters)} arguments")
    for parameter, arg in zip(capability.parameters, action.args, strict=True):
        if arg not in things:
            raise UnknownNameError("object", arg, things)
        lacking = set(parameter.affordances) - things[arg].affordances - {"object"}
        if lacking:
            raise UsageError(f"{action}: {arg} does not afford {', '.join(sorted(lacking))}")


@dataclass(frozen=True, slots=True)
class SceneFile:
    """A scene as written.

    Attributes:
        name: Its name.
        things: Everything that exists, agents and furniture included.
        layout: The true arrangement, for a body.
        facts: The facts of that arrangement (``on``, ``in``, ``at``, ``opened``, ``closed``), to plan without a body.
        beliefs: What is held true at the start without having been sensed, with the source in words.
        speaker: The person who speaks.
    """

    name: str
    things: Mapping[str, Thing]
    layout: Layout
    facts: frozenset[Atom]
    beliefs: Mapping[Atom, str] = field(default_factory=dict)
    speaker: str | None = None
