"""What is left of a plan: the smallest set of its steps that still reaches the goal, in every permitted order.

The set is successor-closed: with a step it contains all steps that come after it. All orders of such a set have the
same outcome (see `bt.execution.order`), so the simulation of one of them defines whether the set works. The goal is
regressed through each set beforehand, which gives the weakest condition under which the set works. The atoms of the
plan are numbered, and a condition is two integers whose bits are the atoms that have to be true and false. So
regression is bit arithmetic, and testing hundreds of sets takes microseconds. Regression of STRIPS operators: Fikes,
Hart and Nilsson, "Learning and executing generalized robot plans" (1972).

Disjunctive preconditions, conditional effects, numbers and derived facts cannot be expressed as literals. Regression
assumes the best case for them, so it excludes no set that works; every set that passes is then simulated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from bt.execution.order import Order, ResourceClaim
from bt.execution.step import Step, afterwards
from bt.execution.trouble import Lack, conflict, lack
from semantics.body.protocols import Beliefs
from semantics.errors import UsageError
from semantics.logic.atoms import Atom, Conjunct
from semantics.logic.state import Operator, Plan, State, bits, first_failure

MOST_SETS = 2000
"""The number of sets that are regressed beforehand, smallest first.

Beyond that number, the ends of the sequence are regressed, and the sets that occur during execution (`learn`)."""


def outlook(running: Iterable[Step], state: State) -> State:
    """Return the state that `state` becomes when all running steps have succeeded."""
    for step in running:
        state = afterwards(step.expected, state)
    return state


class BitCondition(NamedTuple):
    """A set of steps, and the atoms that have to be true and false for it; each a bit mask."""

    steps: int
    true: int
    false: int


class BitOperator(NamedTuple):
    """An operator over numbered atoms: its precondition, its possible effects and its certain effects as bit masks."""

    true: int
    false: int
    may_add: int
    may_delete: int
    adds: int
    deletes: int

    def before(self, steps: int, after: BitCondition) -> BitCondition | None:
        """Return the condition under which the operator may lead to `after`; None when there is none."""
        if after.true & self.deletes or after.false & self.adds:
            return None
        true = after.true & ~self.may_add | self.true
        false = after.false & ~self.may_delete | self.false
        return None if true & false else BitCondition(steps, true, false)


class Remaining:
    """Computes which steps of a plan are left to do in a given state.

    Args:
        steps: The plan's steps; their numbering is a linearisation of `order`.
        goal: The goal of the plan.
        order: The order of the steps; steps that it leaves unordered are independent.
        most: The number of sets that are regressed beforehand.

    Attributes:
        order: The order of the steps.
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
        if not order.total or len(steps) >= most:  # the sets of a sequence are its ends
            self._learn_ends()
        self._bits = {atom: 1 << number for atom, number in self._numbers.items()}
        self._asked = frozenset(self._bits)
        self._present: frozenset[Atom] = frozenset()
        self._held = 0

    def smallest(self, state: State, without: int = 0) -> int | None:
        """Return the smallest known set that reaches the goal from `state`, as bits; None when there is none.

        Args:
            state: The believed state.
            without: Steps that the set may not contain, as bits.
        """
        present = self._asked & state.atoms
        for atom in present ^ self._present:  # states change little, so update the last mask
            self._held ^= self._bits[atom]
        self._present, held = present, self._held
        start = self._axioms.close(state) if self._axioms else state
        for group in self._by_size:
            for steps, true, false in group:
                may_work = not (true & ~held or false & held or steps & without)
                if may_work and (not self._adl or self._works(steps, start)):
                    return steps
        return None

    def learn(self, steps: int) -> None:
        """Include a successor-closed set in all later queries, such as the steps that are left now."""
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
        try:
            return first_failure(self.chosen(steps), state, self._goal) is None
        except UsageError:  # the value of a number is unknown
            return False

    def _gather(self, most: int) -> None:
        """Regress the smallest sets. Each set is generated once: from the set without its first step."""
        level = [] if self._end.true & self._end.false else [self._end]
        while level and len(self._known) + len(level) <= most:
            for need in level:
                self._known.add(need.steps)
                self._by_size[need.steps.bit_count()].append(need)
            wider = (wider_need for need in level for wider_need in self._wider(need))
            level = list(islice(wider, most + 1))  # one set too many stops the loop

    def _learn_ends(self) -> None:
        """Include every end of the sequence, each regressed from the end that is one step shorter."""
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
        # Only steps before the first one of the set are added, so that no set is generated twice.
        first = (steps & -steps).bit_length() - 1 if steps else len(self._steps)
        for index in range(first):
            if not after[index] & ~steps:
                wider = self._operators[index].before(steps | 1 << index, need)
                if wider is not None:
                    yield wider

    def _over_bits(self, step: Operator) -> BitOperator:
        """Return an operator over numbered atoms."""
        may_add = step.added.union(*(effect.added for effect in step.conditional))
        may_delete = step.deleted.union(*(effect.deleted for effect in step.conditional))
        return BitOperator(
            *self._masks(step.precondition),
            self._mask(may_add),
            self._mask(may_delete),
            self._mask(step.added),
            self._mask(step.deleted - may_add),
        )

    def _masks(self, conjunct: Conjunct) -> tuple[int, int]:
        """Return the atoms that a conjunct requires and forbids as masks; derived atoms are left to the simulation."""
        asked = [
            literal
            for literal in conjunct
            if self._axioms is None or literal.atom.predicate not in self._axioms.predicates
        ]
        return self._mask(literal.atom for literal in asked if literal.positive), self._mask(
            literal.atom for literal in asked if not literal.positive
        )

    def _mask(self, atoms: Iterable[Atom]) -> int:
        mask = 0
        for atom in atoms:
            mask |= 1 << self._numbers.setdefault(atom, len(self._numbers))
        return mask


