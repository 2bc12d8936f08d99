"""States, operators and plans: the model of change, as set algebra.

A state is a frozenset of ground atoms (what is not in it is false) and a small map of numeric fluents.
An operator is four frozensets, so that applying it costs microseconds; ticking a tree never calls a
planning library.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from semantics.atoms import Atom, Conjunct, Literal

__all__ = ["Action", "Command", "Operator", "Plan", "State", "first_failure"]


@dataclass(frozen=True, slots=True)
class State:
    """What holds: ground atoms under the closed-world assumption, and numeric fluents by name."""

    atoms: frozenset[Atom] = frozenset()
    numbers: Mapping[str, float] = field(default_factory=dict, hash=False)

    def holds(self, literal: Literal) -> bool:
        """Return whether `literal` is true here."""
        return (literal.atom in self.atoms) == literal.positive

    def satisfies(self, conjunct: Iterable[Literal]) -> bool:
        """Return whether every literal of `conjunct` is true here."""
        return all((atom in self.atoms) == positive for atom, positive in conjunct)

    def missing(self, conjunct: Iterable[Literal]) -> tuple[Literal, ...]:
        """Return the literals of `conjunct` that are false here, sorted."""
        return tuple(sorted(literal for literal in conjunct if not self.holds(literal)))

    def with_atoms(self, added: Iterable[Atom] = (), deleted: Iterable[Atom] = ()) -> State:
        """Return a state without `deleted` and then with `added`."""
        return State((self.atoms - frozenset(deleted)) | frozenset(added), self.numbers)


class Action(NamedTuple):
    """A capability applied to objects, such as ``(grasp robot0 milk0 counter0 counter0)``."""

    name: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.name, *self.args))})"


@dataclass(frozen=True, slots=True)
class Command:
    """What a body is asked to do: a motion primitive, who does it, and objects by role.

    The roles of each primitive are listed in `robots.primitives.PRIMITIVES`. A capability of a domain says which
    primitive it uses and which parameter fills which role, so that a body knows no domain.
    """

    primitive: str
    agent: str
    roles: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.primitive}({', '.join(f'{role}={name}' for role, name in self.roles.items())})"


@dataclass(frozen=True, slots=True)
class Operator:
    """A ground action with its precondition, effect and cost.

    Attributes:
        action: Name and arguments.
        precondition: Literals that must hold before.
        added: Atoms made true.
        deleted: Atoms made false, unless also added.
        cost: Non-negative cost, in the domain's unit.
        command: What the body is asked to do.
        bookkeeping: Those atoms of precondition and effect that follow from the others (``reachable``, ``free``,
            ``indirect_on``): maintained so that an admissible heuristic can be used, not looked at while it is done
            or afterwards.
    """

    action: Action
    precondition: Conjunct
    added: frozenset[Atom]
    deleted: frozenset[Atom]
    cost: int = 1
    command: Command | None = None
    bookkeeping: frozenset[Atom] = frozenset()

    def __str__(self) -> str:
        return str(self.action)

    def applicable(self, state: State) -> bool:
        """Return whether the precondition holds in `state`."""
        return state.satisfies(self.precondition)

    def apply(self, state: State) -> State:
        """Return the state after this operator; the precondition is not asked for."""
        return state.with_atoms(self.added, self.deleted)

    @property
    def effects(self) -> Conjunct:
        """What a sensing must show afterwards: the effect without its bookkeeping."""
        made = (Literal(atom) for atom in self.added - self.bookkeeping)
        unmade = (Literal(atom, False) for atom in self.deleted - self.added - self.bookkeeping)
        return frozenset((*made, *unmade))


@dataclass(frozen=True, slots=True)
class Plan:
    """A sequence of operators that reaches `goal`.

    Attributes:
        steps: The operators in order.
        goal: The conjunct that the plan was made for.
        optimal: Whether no cheaper plan exists in the model (proved by the search, never guessed).
        planner: Who made it.
        seconds: How long that took.
    """

    steps: tuple[Operator, ...]
    goal: Conjunct
    optimal: bool = False
    planner: str = ""
    seconds: float = 0.0

    @property
    def cost(self) -> int:
        """Sum of the step costs."""
        return sum(step.cost for step in self.steps)

    def __str__(self) -> str:
        return "\n".join(map(str, self.steps))


def first_failure(steps: Sequence[Operator], state: State, goal: Conjunct) -> tuple[int, tuple[Literal, ...]] | None:
    """Run `steps` from `state`: the index of the first step that cannot be taken and what it lacks, else None.

    The index ``len(steps)`` stands for the goal.
    """
    for index, step in enumerate(steps):
        if not step.applicable(state):
            return index, state.missing(step.precondition)
        state = step.apply(state)
    return None if state.satisfies(goal) else (len(steps), state.missing(goal))
