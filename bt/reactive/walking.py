"""Going through a tree: every node, where it stands, and why it failed.

The walks keep a stack of their own, since py_trees' recursive ones end at a depth of about 1,000 nodes.
"""

from __future__ import annotations

from collections.abc import Iterator

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from semantics.atoms import Conjunct
from semantics.feedback import Code, Feedback

__all__ = ["failure_of", "kind_of", "leaves_first", "path_of", "purpose_of", "walk", "what_of"]


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


def path_of(node: Behaviour) -> str:
    """Return the names from the root down to `node`, joined by slashes."""
    names = [node.name]
    while node.parent is not None:
        node = node.parent
        names.append(node.name)
    return "/".join(reversed(names))


def kind_of(node: Behaviour) -> str:
    """Return what sort of node it is, in one lower-case word."""
    return str(getattr(node, "kind", type(node).__name__.lower()))


def what_of(node: Behaviour) -> str:
    """Return one line of detail, or nothing."""
    return str(getattr(node, "what", ""))


def failure_of(root: Behaviour) -> Feedback:
    """Return why a failed tree failed: the reason of its highest failed node that gives one, else of a failed leaf."""
    culprit = root
    for node in _failed_below(root):
        culprit = node
        reason = getattr(node, "feedback", None)
        if isinstance(reason, Feedback):
            return reason
    why = culprit.feedback_message or "it failed and gave no reason"
    return Feedback(Code.PRECONDITION, culprit.name, why)


def purpose_of(root: Behaviour) -> Conjunct | None:
    """Return what a failed tree failed to bring about, as its highest failed node says that knows; None if none does.

    A node says so as `sought`.
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
