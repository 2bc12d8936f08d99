"""States, operators and plans: the model of change, as set algebra.

A state is a frozenset of ground atoms (what is not in it is false) and a small map of numeric fluents.
An operator is four frozensets, so that applying it costs microseconds; ticking a tree never calls a
planning library. What only ADL domains need (a disjunction in a precondition, conditional effects, numbers, derived
predicates) has separate fields, which are empty elsewhere; `Operator.adl` tells whether one of them is used. Where sets
are compared a thousand times, they are the bits of an integer (`bits`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from semantics.logic.atoms import Atom, Conjunct, Expression, Formula, Literal, Or, conjoined, literals
from semantics.logic.conditions import is_true, value
from semantics.logic.feedback import Feedback
from semantics.logic.place_value import ActionValue, PlaceValue, place_text, read_value, value_text
from semantics.logic.quantity import QuantityError
from semantics.logic.said_number import SaidNumber


@dataclass(frozen=True, slots=True)
class State:
    """A state: true ground atoms under the closed-world assumption, and the values of ground numeric fluents."""

    atoms: frozenset[Atom] = frozenset()
    numbers: Mapping[Atom, float] = field(default_factory=dict, hash=False)

    def holds(self, literal: Literal) -> bool:
        """Return whether `literal` is true here."""
        return (literal.atom in self.atoms) == literal.positive

    def satisfies(self, conjunct: Iterable[Literal]) -> bool:
        """Return whether every literal of `conjunct` is true here."""
        return all((atom in self.atoms) == positive for atom, positive in conjunct)

    def judge(self, formula: Formula) -> bool:
        """Return whether a ground formula is true here.

        Raises:
            UsageError: The formula is not ground, or reads a number without a value.
        """
        return is_true(formula, self.atoms, self.numbers)

    def missing(self, conjunct: Iterable[Literal]) -> tuple[Literal, ...]:
        """Return the literals of `conjunct` that are false here, sorted."""
        return tuple(sorted(literal for literal in conjunct if not self.holds(literal)))

    def with_atoms(self, added: Iterable[Atom] = (), deleted: Iterable[Atom] = ()) -> State:
        """Return a state without `deleted` and then with `added`."""
        return State((self.atoms - frozenset(deleted)) | frozenset(added), self.numbers)


class Action(NamedTuple):
    """A capability applied to objects and values, such as ``(pour robot0 bottle0 glass0 :amount 30ml)``.

    Attributes:
        name: The capability.
        args: The objects, in the order of its parameters.
        values: The values that were said, by name and sorted: quantities, points and regions. What is missing has its
            default. Planning does not branch on them.
    """

    name: str
    args: tuple[str, ...] = ()
    values: tuple[tuple[str, ActionValue], ...] = ()

    def __str__(self) -> str:
        said = (word for name, value in self.values for word in (f":{name}", value_text(value)))
        return f"({' '.join((self.name, *self.args, *said))})"

    @classmethod
    def read(cls, text: str) -> Action:
        """Read what `str` writes.

        Raises:
            QuantityError: A value is neither a quantity nor a place.
        """
        name, *words = text.strip("()").split()
        first = next((at for at, word in enumerate(words) if word.startswith(":")), len(words))
        said = words[first:]
        if len(said) % 2 or not all(word.startswith(":") for word in said[::2]):
            raise QuantityError(f"'{text}' has a value without a name, or a name without a value; write :amount 30ml")
        pairs = zip(said[::2], said[1::2], strict=True)
        return cls(name, tuple(words[:first]), tuple(sorted((key[1:], read_value(one)) for key, one in pairs)))

    def with_values(self, values: Mapping[str, ActionValue]) -> Action:
        """Return the same with these values besides its own, which they replace."""
        return self._replace(values=tuple(sorted((dict(self.values) | dict(values)).items())))


@dataclass(frozen=True, slots=True)
class Command:
    """A command for a body: a motion primitive, the agent, objects by role, and values.

    Each value is a number in the first unit of its dimension: metres, seconds, metres per second, degrees, millilitres,
    kilograms (see `semantics.logic.quantity.UNITS`). A value that is not given is left to the body. `places` are the
    values that are points or regions, by name, in metres, in the frame of the scene.

    The roles of each primitive are listed in `robots.primitives.PRIMITIVES`. A capability of a domain says which
    primitive it uses and which parameter fills which role, so that a body knows no domain.
    """

    primitive: str
    agent: str
    roles: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    places: Mapping[str, PlaceValue] = field(default_factory=dict)

    def __str__(self) -> str:
        numbers = ((name, f"{number:g}") for name, number in self.values.items())
        said = (*self.roles.items(), *numbers, *((name, place_text(place)) for name, place in self.places.items()))
        return f"{self.primitive}({', '.join(f'{name}={value}' for name, value in said)})"


@dataclass(frozen=True, slots=True)
class Change:
    """A ground numeric effect: `how` (``assign``, ``increase``, ``decrease``) `fluent` changes by `amount`."""

    how: str
    fluent: Atom
    amount: Expression

    def __str__(self) -> str:
        return f"({self.how} {self.fluent} {self.amount})"


@dataclass(frozen=True, slots=True)
class When:
    """A ground conditional effect: added and deleted atoms and changed numbers, if `condition` held before."""

    condition: Formula
    added: frozenset[Atom] = frozenset()
    deleted: frozenset[Atom] = frozenset()
    changes: tuple[Change, ...] = ()


class Closing(Protocol):
    """Derives facts."""

    def close(self, atoms: set[Atom]) -> None:
        """Add to `atoms`, which has no derived ones, all that follow."""
        ...


@dataclass(frozen=True, slots=True)
class Axioms:
    """Derived predicates, ground and stratified."""

    predicates: frozenset[str]  # names of the derived predicates
    # rules in layers; the bodies of a layer deny only what earlier layers derive
    strata: Sequence[Sequence[tuple[Atom, Formula]]]
    # derives the same without ground rules, where that is possible
    derivation: Closing | None = field(default=None, repr=False, compare=False)
    _indices: dict[int, _RuleIndex] = field(default_factory=dict, init=False, repr=False, compare=False)

    def close(self, state: State) -> State:
        """Return `state` with its derived atoms recomputed."""
        atoms = {atom for atom in state.atoms if atom.predicate not in self.predicates}
        if self.derivation is not None:
            self.derivation.close(atoms)
            return State(frozenset(atoms), state.numbers)
        for number, rules in enumerate(self.strata):
            if number not in self._indices:
                self._indices[number] = _RuleIndex(rules)
            index = self._indices[number]
            agenda = [*index.always, *(rule for atom in atoms for rule in index.after.get(atom, ()))]
            while agenda:  # of this stratum, until no rule fires any more: its least fixpoint
                new = {head for head, body in agenda if head not in atoms and is_true(body, atoms, state.numbers)}
                atoms |= new
                agenda = [rule for atom in new for rule in index.after.get(atom, ())]
        return State(frozenset(atoms), state.numbers)


Rule = tuple[Atom, Formula]


class _RuleIndex:
    """The rules of a stratum by the atoms after which they may fire; each disjunct of a body is a rule of its own.

    Attributes:
        always: Rules that may fire whatever is true.
        after: The other rules, each by an atom that it requires; and all rules by the atoms of the stratum in them.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.always: list[Rule] = []
        self.after: dict[Atom, list[Rule]] = {}
        heads = {head for head, _ in rules}
        for head, body in rules:
            for part in body.parts if isinstance(body, Or) else (body,):
                self._add((head, part), heads)

    def _add(self, rule: Rule, heads: Collection[Atom]) -> None:
        body = rule[1]
        required = next((part for part in conjoined(body) if isinstance(part, Atom)), None)
        if required is None:
            self.always.append(rule)
        own = (literal.atom for literal in literals(body) if literal.atom in heads)
        for atom in dict.fromkeys((*([] if required is None else [required]), *own)):
            self.after.setdefault(atom, []).append(rule)