def resume_point(steps: Sequence[Operator], goal: Conjunct, state: State) -> int | None:
    """Return the resume point of a sequence: the latest index from which its steps reach `goal` from `state`.

    The index is the number of steps when the goal already holds, and None when no index works.
    """
    left = Remaining(steps, goal, Order.sequence(len(steps))).smallest(state)
    return None if left is None else len(steps) - left.bit_count()


def mask_of(indices: Iterable[int]) -> int:
    """Return the given step numbers as a bit mask."""
    return sum(1 << index for index in indices)


@dataclass(frozen=True, eq=False, slots=True)
class Work:
    """A plan as it is carried out.

    Steps may begin while others run, because the set of steps that are left is successor-closed and contains no running
    step. So no running step comes after a step that begins. A step waits for the running steps before it; all others
    are independent of it, and the outcome is as if they had ended before.

    Attributes:
        plan: The plan; its steps are in a linearisation of the order of `remaining`.
        steps: A node for each step.
        claims: The claim of each step.
        remaining: Computes what is left of the plan.
    """

    plan: Plan
    steps: Sequence[Step]
    claims: Sequence[ResourceClaim]
    remaining: Remaining

    def ahead(self, running: Sequence[int], state: State) -> int | None:
        """Return the steps that still have to begin in `state`, as bits.

        Return None when no set of steps without the running ones reaches the goal.
        """
        return self.remaining.smallest(
            outlook([self.steps[index] for index in running], state), without=mask_of(running)
        )

    def conflicts(self, running: Sequence[int], ahead: int | None, left: int, beliefs: Beliefs) -> dict[int, str]:
        """Return the running steps that cannot go on or are no longer useful, with the reasons.

        Args:
            running: The running steps.
            ahead: The steps that still have to begin, as returned by `ahead`.
            left: The steps that were left before, as bits.
            beliefs: The beliefs about the world.
        """
        reasons = {index: why for index in running if (why := conflict(self.steps[index], beliefs))}
        if ahead is None:  # a running step that the smallest set repeats is in the way of the plan
            after, mask = outlook([self.steps[index] for index in running], beliefs.state), mask_of(running)
            for index in bits((self.remaining.smallest(after) or mask) & mask):
                lacking = self.lack(left, after)
                why = lacking.why if lacking else f"{self.plan.steps[index]} has to be begun anew"
                reasons.setdefault(index, why)
        return reasons

    def lack(self, left: int, state: State) -> Lack | None:
        """Return what the steps `left` (bits) lack when they are applied one after the other from `state`."""
        return lack(replace(self.plan, steps=self.remaining.chosen(left)), 0, state)

    def waits(self, index: int, running: Sequence[int], left: int) -> bool:
        """Return whether a step has to wait for another step, or for a resource that a running step has claimed."""
        claim = self.claims[index]
        return bool(self.remaining.order.before[index] & (left | mask_of(running))) or any(
            claim.clashes(self.claims[other]) for other in running
        )
