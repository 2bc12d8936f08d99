"""The statuses that a node may return: an abstract interpretation of the tree, from the leaves to the root.

The result is an upper bound: a node of an unknown kind may return any status, and so may a subclass of a known kind
with its own `tick`. The kinds are those of py_trees 2.6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from py_trees import behaviours, composites, decorators
from py_trees.behaviour import Behaviour
from py_trees.common import ParallelPolicy, Status

from bt.node import leaves_first

Outcomes = frozenset[Status]
S, F, R = Status.SUCCESS, Status.FAILURE, Status.RUNNING
ANY: Outcomes = frozenset({S, F, R})
ChildOutcomes = list[Outcomes]
WAYS = frozenset({"tick", "stop", "update"})
"""What a class has of its own that behaves in a way of its own."""


def outcomes(root: Behaviour) -> Mapping[Behaviour, Outcomes]:
    """Return for each node of a tree the statuses that a tick of it may return."""
    by_node: dict[Behaviour, Outcomes] = {}
    for node in leaves_first(root):
        kind = kind_of(node)
        tell = None if kind is None else KINDS[kind]
        by_node[node] = ANY if tell is None else tell(node, [by_node[child] for child in node.children])
    return by_node


def kind_of(node: Behaviour) -> type | None:
    """Return the class of py_trees that a node behaves as; None for a node with its own `tick`.

    A subclass that only adds hooks or attributes to a known class is of that kind.
    """
    own = vars(node).keys() & WAYS
    for kind in () if own else type(node).__mro__:
        if kind in KINDS:
            return kind
        if vars(kind).keys() & WAYS:
            return None
    return None


def _sequence(_: Behaviour, children: ChildOutcomes, passes: Status = S) -> Outcomes:
    """Return the statuses of a node that ticks its children in order, as long as each returns `passes`."""
    statuses: set[Status] = set()
    for outcomes in children:
        statuses |= outcomes - {passes}
        if passes not in outcomes:
            return frozenset(statuses)
    return frozenset(statuses | {passes})


def _parallel(node: composites.Parallel, children: ChildOutcomes) -> Outcomes:
    """Return the statuses of a parallel; with every policy, the failure of one child is a failure of the parallel."""
    every = frozenset[Status]().union(*children)
    if not children or isinstance(node.policy, ParallelPolicy.SuccessOnSelected):
        return every | {S, R}
    may = all if isinstance(node.policy, ParallelPolicy.SuccessOnAll) else any
    return every if may(S in outcomes for outcomes in children) else every - {S}


def _taken(change: Mapping[Status, Status]) -> Callable[[Any, ChildOutcomes], Outcomes]:
    return lambda _, children: frozenset(change.get(status, status) for status in children[0])


def _repeat(node: decorators.Repeat, children: ChildOutcomes) -> Outcomes:
    more_runs = {R} if S in children[0] and node.num_success != 1 else set()
    return children[0] - ({S} if node.num_success < 1 else set()) | more_runs


def _retry(node: decorators.Retry, children: ChildOutcomes) -> Outcomes:
    return children[0] | ({R} if F in children[0] and node.num_failures > 1 else set())


def _condition(node: decorators.Condition, children: ChildOutcomes) -> Outcomes:
    waits = {R} if children[0] != {node.succeed_status} else set()
    return frozenset(waits | ({S} if node.succeed_status in children[0] else set()))


def _same(_: Behaviour, children: ChildOutcomes) -> Outcomes:
    return children[0]


def _fails_too(_: Behaviour, children: ChildOutcomes) -> Outcomes:
    return children[0] | {F}


KINDS: Mapping[type, Callable[[Any, ChildOutcomes], Outcomes]] = {
    behaviours.Success: lambda *_: frozenset({S}),
    behaviours.Failure: lambda *_: frozenset({F}),
    behaviours.Running: lambda *_: frozenset({R}),
    behaviours.Periodic: lambda *_: ANY,
    behaviours.SuccessEveryN: lambda *_: frozenset({S, F}),
    behaviours.TickCounter: lambda node, _: frozenset({R, node.completion_status}),
    behaviours.CheckBlackboardVariableExists: lambda *_: frozenset({S, F}),
    behaviours.CheckBlackboardVariableValue: lambda *_: frozenset({S, F}),
    behaviours.WaitForBlackboardVariable: lambda *_: frozenset({S, R}),
    behaviours.WaitForBlackboardVariableValue: lambda *_: frozenset({S, R}),
    behaviours.UnsetBlackboardVariable: lambda *_: frozenset({S}),
    composites.Sequence: _sequence,
    composites.Selector: partial(_sequence, passes=F),
    composites.Parallel: _parallel,
    decorators.Inverter: _taken({S: F, F: S}),
    decorators.RunningIsFailure: _taken({R: F}),
    decorators.RunningIsSuccess: _taken({R: S}),
    decorators.FailureIsSuccess: _taken({F: S}),
    decorators.FailureIsRunning: _taken({F: R}),
    decorators.SuccessIsFailure: _taken({S: F}),
    decorators.SuccessIsRunning: _taken({S: R}),
    decorators.Repeat: _repeat,
    decorators.Retry: _retry,
    decorators.Timeout: _fails_too,
    decorators.EternalGuard: _fails_too,
    decorators.Condition: _condition,
    decorators.PassThrough: _same,
    decorators.Count: _same,
    decorators.OneShot: _same,
    decorators.StatusToBlackboard: _same,
}
"""What each kind of node may return, of itself and of what its children may."""
