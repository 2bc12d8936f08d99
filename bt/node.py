"""The common parts of nodes: reasons of failures, guards, walks through a tree, and debouncing.

The walks use an explicit stack, since the recursive walks of py_trees fail at a depth of about 1,000 nodes.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Hashable, Iterator
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from semantics.body.protocols import Beliefs, Clock, ExactSensing
from semantics.logic.atoms import Conjunct
from semantics.logic.feedback import Code, Feedback

Tree = Behaviour
"""The root of any tree of py_trees."""


@runtime_checkable
class FactReader(Protocol):
    """A leaf that declares the facts that it reads, so that it is ticked only when one of them has changed.

    Its `update` depends on these facts only and changes nothing except its `feedback_message`; see docs/ticking.md.

    Attributes:
        reads: Atoms, or names of predicates; None if unknown.
    """

    reads: Collection[Hashable] | None


@runtime_checkable
class FactReaderFrom(Protocol):
    """A leaf that also declares the source of its facts: beliefs or a fact base."""

    reads_from: object


class Accountable(Behaviour):
    """A node that keeps the reason of its failure."""

    feedback: Feedback | None = None
    """The reason of the last failure since the start of the node; None when there was none."""

    def initialise(self) -> None:
        """Forget the last reason."""
        self.feedback = None
        self.feedback_message = ""

    def fail(self, feedback: Feedback) -> Status:
        """Keep the reason, and return FAILURE."""
        self.feedback = feedback
        self.feedback_message = str(feedback)
        return Status.FAILURE


class Guard(Accountable, Decorator):
    """A decorator that may end a tick without ticking its child.

    If `settled` returns SUCCESS or FAILURE, a running child is stopped. If it returns RUNNING, the child keeps its
    state and is not ticked.
    """

    @abstractmethod
    def settled(self) -> Status | None:
        """Return the status without a tick of the child; None when the child has to be ticked."""

    def broken(self) -> None:
        """Handle an error of a node below, which leaves the tick through this node; by default, do nothing."""

    def tick(self) -> Iterator[Behaviour]:
        """End the tick with `settled`, or tick the child and set the status by `update`."""
        if self.status != Status.RUNNING:
            self.initialise()
        status = self.settled()
        if status is None:
            try:
                yield from self.decorated.tick()
            except BaseException:
                self.broken()
                raise
            status = self.update()
        if status != Status.RUNNING:
            self.stop(status)
        self.status = status
        yield self


def walk(root: Behaviour) -> Iterator[Behaviour]:
    """Yield every node, parents first, children in order."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


def leaves_first(root: Behaviour) -> Iterator[Behaviour]:
    """Yield every node, each after its children."""
    return reversed(list(walk(root)))


def above(node: Behaviour) -> Iterator[Behaviour]:
    """Yield the nodes above a node, the nearest first."""
    while node.parent is not None:
        node = node.parent
        yield node


def adopt(node: Behaviour, child: Behaviour) -> None:
    """Replace all children of a node by one child."""
    for old in node.children:
        old.parent = None
    node.children = [child]
    child.parent = node


def path_of(node: Behaviour) -> str:
    """Return the names from the root down to `node`, joined by slashes."""
    names = [node.name]
    while node.parent is not None:
        node = node.parent
        names.append(node.name)
    return "/".join(reversed(names))


def kind_of(node: Behaviour) -> str:
    """Return the kind of a node, in one lower-case word: its `kind`, else the name of its class."""
    return str(getattr(node, "kind", type(node).__name__.lower()))


def what_of(node: Behaviour) -> str:
    """Return one line of detail of a node, such as its action or its literals; empty if it has none.

    It is the node's `what`, with its `comment` if it has one.
    """
    what, comment = str(getattr(node, "what", "")), getattr(node, "comment", "")
    return f"{what}  # {comment}" if comment else what


def failure_of(root: Behaviour) -> Feedback:
    """Return why a failed tree failed: the reason of its highest failed node that gives one, else of a failed leaf.

    A node gives its reason as `feedback`.
    """
    culprit = root
    for node in _failed_below(root):
        culprit = node
        if isinstance(feedback := getattr(node, "feedback", None), Feedback):
            return feedback
    why = culprit.feedback_message or "it failed and gave no reason"
    return Feedback(Code.PRECONDITION, culprit.name, why)


def purpose_of(root: Behaviour) -> Conjunct | None:
    """Return the literals that a failed tree has not achieved, from its highest failed node that knows them; or None.

    A node declares them as `sought`.
    """
    sought = (getattr(node, "sought", None) for node in _failed_below(root))
    return next((conjunct for conjunct in sought if isinstance(conjunct, frozenset)), None)


def _failed_below(root: Behaviour) -> Iterator[Behaviour]:
    """Yield the failed nodes below failed nodes, parents first, later children first."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.status == Status.FAILURE:
            yield node
            stack.extend(node.children)


REST_SECONDS = 5.0  # how long a cancelled motion may take to come to rest, in seconds of the body's clock


def lag_of(beliefs: Beliefs) -> float | None:
    """Return the largest delay of exact sensing in seconds; None when the sensing may err.

    Beliefs pass on the declaration of their body; see `semantics.body.protocols.ExactSensing`.
    """
    return beliefs.exact_within if isinstance(beliefs, ExactSensing) else None


@dataclass(eq=False)
class Debounce:
    """Debounces a condition: it counts only after it has held for some time."""

    clock: Clock  # the body's clock
    seconds: float  # how long the condition has to hold
    _since: float | None = field(default=None, init=False)

    def lasts(self, doubtful: bool) -> bool:
        """Take whether the condition holds now; return whether it has held for long enough."""
        if not doubtful:
            self._since = None
            return False
        if self._since is None:
            self._since = self.clock.now()
        return self.clock.now() - self._since >= self.seconds - 1e-9
