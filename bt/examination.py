"""Static checks of any tree of py_trees nodes: those never reached, without an end, or with effects nobody can sense.

Each check is a function from a `TreeSurvey` to the flaws that it finds; the tree is neither ticked nor set up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any

from py_trees import behaviours, composites, decorators
from py_trees.behaviour import Behaviour
from py_trees.blackboard import Blackboard, Client
from py_trees.common import ParallelPolicy, Status

from bt.execution.execute import Execute
from bt.execution.step import Step
from bt.node import leaves_first, path_of, walk
from semantics.hints import did_you_mean
from semantics.process.reading import read_table

Outcomes = frozenset[Status]
S, F, R = Status.SUCCESS, Status.FAILURE, Status.RUNNING
ANY: Outcomes = frozenset({S, F, R})
ChildOutcomes = list[Outcomes]
WAYS = frozenset({"tick", "stop", "update"})  # what a class has of its own that behaves in a way of its own


def outcomes(root: Behaviour) -> Mapping[Behaviour, Outcomes]:
    """Return for each node of a tree the statuses that a tick of it may return.

    It is an abstract interpretation of the tree, from the leaves to the root. The result is an upper bound: a node of
    an unknown kind may return any status, and so may a subclass of a known kind with its own `tick`. The kinds are
    those of py_trees 2.6.
    """
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


def _repeat(node: decorators.Repeat, children: ChildOutcomes) -> Outcomes:
    more_runs = {R} if S in children[0] and node.num_success != 1 else set()
    return children[0] - ({S} if node.num_success < 1 else set()) | more_runs


def _retry(node: decorators.Retry, children: ChildOutcomes) -> Outcomes:
    return children[0] | ({R} if F in children[0] and node.num_failures > 1 else set())


def _condition(node: decorators.Condition, children: ChildOutcomes) -> Outcomes:
    waits = {R} if children[0] != {node.succeed_status} else set()
    return frozenset(waits | ({S} if node.succeed_status in children[0] else set()))


def _listed(
    may: Sequence[str] = (), turns: Mapping[str, str] | None = None
) -> Callable[[Any, ChildOutcomes], Outcomes]:
    """Return the statuses of a kind of the table: those that it may have anyway, and those that its child's become."""
    own, changed = frozenset(map(Status, may)), {Status(old): Status(new) for old, new in (turns or {}).items()}
    return lambda _, children: own.union(*({changed.get(status, status) for status in each} for each in children[:1]))


KINDS: Mapping[type, Callable[[Any, ChildOutcomes], Outcomes]] = {
    **{getattr(behaviours, name): _listed(may) for name, may in read_table(__file__)["behaviours"].items()},
    **{getattr(decorators, name): _listed(**entry) for name, entry in read_table(__file__)["decorators"].items()},
    behaviours.TickCounter: lambda node, _: frozenset({R, node.completion_status}),
    composites.Sequence: _sequence,
    composites.Selector: partial(_sequence, passes=F),
    composites.Parallel: _parallel,
    decorators.Repeat: _repeat,
    decorators.Retry: _retry,
    decorators.Condition: _condition,
}
"""What each kind of node may return, of itself and of what its children may; the simple ones are in a table."""


class FlawKind(StrEnum):
    """The kinds of flaws."""

    UNREACHABLE = "unreachable"  # a child that is never ticked
    UNBOUNDED = "unbounded"  # a loop that nothing ends
    UNKNOWN_KEY = "unknown-key"  # a key that is read and that nothing writes
    NOTHING_TO_SENSE = "nothing-to-sense"  # a step without an effect that can be sensed
    ONE_BODY = "one-body"  # two motions of one agent at a time
    SHARED = "shared"  # a node that occurs twice
    EMPTY = "empty"  # a composite without children


@dataclass(frozen=True, slots=True)
class Flaw:
    """A fault of a tree: what is wrong, where, and how to fix it.

    Attributes:
        sort: The kind of the flaw.
        path: Names from the root down to the node, joined by slashes.
        why: The reason, in one sentence.
        how: How to fix it, in one sentence.
        culprits: The names that caused it.
    """

    sort: FlawKind
    path: str
    why: str
    how: str
    culprits: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.path}: {self.why}. {self.how}"


NO_BOUND = 1_000_000  # a number of rounds that counts as endless
WORDS = {Status.SUCCESS: "succeeds", Status.FAILURE: "fails"}


def examine(root: Behaviour, *, given: Collection[str] = ()) -> tuple[Flaw, ...]:
    """Return the flaws of a tree in the order of its nodes; nothing is ticked.

    Args:
        root: The tree.
        given: Keys of the blackboard that are written outside the tree, with or without the leading slash.
    """
    survey = TreeSurvey(root, frozenset(Blackboard.separator + key.removeprefix(Blackboard.separator) for key in given))
    order = {node: number for number, node in enumerate(survey.nodes)}
    flaws = [(order[node], flaw) for check in CHECKS for node, flaw in check(survey)]
    return tuple(flaw for _, flaw in sorted(flaws, key=lambda pair: pair[0]))


@dataclass
class TreeSurvey:
    """A tree with data that several checks use."""

    root: Behaviour
    given: frozenset[str]
    nodes: tuple[Behaviour, ...] = field(init=False)
    outcomes: Mapping[Behaviour, Outcomes] = field(init=False)

    def __post_init__(self) -> None:
        self.nodes = tuple(dict.fromkeys(walk(self.root)))
        self.outcomes = outcomes(self.root)

    def above(self, node: Behaviour) -> Iterator[Behaviour]:
        """Yield the nodes between `node` and the root, the root included."""
        while node is not self.root and node.parent is not None:
            node = node.parent
            yield node


