"""Replanning after a small change: reuses the old plan as far as it is valid, and says how good the result is.

There are three ways, cheapest first. The *tail* is the rest of the old plan from the latest step that still leads to
the goal. A *repair* replaces places in the old plan and inserts single actions. A *fresh* plan is a new solve. The
first two are used only with a proof, or within a share of the optimum that the caller allows. The bound is reported:

- The rest of a cheapest plan is cheapest in the state that this plan expected (Bellman's principle). This also holds if
  the only different facts are about irrelevant objects (see `planning.relevance`).
- A plan that costs no more than a lower bound is cheapest. The bound is the landmark cut of the relaxed problem.

In an ADL domain no bound is known and nothing is repaired. There, the rest of a plan is used only if nothing else
changed.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from domains.problem import Problem
from planning.cheapest.reach import grounded
from planning.problem.grounding import ground
from planning.relevance import relevant
from planning.relevance.needed import needed
from planning.solver import solve_optimally
from planning.task import TooManyError
from semantics.body.protocols import NoPlan, Planner
from semantics.errors import UsageError
from semantics.logic.state import Action, Operator, Plan, State, first_failure


class PlanSource(StrEnum):
    """The source of a new plan."""

    TAIL = "tail"
    REPAIR = "repair"
    FRESH = "fresh"


@dataclass(frozen=True, slots=True)
class Replanned:
    """A new plan.

    Attributes:
        answer: The plan, or why there is none.
        how: Its source.
        bound: A lower bound of the cost of any plan, as far as is known.
        why: The reason, one sentence.
    """

    answer: Plan | NoPlan
    how: PlanSource
    bound: float
    why: str


def replan(
    problem: Problem, old: Plan, expected: State, *, planner: Planner, seconds: float = 20.0, within: float = 0.0
) -> Replanned:
    """Plan from the current state, when `old` was to be executed from `expected`.

    Args:
        problem: The goal and the current beliefs, at the costs of `old`.
        old: The rest of the plan; `optimal` if it is cheapest from `expected`.
        expected: The state in which the rest was to start.
        planner: The planner for a fresh plan.
        seconds: The time limit of a fresh plan.
        within: The share of the optimum by which the plan may be more expensive without a fresh solve.

    Raises:
        OutsideError: The planner cannot be started.
        UsageError: The goal or the state names something that does not exist.
    """
    problem = problem.for_goal().with_closed_state()
    attempt = _Replanning(problem, old, expected)
    reused = attempt.reuse(within)
    if reused is not None:
        return reused
    answer = solve_optimally(problem, planner=planner, seconds=seconds)
    return attempt.compare(answer)


@dataclass
class _Replanning:
    """One replanning; `bound` grows with what is learned."""

    problem: Problem
    old: Plan
    expected: State
    bound: float = 0.0
    best: Plan | None = None
    how: PlanSource = PlanSource.TAIL

    def reuse(self, within: float) -> Replanned | None:
        """Return the old plan's tail or a repair, if one of them is good enough."""
        met, state = self.problem.reached, self.problem.state
        if met is not None:
            return Replanned(Plan((), met, True, self.old.planner), PlanSource.TAIL, 0.0, "The goal holds already.")
        self._offer(_tail(self.old, state), PlanSource.TAIL)
        if self.best is not None and self._undisturbed():
            self.bound = self.best.cost
            why = "Nothing that matters has changed, and the rest of a cheapest plan is cheapest."
            return Replanned(replace(self.best, optimal=True), PlanSource.TAIL, self.bound, why)
        self.bound = lower_bound(self.problem)
        if not self.problem.domain.is_adl and (self.best is None or self.best.cost > self.bound):
            for steps in Splicing(self.old.steps, self.expected, self.problem.with_goal(self.old.goal)):
                self._offer(replace(self.old, steps=steps, optimal=False, bound=None), PlanSource.REPAIR)
        return self._good_enough(within)

    def _offer(self, plan: Plan | None, how: PlanSource) -> None:
        if plan is not None and (self.best is None or plan.cost < self.best.cost):
            self.best, self.how = plan, how

    def _undisturbed(self) -> bool:
        """Return whether the rest is known to be cheapest: the old plan was, and only facts of idle objects changed."""
        assert self.best is not None
        if not self.old.optimal or self.best.cost != self.old.cost:
            return False
        state = self.problem.state
        if state == self.expected or self.problem.domain.is_adl:
            return state == self.expected
        before, now = relevant(self.problem.with_state(self.expected)), relevant(self.problem)
        if (before.things.keys(), before.groups) != (now.things.keys(), now.groups):
            return False
        concerned = {*now.things, *(member for members in now.groups.values() for member in members)}
        return not any(concerned.issuperset(atom.args) for atom in state.atoms ^ self.expected.atoms)

    def _good_enough(self, within: float) -> Replanned | None:
        if self.best is None or self.bound == math.inf or self.best.cost > self.bound * (1 + within):
            return None
        if self.best.cost <= self.bound:
            why = f"It costs {self.best.cost}, and no plan costs less."
            return Replanned(replace(self.best, optimal=True), self.how, self.bound, why)
        return Replanned(replace(self.best, optimal=False), self.how, self.bound, self._gap(self.best))

    def _gap(self, plan: Plan) -> str:
        return f"It costs {plan.cost}, and every plan at least {self.bound:g}."

    def compare(self, answer: Plan | NoPlan) -> Replanned:
        """Return the result of a fresh solve, or the earlier plan if that is better."""
        if isinstance(answer, NoPlan):
            if self.best is None or answer.proven:
                return Replanned(
                    answer, PlanSource.FRESH, math.inf if answer.proven else self.bound, str(answer.feedback)
                )
            return Replanned(replace(self.best, optimal=False), self.how, self.bound, self._gap(self.best))
        if self.best is not None and self.best.cost < answer.cost:
            return Replanned(replace(self.best, optimal=False), self.how, self.bound, self._gap(self.best))
        self.bound = answer.cost if answer.optimal else self.bound
        why = "It was planned anew, and is cheapest." if answer.optimal else self._gap(answer)
        return Replanned(answer, PlanSource.FRESH, self.bound, why)


