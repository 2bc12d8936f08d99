"""Budgets of recovery strategies, what they have spent, and whether the run makes progress.

A run makes progress when its plan has fewer steps left than any plan of the run had before, or when a literal that its
plan needs becomes true and has not done so often before. Both can happen only a bounded number of times: the number of
steps left cannot fall for ever, and the number of facts is finite, each of which counts twice. So a strategy that stops
after some failures without progress always stops, even when the world or the planner goes round in circles.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import inf
from typing import TypeAlias

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.errors import TreeError
from bt.execution.execute import Execute, plan_under_way
from bt.execution.step import says_where
from bt.recovery.incident import Unplanned
from bt.recovery.request import Strategy
from domains.repairs import Ladder
from semantics.body.protocols import Beliefs
from semantics.logic.atoms import Conjunct, Literal
from semantics.logic.feedback import Code, Feedback, Level
from semantics.logic.state import Plan

Key = tuple[Code, str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Budget:
    """What a strategy may spend.

    Attributes:
        tries: How many failures the strategy answers; for a strategy that plans again, since the last progress.
        same: How often it answers the same failure; counted like `tries`.
        seconds: How long it answers, on the body's clock, from the first failure that it was asked about.
        money: The limit of the total price of its answers, in the unit of the prices.
        most: How many failures it answers in total, regardless of progress.

    Raises:
        TreeError: A value is negative.
    """

    tries: int = 6
    same: int = 2
    seconds: float = inf
    money: float = inf
    most: int = 60

    def __post_init__(self) -> None:
        if min(self.tries, self.same, self.seconds, self.money, self.most) < 0:
            raise TreeError("a budget is not negative")


BUDGETS: Mapping[str, Budget] = {
    "again": Budget(tries=4, same=1),
    "rule": Budget(tries=6, same=2),
    "replan": Budget(tries=6, same=2),
    "explore": Budget(tries=40, same=40),
    "substitute": Budget(tries=3, same=1),
    "part": Budget(tries=2, same=1),
    "consult": Budget(tries=3, same=2),
    "ask": Budget(tries=3, same=2),
}
"""The default budgets by the name of the strategy; any other strategy has `Budget()`.