PASSES: Mapping[type, Status] = {composites.Sequence: Status.SUCCESS, composites.Selector: Status.FAILURE}
"""After which status of a child a composite goes on to the next."""
Found = Iterator[tuple[Behaviour, Flaw]]


def _unreachable(survey: TreeSurvey) -> Found:
    """Find children that are never ticked, since an earlier child always ends the composite."""
    for node in survey.nodes:
        kind = kind_of(node)
        passes = None if kind is None else PASSES.get(kind)
        if passes is None:
            continue
        stops = next((at for at, child in enumerate(node.children) if passes not in survey.outcomes[child]), None)
        for child in () if stops is None else node.children[stops + 1 :]:
            before = node.children[stops or 0].name
            why = f"it is never reached, since '{before}' before it never {WORDS[passes]}"
            yield child, Flaw(FlawKind.UNREACHABLE, path_of(child), why, f"Put it before '{before}'.", (before,))


def _unbounded(survey: TreeSurvey) -> Found:
    """Find endless loops without a time limit above them."""
    for node in survey.nodes:
        why = _endless(node, survey)
        limits = (above.duration for above in survey.above(node) if isinstance(above, decorators.Timeout))
        if why and all(seconds >= NO_BOUND for seconds in limits):
            yield (
                node,
                Flaw(FlawKind.UNBOUNDED, path_of(node), why, "Give it a number of times, or a Timeout above it."),
            )


def _endless(node: Behaviour, survey: TreeSurvey) -> str:
    """Return why a node itself may run for ever; empty if it does not."""
    inner = survey.outcomes[node.children[0]] if isinstance(node, decorators.Decorator) else frozenset()
    if isinstance(node, decorators.Repeat) and not 1 <= node.num_success < NO_BOUND:
        return "it repeats without a bound"
    if isinstance(node, decorators.Retry) and node.num_failures >= NO_BOUND:
        return "it tries again without a bound"
    if isinstance(node, decorators.FailureIsRunning) and Status.FAILURE in inner and _acts(node):
        return "it begins its work again after each failure, without a bound"
    if isinstance(node, decorators.SuccessIsRunning) and Status.SUCCESS in inner and _acts(node):
        return "it begins its work again after each success, without a bound"
    return ""


def _acts(node: Behaviour) -> bool:
    """Return whether some node below begins a motion."""
    return any(isinstance(inner, Step | Execute) for inner in walk(node))


def _unknown_keys(survey: TreeSurvey) -> Found:
    """Find keys of the blackboard that are read and that nothing writes."""
    clients = [(node, client) for node in survey.nodes for client in _clients(node)]
    written = {_meant(key, client) for _, client in clients for key in (*client.write, *client.exclusive)}
    known_keys = written | survey.given | set(Blackboard.storage)
    for node, client in clients:
        for key in sorted({_meant(key, client) for key in client.read} - known_keys):
            how = did_you_mean(key, sorted(known_keys), 1) or "Write it in the tree, or say that it is given."
            yield node, Flaw(FlawKind.UNKNOWN_KEY, path_of(node), f"it reads {key}, which nothing writes", how, (key,))


def _meant(key: str, client: Client) -> str:
    """Return the key of the blackboard for the name that a client uses."""
    return str(client.remappings.get(key, key))


def _clients(node: Behaviour) -> list[Client]:
    """Return the blackboard clients of a node; some nodes of py_trees do not attach theirs."""
    own = [value for value in vars(node).values() if isinstance(value, Client)]
    return list({id(client): client for client in (*node.blackboards, *own)}.values())


def _nothing_to_sense(survey: TreeSurvey) -> Found:
    """Find steps without an effect that can be sensed."""
    for node in survey.nodes:
        if not isinstance(node, Step):
            continue
        operator = node.operator
        if not (operator.effects or operator.conditional or operator.changes):
            why = f"{operator} has no effect that can be sensed, so that nobody knows whether it worked"
            how = "Give its capability a sensed effect."
            yield node, Flaw(FlawKind.NOTHING_TO_SENSE, path_of(node), why, how, (operator.action.name,))


def _one_body(survey: TreeSurvey) -> Found:
    """Find parallel children that would drive one agent at the same time."""
    for node in survey.nodes:
        taken: dict[str, str] = {}
        for child in node.children if isinstance(node, composites.Parallel) else ():
            agents = {
                name for step in walk(child) if isinstance(step, Step) and step.operator.command for name in step.busy
            }
            for agent in sorted(agents & taken.keys()):
                why = f"it drives {agent} at the same time as '{taken[agent]}'"
                yield child, Flaw(FlawKind.ONE_BODY, path_of(child), why, "Let one come after the other.", (agent,))
            taken |= dict.fromkeys(agents - taken.keys(), child.name)


def _shared(survey: TreeSurvey) -> Found:
    """Find nodes that occur twice in the tree: a node has only one status."""
    seen: set[int] = set()
    for node in walk(survey.root):
        if id(node) in seen:
            why = "it stands in the tree twice, and would be ticked twice with one status"
            yield node, Flaw(FlawKind.SHARED, path_of(node), why, "Make a second node like it.")
        seen.add(id(node))


def _empty(survey: TreeSurvey) -> Found:
    for node in survey.nodes:
        if isinstance(node, composites.Composite) and not isinstance(node, Execute) and not node.children:
            yield node, Flaw(FlawKind.EMPTY, path_of(node), "it has no children", "Give it one, or leave it out.")


CHECKS: tuple[Callable[[TreeSurvey], Found], ...] = (
    _unreachable,
    _unbounded,
    _unknown_keys,
    _nothing_to_sense,
    _one_body,
    _shared,
    _empty,
)
