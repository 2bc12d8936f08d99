"""`Capability`: what an agent can do, over parameters that are typed by affordances.

Its core is a conjunction of literals as precondition and literals as effect, which every search supports. ADL features
(a disjunction or quantifier in the precondition, conditional or quantified effects, numbers, a cost that depends on the
arguments) have separate fields; `Capability.features` names those that are used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from semantics.logic.atoms import (
    And,
    Atom,
    Compare,
    Equal,
    Exists,
    Expression,
    ForAll,
    Formula,
    Literal,
    Not,
    Or,
    Variable,
)
from semantics.logic.place_value import PlaceModel
from semantics.logic.quantity import ValueModel


@dataclass(frozen=True, slots=True)
class Parameter:
    """A capability's parameter: its name without the question mark, and the affordances that an argument must have."""

    name: str
    affordances: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """A literal over parameters (``?o``) and constants."""

    predicate: str
    args: tuple[str, ...]
    positive: bool = True

    @property
    def literal(self) -> Literal:
        """The literal over parameters."""
        return Literal(Atom(self.predicate, self.args), self.positive)

    def ground(self, binding: Mapping[str, str]) -> Literal:
        """Replace parameters by names."""
        args = tuple(binding[arg[1:]] if arg.startswith("?") else arg for arg in self.args)
        return Literal(Atom(self.predicate, args), self.positive)


@dataclass(frozen=True, slots=True)
class NumericEffect:
    """`how` (``assign``, ``increase``, ``decrease``) the numeric `fluent` changes by `amount`, over parameters."""

    how: str
    fluent: Atom
    amount: Expression


@dataclass(frozen=True, slots=True)
class ConditionalEffect:
    """A conditional effect, for all things that `variables` range over, where `condition` held before."""

    literals: tuple[Template, ...] = ()  # made true or false, over parameters and variables (``?l``)
    numeric: tuple[NumericEffect, ...] = ()  # numeric effects
    condition: Formula | None = None  # must have held before; None for always
    variables: tuple[Variable, ...] = ()  # quantified variables; none for a single effect

    def under(self, condition: Formula) -> ConditionalEffect:
        """Return this effect under a further condition."""
        joined = condition if self.condition is None else And((self.condition, condition))
        return replace(self, condition=joined)


ALWAYS = ConditionalEffect()  # what is under no condition


@dataclass
class Effects:
    """The effects of an action while they are read."""

    # literals and numeric effects, by the condition and the variables that they are under
    groups: dict[ConditionalEffect, ConditionalEffect] = field(default_factory=dict)

    def add(self, effect: ConditionalEffect) -> None:
        """Add an effect to those with the same condition and variables."""
        within = replace(effect, literals=(), numeric=())
        group = self.groups.get(within, within)
        literals = tuple(dict.fromkeys((*group.literals, *effect.literals)))
        self.groups[within] = replace(within, literals=literals, numeric=(*group.numeric, *effect.numeric))

    @property
    def plain(self) -> ConditionalEffect:
        """Those without condition and variables."""
        return self.groups.get(ALWAYS, ALWAYS)

    @property
    def conditional(self) -> tuple[ConditionalEffect, ...]:
        """Those with a condition or variables."""
        return tuple(group for within, group in self.groups.items() if within != ALWAYS)


