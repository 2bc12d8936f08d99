"""What is left of a plan: the smallest set of its steps that still reaches the goal, in any order.

The set asked for is successor-closed: with a step it has all that come after it. As all orders of such a set come out
alike (see `bt.execution.order`), its definition is by simulating one of them. Regressing the goal through a set gives
the weakest condition under which it works; with the atoms of a plan numbered, a condition is two numbers whose bits are
the atoms that have to be true and false, so that regression is arithmetic and asking hundreds of sets takes
microseconds.

What depends on the state in ways that literals do not show (choices, conditional effects, numbers, derived facts) is
regressed as if all that may help did: that leaves out no set that works, and what passes is simulated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from bt.execution.order import Order, ResourceClaim, bits
from bt.execution.step import Step, afterwards
from bt.execution.trouble import Lack, conflict, lack
from semantics.atoms import Atom, Conjunct
from semantics.errors import UsageError
from semantics.protocols import Beliefs
from semantics.state import Operator, Plan, State, first_failure

__all__ = ["MOST_SETS", "Remaining", "Work", "mask_of", "outlook"]

MOST_SETS = 2000
"""How many sets are regressed beforehand, the smallest ones; beyond, the ends of the sequence are, and what is met."""


def outlook(running: Iterable[Step], state: State) -> State:
    """Return what `state` will be when all the running steps have worked."""
    for step in running:
        state = afterwards(step.expected, state)
    return state


class BitCondition(NamedTuple):
    """A set of steps, and the atoms that have to be true and false for it; each as the bits of a number."""

    steps: int
    true: int
    false: int


class BitOperator(NamedTuple):
    """An operator over numbered atoms: what it asks for, what it may make so, and what it makes so in any case."""

    true: int
    false: int
    may_add: int
    may_delete: int
    adds: int
    deletes: int

    def before(self, steps: int, after: BitCondition) -> BitCondition | None:
        """Return what is needed before, so that `after` may be so afterwards; None when nothing helps."""
        if after.true & self.deletes or after.false & self.adds:
            return None
        true = after.true & ~self.may_add | self.true
        false = after.false & ~self.may_delete | self.false
        return None if true & false else BitCondition(steps, true, false)


class Remaining:
    """Answers what is left to do of a plan in a state.

    Args:
        steps: The plan's steps; their numbering is a linearisation of `order`.
        goal: What they are for.
        order: The order in which steps that do not come one after the other are independent.
        most: How many sets are regressed beforehand.

    Attributes:
        order: As given.
    """

    def __init__(self, steps: Sequence[Operator], goal: Conjunct, order: Order, most: int = MOST_SETS) -> None:
        self._steps, self._goal, self.order = tuple(steps), goal, order
        self._axioms = next((step.axioms for step in steps if step.axioms), None)
        self._adl = any(step.adl for step in steps)
        self._numbers: dict[Atom, int] = {}
        self._operators = [self._over_bits(step) for step in self._steps]
        self._end = BitCondition(0, *self._masks(goal))
        self._by_size: list[list[BitCondition]] = [[] for _ in range(len(steps) + 1)]
        self._known: set[int] = set()
        self._gather(most)
        self._learn_ends()
        self._bits = {atom: 1 << number for atom, number in self._numbers.items()}
        self._asked = frozenset(self._bits)
        self._present: frozenset[Atom] = frozenset()
        self._held = 0

    def smallest(self, state: State, without: int = 0) -> int | None:
        """Return the smallest set that reaches the goal from `state`, as bits; None when no known set does.

        Args:
            state: Where the world is.
            without: Steps that may not be in it.
        """
        present = self._asked & state.atoms
        for atom in present ^ self._present:  # only what differs from the last state costs a look-up
            self._held ^= self._bits[atom]
        self._present, held = present, self._held
        start = self._axioms.close(state) if self._axioms else state
        for group in self._by_size:
            for steps, true, false in group:
                if not (true & ~held or false & held or steps & without) and self._works(steps, start):
                    return steps
        return None

    def learn(self, steps: int) -> None:
        """Let a successor-closed set be asked from now on, such as what is left to do by now."""
        if steps in self._known:
            return
        self._known.add(steps)
        need: BitCondition | None = self._end
        taken = 0
        for index in reversed(list(bits(steps))):
            taken |= 1 << index
            need = self._operators[index].before(taken, need) if need is not None else None
        if need is not None and not need.true & need.false:
            self._by_size[steps.bit_count()].append(need)

    def chosen(self, steps: int) -> tuple[Operator, ...]:
        """Return the operators of a set, in the order of the plan."""
        return tuple(self._steps[index] for index in bits(steps))

    def _works(self, steps: int, state: State) -> bool:
        if not self._adl:
            return True
        try:
            return first_failure(self.chosen(steps), state, self._goal) is None
        except UsageError:  # a number that nobody knows
            return False

    def _gather(self, most: int) -> None:
        """Regress the smallest sets; each comes once, from itself without its first step."""
        level = [] if self._end.true & self._end.false else [self._end]
        while level and len(self._known) + len(level) <= most:
            for need in level:
                self._known.add(need.steps)
                self._by_size[need.steps.bit_count()].append(need)
            wider = (one for need in level for one in self._wider(need))
            level = list(islice(wider, most + 1))  # one too many ends it

    def _learn_ends(self) -> None:
        """Let every end of the sequence be asked, each regressed from the one that is a step shorter."""
        need: BitCondition | None = self._end
        steps = 0
        for index in reversed(range(len(self._steps))):
            steps |= 1 << index
            need = self._operators[index].before(steps, need) if need is not None else None
            if need is None or steps in self._known:
                continue
            self._known.add(steps)
            if not need.true & need.false:
                self._by_size[steps.bit_count()].append(need)

    def _wider(self, need: BitCondition) -> Iterable[BitCondition]:
        after, steps = self.order.after, need.steps
        first = (steps & -steps).bit_length() - 1 if steps else len(self._steps)
        for index in range(first):
            if not after[index] & ~steps:
                found = self._operators[index].before(steps | 1 << index, need)
                if found is not None:
                    yield found

    def _over_bits(self, step: Operator) -> BitOperator:
        """Return a step over numbered atoms."""
        may_add = step.added.union(*(one.added for one in step.conditional))
        may_delete = step.deleted.union(*(one.deleted for one in step.conditional))
        return BitOperator(
            *self._masks(step.precondition),
            self._mask(may_add),
            self._mask(may_delete),
            self._mask(step.added),
            self._mask(step.deleted - may_add),
        )

    def _masks(self, conjunct: Conjunct) -> tuple[int, int]:
        """Return the atoms that a conjunct asks for and forbids, without derived ones, which are left to simulation."""
        asked = [one for one in conjunct if self._axioms is None or one.atom.predicate not in self._axioms.predicates]
        return self._mask(one.atom for one in asked if one.positive), self._mask(
            one.atom for one in asked if not one.positive
        )

    def _mask(self, atoms: Iterable[Atom]) -> int:
        found = 0
        for atom in atoms:
            found |= 1 << self._numbers.setdefault(atom, len(self._numbers))
        return found


def mask_of(indices: Iterable[int]) -> int:
    """Return the numbers of steps as bits."""
    return sum(1 << index for index in indices)


@dataclass(frozen=True, eq=False, slots=True)
class Work:
    """A plan as it is carried out.

    Steps may begin beside running ones, because what is left is successor-closed and holds no running step. So no
    running step comes after one that begins. Those that come before it are waited for; all others are independent of
    it, and come out as if they had ended before.

    Attributes:
        plan: What to do; its steps are in a linearisation of the order of `remaining`.
        steps: A node for each of its steps.
        claims: What each step locks.
        remaining: Answers what is left of the plan.
    """

    plan: Plan
    steps: Sequence[Step]
    claims: Sequence[ResourceClaim]
    remaining: Remaining

    def ahead(self, running: Sequence[int], state: State) -> int | None:
        """Return the steps that are still to begin if `state` is so, as bits.

        None when no set of steps without the running ones reaches the goal.
        """
        return self.remaining.smallest(
            outlook([self.steps[index] for index in running], state), without=mask_of(running)
        )

    def conflicts(self, running: Sequence[int], ahead: int | None, left: int, beliefs: Beliefs) -> dict[int, str]:
        """Return which running steps cannot go on or are of no use any more, and why.

        Args:
            running: The running steps.
            ahead: The steps that are still to begin, as `ahead` has answered.
            left: The steps that were left before.
            beliefs: What is held true.
        """
        reasons = {index: why for index in running if (why := conflict(self.steps[index], beliefs))}
        if ahead is None:
            after, mask = outlook([self.steps[index] for index in running], beliefs.state), mask_of(running)
            for index in bits((self.remaining.smallest(after) or mask) & mask):
                lacking = self.lack(left, after)
                why = lacking.why if lacking else f"{self.plan.steps[index]} has to be begun anew"
                reasons.setdefault(index, why)
        return reasons

    def lack(self, left: int, state: State) -> Lack | None:
        """Return what the steps `left`, given as bits, lack when they are taken in turn from `state`."""
        return lack(replace(self.plan, steps=self.remaining.chosen(left)), 0, state)

    def waits(self, index: int, running: Sequence[int], left: int) -> bool:
        """Return whether a step that is left waits for another one, or for what another one has."""
        claim = self.claims[index]
        return bool(self.remaining.order.before[index] & (left | mask_of(running))) or any(
            claim.clashes(self.claims[other]) for other in running
        )
