"""Whether a run gets further: what ends a run that only undoes and redoes.

A run has got further when its plan has fewer steps left than any plan of it ever had, or when something has come about
that its plan needs and that has not come about often before. Both can happen only so many times: a number of steps does
not fall for ever, and there are only so many facts, each of which counts twice. So whoever stops after some failures
without headway stops in the end, however the world or the planner goes round in circles.
"""

from __future__ import annotations

from collections import Counter

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.reactive.resume import Resume
from bt.reactive.step import says_where
from bt.reactive.walking import walk
from bt.weaving import Weave
from semantics.atoms import Conjunct, Literal
from semantics.protocols import Beliefs
from semantics.state import Plan, State

__all__ = ["Headway"]

OFTEN = 2
"""How often the same thing counts when it comes about: once more after it was undone, and then no more."""


class Headway:
    """Keeps how far a run has got.

    What the plan needs are the literals of its goal and of the preconditions of its steps, but neither bookkeeping,
    which follows what other facts do, nor where an agent is: driving about is no headway.

    Args:
        beliefs: What is held true; how it is now counts as having come about once.
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
        """Take in how the world is now; return whether the run has got further since the last time.

        Args:
            root: The tree of the plan that is worked on.
        """
        if self._revision == self._beliefs.revision and root.status != Status.FAILURE:
            return False
        work = _work_below(root)
        news = self.take_in()
        if work is None:
            return False
        if work.plan is not self._plan:
            self._plan, self._needs = work.plan, _needs_of(work.plan)
        came = any(literal in self._needs and self._times(literal) <= OFTEN for literal in news)
        return self._is_nearer(work) or came

    def take_in(self) -> list[Literal]:
        """Take in how the world is now, without asking what it is good for; return what has come about."""
        before, now = self._state.atoms, self._beliefs.state.atoms
        self._revision, self._state = self._beliefs.revision, self._beliefs.state
        news = [Literal(atom, atom in now) for atom in before ^ now]
        self._came.update(news)
        return news

    def _times(self, literal: Literal) -> int:
        return self._came[literal] + _is_so(literal, self._first)

    def _is_nearer(self, work: Resume | Weave) -> bool:
        if work.point is None:
            return False
        left = len(work.plan.steps) - work.point
        if self._fewest is not None and left >= self._fewest:
            return False
        self._fewest = left
        return True


def _is_so(literal: Literal, state: State) -> bool:
    return (literal.atom in state.atoms) == literal.positive


def _work_below(root: Behaviour) -> Resume | Weave | None:
    """Return what works on a plan below `root`; of several, the one that has failed or runs."""
    found = [node for node in walk(root) if isinstance(node, Resume | Weave)]
    return max(found, key=lambda node: node.status in (Status.FAILURE, Status.RUNNING), default=None)


def _needs_of(plan: Plan) -> Conjunct:
    bookkeeping = frozenset(atom for step in plan.steps for atom in step.bookkeeping)
    asked = (
        literal
        for step in plan.steps
        for literal in step.precondition
        if literal.atom not in bookkeeping and not says_where(literal.atom, step)
    )
    return plan.goal.union(asked)