@dataclass(frozen=True, slots=True)
class Capability:
    """What an agent can do; the first parameter is the agent, unless it is `agentless`."""

    name: str  # symbol, such as ``grasp``
    parameters: tuple[Parameter, ...]  # in order
    precondition: tuple[Template, ...]  # conjunction of literals
    effect: tuple[Template, ...]  # literals made true or false
    distinct: tuple[tuple[str, str], ...] = ()  # pairs of parameter names that must differ
    primitive: str = ""  # motion primitive of the body
    # name of the parameter, or of the constant of the domain, in each of the primitive's roles
    roles: Mapping[str, str] = field(default_factory=dict)
    cost: int = 1  # multiplies the agent's cost
    # replaces `cost` where that depends on the arguments: an expression over static numbers of the scene, such as
    # ``(distance ?from ?to)``; its value must be a number from 0
    cost_by: Expression | None = None
    # further precondition: disjunctions, quantifiers, comparisons of numbers; parameters are ``?o``
    condition: Formula | None = None
    conditional: tuple[ConditionalEffect, ...] = ()  # conditional and quantified effects
    numeric: tuple[NumericEffect, ...] = ()  # numeric effects
    agentless: bool = False  # whether no parameter is an agent; any agent executes it, at the capability's own cost
    # duration in seconds, for plans with overlapping steps and for costs; None when unknown
    duration: float | None = None
    # names of the parameters that nothing else may use while it runs, besides the agent
    resources: tuple[str, ...] = ()
    say: str = ""  # sentence with ``{o}`` for the parameters, such as "{a} pours {liquid} into {target}"
    aliases: tuple[str, ...] = ()  # further names for it, in programs and prompts
    # The name of a capability and the parameters that it is given. It does as well at the same cost, and is applicable
    # whenever this one is, unless the goal, or a condition of an action that keeps them, asks for the facts that only
    # this one makes.
    otherwise: tuple[str, ...] = ()
    values: tuple[ValueModel, ...] = ()  # what it takes beside objects, such as a speed; sorted by name
    # relations that it can make true by where it sets a thing down, see `domains.relations`
    relations: tuple[str, ...] = ()
    # what things afford beside which it sets something down; empty for those that rest as its object does
    beside: tuple[str, ...] = ()
    # the values that are points or regions, such as where a thing is put; sorted by name
    places: tuple[PlaceModel, ...] = ()

    def bound(self, names: Sequence[str]) -> Capability:
        """Return it with other names for its parameters, in order, in its precondition and its plain effect."""
        new = {f"?{parameter.name}": f"?{name}" for parameter, name in zip(self.parameters, names, strict=True)}
        precondition, effect = (
            tuple([replace(part, args=tuple([new.get(arg, arg) for arg in part.args])) for part in parts])
            for parts in (self.precondition, self.effect)
        )
        return replace(self, precondition=precondition, effect=effect)

    @property
    def template(self) -> str:
        """`say` with ``{0}``, ``{1}`` for the arguments, as predicates have it; without one, its name and these."""
        sentence = self.say or " ".join(
            (self.name.replace("_", " "), *(f"{{{each.name}}}" for each in self.parameters))
        )
        for number, parameter in enumerate(self.parameters):
            sentence = sentence.replace(f"{{{parameter.name}}}", f"{{{number}}}")
        return sentence

    @property
    def roles_of_command(self) -> frozenset[str]:
        """The roles that its command fills; without a primitive, these are the parameters except the agent."""
        if self.primitive:
            return frozenset(self.roles)
        return frozenset(parameter.name for parameter in self.parameters[not self.agentless :])

    @property
    def effects(self) -> tuple[ConditionalEffect, ...]:
        """All effects: those under no condition, and the conditional ones."""
        return ConditionalEffect(self.effect, self.numeric), *self.conditional

    @property
    def features(self) -> frozenset[str]:
        """Features that a planner must support beyond literals, see `domains.model.Domain.features`."""
        features = features_of(self.condition) if self.condition is not None else set()
        for effect in self.effects:
            features |= {"quantified-effects"} if effect.variables else set()
            if effect.condition is not None:
                features |= {"conditional-effects"} | features_of(effect.condition)
            features |= {"numeric"} if effect.numeric else set()
        if self.cost_by is not None:
            features |= {"costs-by-arguments"}
        return frozenset(features)


def formulas_of(capability: Capability) -> Iterator[tuple[str, Formula]]:
    """Yield each condition of a capability beyond its literals, with the name of its section."""
    if capability.condition is not None:
        yield "precondition", capability.condition
    yield from (("effect", effect.condition) for effect in capability.conditional if effect.condition is not None)


def effects_of(capability: Capability) -> Iterator[Literal]:
    """Yield every literal that a capability may make true or false."""
    yield from (template.literal for effect in capability.effects for template in effect.literals)


def features_of(formula: Formula) -> set[str]:
    """Return the features that a planner must support for a condition, beyond a conjunction of literals."""
    match formula:
        case Atom() | Not(Atom()) | Equal():
            return set()
        case Compare():
            return {"numeric"}
        case ForAll(_, part) | Exists(_, part):
            return {"quantified-conditions"} | features_of(part)
        case Not(part):
            return {"disjunctive-conditions"} | features_of(part)
        case And(parts):
            return set[str]().union(*map(features_of, parts))
        case Or(parts):
            return {"disjunctive-conditions"}.union(*map(features_of, parts))


@dataclass(frozen=True, slots=True)
class PreconditionParts:
    """The parts of a precondition, in the form of a `Capability`."""

    literals: tuple[Template, ...]
    distinct: tuple[tuple[str, str], ...]
    condition: Formula | None


def split_condition(parts: Iterable[Formula], parameters: Collection[str]) -> PreconditionParts:
    """Split a conjunction into literals, inequalities of ``?parameters``, and the rest."""
    literals, distinct, rest = list[Template](), list[tuple[str, str]](), list[Formula]()
    for part in parts:
        match part:
            case Atom(predicate, args):
                literals.append(Template(predicate, args))
            case Not(Atom(predicate, args)):
                literals.append(Template(predicate, args, positive=False))
            case Not(Equal(left, right)) if left != right and left in parameters and right in parameters:
                distinct.append((left[1:], right[1:]))
            case _:
                rest.append(part)
    return PreconditionParts(tuple(dict.fromkeys(literals)), tuple(dict.fromkeys(distinct)), all_of(rest))


def all_of(conditions: Sequence[Formula]) -> Formula | None:
    """Return the conjunction of some conditions; None for none."""
    return And(tuple(conditions)) if len(conditions) > 1 else next(iter(conditions), None)