def _tail(plan: Plan, state: State) -> Plan | None:
    """Return the rest of `plan` from the latest step from which it works."""
    for index in range(len(plan.steps), -1, -1):
        if first_failure(plan.steps[index:], state, plan.goal) is None:
            return replace(plan, steps=plan.steps[index:], optimal=False, bound=None)
    return None


INSERTS = 2  # the largest number of inserted actions
LONGEST = 24  # longer plans are not repaired: trying every part of them takes longer than a fresh plan


@dataclass(frozen=True)
class Splicing:
    """Changed versions of `steps` that solve `problem`, which has one conjunct; `steps` solved it from `expected`.

    Places in a part of the plan are replaced, and single actions are inserted where it breaks.
    """

    steps: tuple[Operator, ...]
    expected: State
    problem: Problem

    def __iter__(self) -> Iterator[tuple[Operator, ...]]:
        """Yield the plans that work.

        An atom that changed in only one argument shows which name replaced which. This replacement is tried in each
        part of the plan. Then actions are inserted where the plan breaks.
        """
        if len(self.steps) <= LONGEST:
            for old, new in self._moves():
                yield from self._moved(old, new)
            yield from self._extended(self.steps, self.problem.state, INSERTS)

    def _moves(self) -> list[tuple[str, str]]:
        """Return which name replaced which in the atoms that changed."""
        gone, come = self.expected.atoms - self.problem.state.atoms, self.problem.state.atoms - self.expected.atoms
        moves: dict[tuple[str, str], None] = {}
        for before in sorted(gone):
            for after in sorted(come):
                if before.predicate == after.predicate and before.args[:1] == after.args[:1]:
                    pairs = [pair for pair in zip(before.args, after.args, strict=True) if pair[0] != pair[1]]
                    moves.update(dict.fromkeys(pairs if len(pairs) == 1 else ()))
        return list(moves)

    def _moved(self, old: str, new: str) -> Iterator[tuple[Operator, ...]]:
        """Yield plans with `old` replaced by `new` in one part, without the actions that this makes impossible."""
        changed = [self._replaced(step, old, new) for step in self.steps]
        for first in range(len(self.steps)):
            for last in range(first + 1, len(self.steps) + 1):
                middle = [step for step in changed[first:last] if step is not None]
                tried = (*self.steps[:first], *middle, *self.steps[last:])
                if first_failure(tried, self.problem.state, self.problem.conjunct) is None:
                    yield tried

    def _replaced(self, step: Operator, old: str, new: str) -> Operator | None:
        if old not in step.action.args:
            return step
        args = tuple(new if arg == old else arg for arg in step.action.args)
        try:
            return self.problem.ground(Action(step.action.name, args))
        except UsageError:  # there is no such action
            return None

    def _extended(self, steps: Sequence[Operator], state: State, inserts: int) -> Iterator[tuple[Operator, ...]]:
        """Yield plans with inserted actions that make something the first inapplicable step is missing."""
        failure = first_failure(steps, state, self.problem.conjunct)
        if failure is None:
            yield tuple(steps)
            return
        index, missing = failure
        if not inserts:
            return
        for step in steps[:index]:
            state = step.apply(state)
        for operator in self._near:
            makes = any(
                lit.atom in (operator.added if lit.positive else operator.deleted - operator.added) for lit in missing
            )
            if makes and operator.applicable(state):
                for rest in self._extended(steps[index:], operator.apply(state), inserts - 1):
                    yield (*steps[:index], operator, *rest)

    @cached_property
    def _near(self) -> tuple[Operator, ...]:
        """The actions on objects of the plan, and on objects in the changed facts."""
        named = {arg for step in self.steps for arg in step.action.args}
        named |= {arg for atom in self.expected.atoms ^ self.problem.state.atoms for arg in atom.args}
        things = self.problem.objects
        return ground(replace(self.problem, objects={name: things[name] for name in sorted(named) if name in things}))