The numbers are small, since an answer that has failed twice in the same way rarely helps the third time."""
Budgets: TypeAlias = Mapping[str, Budget | None]
"""The budget of each recovery strategy; None for a strategy that is off."""


def joined_budgets(*ladders: Ladder) -> Budgets:
    """Join the defaults with ladders: for each number the last one counts; other strategies have a `Budget()`."""
    budgets: defaultdict[str, Budget | None] = defaultdict(Budget, BUDGETS)
    for ladder in ladders:
        for name, spending in ladder.items():
            said = {} if spending is None else {key: n for key, n in asdict(spending).items() if n is not None}
            budgets[name] = None if spending is None else replace(budgets[name] or BUDGETS[name], **said)
    return budgets


@dataclass(eq=False)
class Account:
    """What a strategy has spent."""

    budget: Budget  # the budget of the strategy
    began: float | None = field(default=None, init=False)
    """When it was first charged, in seconds of the clock; None before that."""
    _paid: float = field(default=0.0, init=False)
    _answered: Counter[Key] = field(default_factory=Counter, init=False)

    def affords(self, feedback: Feedback, now: float, price: float = 0.0) -> bool:
        """Return whether one more failure may be answered at `now`, in seconds of the clock, for at least `price`."""
        return (
            self._answered.total() < min(self.budget.tries, self.budget.most)
            and self._answered[_key(feedback)] < self.budget.same
            and self._has_left(now, price)
        )

    def charge(self, feedback: Feedback, now: float) -> None:
        """Count a failure that the strategy answers."""
        self._answered[_key(feedback)] += 1
        self._start(now)

    def pay(self, price: float) -> None:
        """Add the price of an answer to the spent money."""
        self._paid += price

    def seconds_left(self, now: float) -> float:
        """Return how many seconds are left of the budget."""
        return self.budget.seconds - (0.0 if self.began is None else now - self.began)

    def _start(self, now: float) -> None:
        self.began = now if self.began is None else self.began

    def _has_left(self, now: float, price: float) -> bool:
        return self.seconds_left(now) >= 0 and self._paid + price <= self.budget.money


@dataclass(eq=False)
class ProgressAccount(Account):
    """What a strategy that plans again has spent: `tries` and `same` count since the last progress of the run.

    So a long plan in a difficult world goes on while it comes nearer to its goal; `most` and `seconds` bound the total.
    Two facts that undo each other, or a step that always fails, end the recovery after a few failures
    (`bt.recovery.budget`).
    """

    _causes: list[Feedback] = field(default_factory=list, init=False)
    _since: int = field(default=0, init=False)

    def got_further(self) -> None:
        """Count failures from now on, since the run has made progress."""
        self._since = len(self._causes)

    def charge(self, feedback: Feedback, now: float, *, counts: bool = True) -> None:
        """Count a failure, answered or not; one that does not count only starts the clock."""
        if counts:
            self._causes.append(feedback)
        self._start(now)

    def affords(self, feedback: Feedback, now: float, price: float = 0.0) -> bool:
        """Return whether the budget covers the failures so far, of which `feedback` is the last."""
        counted = self._causes[self._since :]
        same = Counter(_key(cause) for cause in counted if _says_same(cause))
        return (
            len(counted) <= self.budget.tries
            and max(same.values(), default=0) <= self.budget.same
            and len(self._causes) <= self.budget.most
            and self._has_left(now, price)
        )

    def spent(self, name: str) -> Feedback:
        """Return the feedback that the budget is spent, with the failures that it was spent on.

        Args:
            name: The name of the strategy.
        """
        counted = self._causes[self._since :]
        reasons = "; ".join(dict.fromkeys(map(str, counted)))
        culprits = dict.fromkeys(name for cause in counted for name in cause.culprits)
        failed = len(self._causes)
        some = "" if len(counted) == failed else f", {len(counted)} of them since it last got further"
        why = f"it failed {failed} times{some}: {reasons}"
        if self._paid and self._paid >= self.budget.money:
            why = f"its answers have cost {self._paid:g}; {why}"
        return Feedback(Code.BUDGET_SPENT, name, why, culprits=tuple(culprits), recoverable=False)


def _key(feedback: Feedback) -> Key:
    return feedback.code, feedback.what, feedback.culprits


def _says_same(feedback: Feedback) -> bool:
    """Return whether an equal failure shows that planning again does not help."""
    return feedback.level is Level.PHYSICAL or feedback.code is Code.EFFECT_MISSING


def within_budgets(
    strategies: Sequence[Strategy], budgets: Mapping[str, Budget | None], child: Behaviour, carries_out: bool
) -> tuple[tuple[Strategy, ...], dict[str, Budget]]:
    """Return the strategies that have a budget, and their budgets by name.

    Args:
        strategies: The strategies.
        budgets: Budgets by the name of the strategy that replace `BUDGETS`; None leaves a strategy out.
        child: The tree that the strategies recover.
        carries_out: Whether the tree can carry out new plans.

    Raises:
        TreeError: Two strategies have the same name, a budget names no strategy, or a strategy needs the plan of a
            goal, or a way to carry out plans, that is not given.
    """
    names = [strategy.name for strategy in strategies]
    if len(set(names)) < len(names):
        raise TreeError(f"two strategies have one name: {', '.join(names)}")
    if unknown := sorted(budgets.keys() - set(names) - BUDGETS.keys()):
        raise TreeError(f"a budget for '{unknown[0]}', which is no strategy here: {', '.join(names)}")
    defaults: dict[str, Budget | None] = {**BUDGETS, **budgets}
    joined = {name: defaults[name] if name in defaults else Budget() for name in names}
    spendable = {name: budget for name, budget in joined.items() if budget is not None}
    kept = tuple(strategy for strategy in strategies if strategy.name in spendable)
    has_goal = isinstance(child, Execute | Unplanned)
    for strategy in kept:
        if strategy.needs_goal and not has_goal:
            raise TreeError(f"the strategy '{strategy.name}' needs the plan of a goal below it, and not {child.name}")
        if strategy.makes_plans and not carries_out:
            raise TreeError(f"the strategy '{strategy.name}' makes plans, and nothing here carries them out")
    return kept, spendable


OFTEN = 2  # how often the same literal counts as progress: once more after it was undone, and then no more


class ProgressMonitor:
    """Keeps track of the progress of a run.

    A plan needs the literals of its goal and of the preconditions of its steps. Bookkeeping facts do not count, since
    they follow from other facts, and neither does the place of an agent: driving around is no progress.

    Args:
        beliefs: The beliefs about the world; the literals that are true now count as achieved once.
    """

    def __init__(self, beliefs: Beliefs) -> None:
        self._beliefs = beliefs
        self._revision = beliefs.revision
        self._first = self._state = beliefs.state
        self._came: Counter[Literal] = Counter()
        self._fewest: int | None = None
        self._plan: Plan | None = None
        self._needs: Conjunct = frozenset()

    def is_made(self, root: Behaviour) -> bool:
        """Take the current state; return whether the run has made progress since the last call.

        Args:
            root: The tree of the current plan.
        """
        if self._revision == self._beliefs.revision and root.status != Status.FAILURE:
            return False
        work = plan_under_way(root)
        news = self.take_in()
        if work is None:
            return False
        if work.plan is not self._plan:
            self._plan, self._needs = work.plan, _needs_of(work.plan)
        times = {literal: self._came[literal] + self._first.holds(literal) for literal in news}
        came = any(literal in self._needs and times[literal] <= OFTEN for literal in news)
        return self._is_nearer(work) or came

    def take_in(self) -> list[Literal]:
        """Take the current state without judging it; return the literals that have become true."""
        before, now = self._state.atoms, self._beliefs.state.atoms
        self._revision, self._state = self._beliefs.revision, self._beliefs.state
        news = [Literal(atom, atom in now) for atom in before ^ now]
        self._came.update(news)
        return news

    def _is_nearer(self, work: Execute) -> bool:
        if work.point is None:
            return False
        left = len(work.plan.steps) - work.point
        if self._fewest is not None and left >= self._fewest:
            return False
        self._fewest = left
        return True


def _needs_of(plan: Plan) -> Conjunct:
    bookkeeping = frozenset(atom for step in plan.steps for atom in step.bookkeeping)
    asked = (
        literal
        for step in plan.steps
        for literal in step.precondition
        if literal.atom not in bookkeeping and not says_where(literal.atom, step)
    )
    return plan.goal.union(asked)