@dataclass(frozen=True, slots=True)
class Operator:
    """A ground action with its precondition, effect and cost.

    Attributes:
        action: Name and arguments.
        precondition: Literals that must hold before.
        added: Atoms made true.
        deleted: Atoms made false, unless also added.
        cost: Non-negative cost, in units of planning: `cost_scale` of them make one of the domain's.
        command: The command for the body.
        bookkeeping: Those atoms of precondition and effect that follow from the others (``reachable``, ``free``,
            ``indirect_on``). Effects maintain them for an admissible heuristic; execution does not check them.
        condition: Further precondition: disjunctions, and comparisons of numbers.
        conditional: Effects that depend on what held before.
        changes: Numeric effects.
        axioms: The derived predicates of the scene, recomputed after each application.
        resources: Parts of the agent that the action occupies, such as a hand; empty for the whole agent.
        whereabouts: The predicate that says where an agent is; empty where the domain has none.
        said_numbers: The numbers that the values of the action say; `condition` and effects have them already.
    """

    action: Action
    precondition: Conjunct
    added: frozenset[Atom]
    deleted: frozenset[Atom]
    cost: int = 1
    command: Command | None = None
    bookkeeping: frozenset[Atom] = frozenset()
    condition: Formula | None = None
    conditional: tuple[When, ...] = ()
    changes: tuple[Change, ...] = ()
    axioms: Axioms | None = field(default=None, compare=False, repr=False)
    resources: frozenset[str] = field(default=frozenset(), compare=False)
    whereabouts: str = field(default="at", compare=False)
    said_numbers: tuple[SaidNumber, ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        return str(self.action)

    @property
    def adl(self) -> bool:
        """Whether conditions or effects go beyond literals, so that set algebra does not suffice."""
        return bool(self.condition or self.conditional or self.changes or self.axioms)

    def applicable(self, state: State) -> bool:
        """Return whether the precondition holds in `state`."""
        return state.satisfies(self.precondition) and (self.condition is None or state.judge(self.condition))

    def missing(self, state: State) -> tuple[Literal, ...]:
        """Return the literals of the precondition that do not hold, sorted; of a disjunction, all that would help."""
        lacking = state.missing(self.precondition)
        if lacking or self.condition is None or state.judge(self.condition):
            return lacking
        return state.missing(literals(self.condition))

    def apply(self, state: State) -> State:
        """Return the state after this operator, without checking the precondition."""
        if not self.adl:
            return state.with_atoms(self.added, self.deleted)
        taken = [effect for effect in self.conditional if state.judge(effect.condition)]
        added = self.added.union(*(effect.added for effect in taken))
        deleted = self.deleted.union(*(effect.deleted for effect in taken))
        changes = (*self.changes, *(change for effect in taken for change in effect.changes))
        after = State(state.atoms - deleted | added, _changed(state.numbers, changes))
        return self.axioms.close(after) if self.axioms else after

    @property
    def effects(self) -> Conjunct:
        """The effects that sensing must confirm: those that are no bookkeeping."""
        made = (Literal(atom) for atom in self.added - self.bookkeeping)
        unmade = (Literal(atom, False) for atom in self.deleted - self.added - self.bookkeeping)
        return frozenset((*made, *unmade))


@dataclass(frozen=True, slots=True)
class Plan:
    """A sequence of operators that reaches `goal`."""

    steps: tuple[Operator, ...]  # the operators in order
    goal: Conjunct  # the conjunct that the plan was made for
    optimal: bool = False  # whether no cheaper plan exists in the model (proved by the search, never guessed)
    planner: str = ""  # name of the planner
    seconds: float = 0.0  # duration of the search
    # lower bound of the cost of any plan, where one is known and the plan is not proved optimal
    bound: int | None = None
    dropped: tuple[Feedback, ...] = ()  # why other alternatives of the goal have no plan, as far as this is known

    @property
    def cost(self) -> int:
        """Sum of the step costs."""
        return sum(step.cost for step in self.steps)

    def __str__(self) -> str:
        return "\n".join(map(str, self.steps))


def _changed(numbers: Mapping[Atom, float], changes: Sequence[Change]) -> Mapping[Atom, float]:
    """Apply numeric effects; all of them read the values before."""
    if not changes:
        return numbers
    after = dict(numbers)
    for change in changes:
        amount = value(change.amount, numbers)
        if change.how == "assign":
            after[change.fluent] = amount
        else:
            before = after.get(change.fluent, value(change.fluent, numbers))
            after[change.fluent] = before + amount if change.how == "increase" else before - amount
    return after


def first_failure(steps: Sequence[Operator], state: State, goal: Conjunct) -> tuple[int, tuple[Literal, ...]] | None:
    """Simulate `steps` from `state`; return the index of the first inapplicable step and its missing literals, or None.

    The index ``len(steps)`` stands for the goal.
    """
    for index, step in enumerate(steps):
        if not step.applicable(state):
            return index, step.missing(state)
        state = step.apply(state)
    return None if state.satisfies(goal) else (len(steps), state.missing(goal))


def bits(mask: int) -> Iterator[int]:
    """Yield the indices of the bits that are set, from the lowest."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