Proposition = Hashable
START, END = "start", "end"
"""What holds before the first step, and what reaching the goal makes; no other proposition is a bare string."""


@dataclass(slots=True)
class Relaxed:
    """A step in the delete relaxation: its preconditions, what it makes, and its cost."""

    asked: frozenset[Proposition]
    made: frozenset[Proposition]
    cost: int


def lower_bound(problem: Problem) -> float:
    """Return a lower bound of the cost of a plan, by the landmark cut; infinite if there is no plan.

    The landmark cut is the heuristic of Helmert and Domshlak (ICAPS 2009), computed once for one state: milliseconds
    for some hundred steps. Here, negative literals are separate facts, so they lose no information.
    It is computed on the relevant part, with useful objects merged into groups (see `planning.relevance`), which makes
    nothing more expensive. For ADL domains no bound is known, and the result is zero.
    """
    if problem.domain.is_adl:
        return 0.0
    problem = problem.within(needed(problem.domain, problem.goal, problem.objects))
    try:
        task = grounded(problem, relevant(problem))
    except TooManyError:
        return 0.0
    start = {(fact, fact in task.start) for fact in task.named}
    steps = [Relaxed(frozenset(step.asked), frozenset(step.made), step.cost) for step in task.steps]
    return landmark_cut(steps, start, task.goals)


def landmark_cut(
    steps: Iterable[Relaxed], start: Collection[Proposition], goals: Iterable[Collection[Proposition]]
) -> float:
    """Return a lower bound of the cost of reaching one of `goals` from `start`; infinite if none is reachable."""
    begin = Relaxed(frozenset({START}), frozenset(start), 0)
    ends = [Relaxed(frozenset(goal) or frozenset({START}), frozenset({END}), 0) for goal in goals]
    relaxed = [Relaxed(step.asked or frozenset({START}), step.made, step.cost) for step in steps]
    return _Cutter([begin, *relaxed, *ends]).run()


class _Cutter:
    def __init__(self, steps: Sequence[Relaxed]) -> None:
        self.steps = steps
        self.costs = [step.cost for step in steps]
        self.asking: dict[Proposition, list[int]] = defaultdict(list)
        self.making: dict[Proposition, list[int]] = defaultdict(list)
        for index, step in enumerate(steps):
            for proposition in step.asked:
                self.asking[proposition].append(index)
            for proposition in step.made:
                self.making[proposition].append(index)

    def run(self) -> float:
        total = 0.0
        while True:
            values, supporters = self._explore()
            if END not in values:
                return math.inf
            if values[END] == 0:
                return total
            # The cut is a disjunctive landmark: every plan contains one of its steps and pays at least `least` for it.
            # Lowering the costs of these steps pays for the landmark once, so the sum over all rounds is admissible.
            cut = self._cut(self._zone(supporters), supporters)
            least = min(self.costs[index] for index in cut)
            total += least
            for index in cut:
                self.costs[index] -= least

    def _explore(self) -> tuple[dict[Proposition, float], dict[int, Proposition]]:
        """Return h^max of each proposition, and for each applicable step its most expensive precondition."""
        values: dict[Proposition, float] = {}
        supporters: dict[int, Proposition] = {}
        missing = [len(step.asked) for step in self.steps]
        queue: list[tuple[float, int, Proposition]] = [(0.0, 0, START)]
        number = 0
        while queue:
            value, _, reached = heapq.heappop(queue)
            if reached in values:
                continue
            values[reached] = value
            for index in self.asking[reached]:
                missing[index] -= 1
                if missing[index] == 0:  # preconditions arrive in order of cost, so the last one has the highest
                    supporters[index] = reached
                    for made in self.steps[index].made:
                        if made not in values:
                            number += 1
                            heapq.heappush(queue, (value + self.costs[index], number, made))
        return values, supporters

    def _zone(self, supporters: dict[int, Proposition]) -> set[Proposition]:
        """Return the propositions that lead to the end at cost zero."""
        zone: set[Proposition] = {END}
        stack: list[Proposition] = [END]
        while stack:
            for index in self.making[stack.pop()]:
                supporter = supporters.get(index)
                if supporter is not None and self.costs[index] == 0 and supporter not in zone:
                    zone.add(supporter)
                    stack.append(supporter)
        return zone

    def _cut(self, zone: set[Proposition], supporters: dict[int, Proposition]) -> set[int]:
        """Return the steps that lead into the zone from what is reached outside it: each plan contains one of them."""
        supporting: dict[Proposition, list[int]] = defaultdict(list)
        for index, supporter in supporters.items():
            supporting[supporter].append(index)
        seen: set[Proposition] = {START}
        stack: list[Proposition] = [START]
        cut: set[int] = set()
        while stack:
            for index in supporting[stack.pop()]:
                made = self.steps[index].made
                if made & zone:
                    cut.add(index)
                for proposition in made - zone - seen:
                    seen.add(proposition)
                    stack.append(proposition)
        return cut
