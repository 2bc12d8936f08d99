"""What is done to a random tree between two ticks, by py_trees' own methods: children come, go and change places."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from py_trees.behaviour import Behaviour
from py_trees.common import ParallelPolicy, Status
from py_trees.composites import Composite, Parallel
from py_trees.decorators import Decorator, Timeout

from bt.node import walk

__all__ = ["edit", "expire"]

Make = Callable[[int], Behaviour]


def edit(root: Behaviour, random: Random, make: Make) -> None:
    """Insert, replace, remove or move a child, the one that is worked on among them.

    Args:
        root: The tree.
        random: Draws what is done, the same for both twins.
        make: Makes a tree of about so many nodes.
    """
    composites = [node for node in walk(root) if isinstance(node, Composite)]
    if not composites or random.random() < 0.1:
        _put_below(root, random, make)
        return
    node = random.choice(composites)
    how = random.random()
    if how < 0.4 or not node.children:
        node.insert_child(make(random.randint(1, 6)), random.randint(0, len(node.children)))
        return
    child = random.choice(node.children)
    if _is_selected(node, child):
        return
    if how < 0.65:
        node.remove_child(child)
    elif how < 0.9:
        node.replace_child(child, make(random.randint(1, 6)))
    else:
        node.remove_child(child)
        node.insert_child(child, random.randint(0, len(node.children)))


def _is_selected(node: Behaviour, child: Behaviour) -> bool:
    """Return whether a parallel's policy names a child, without which it only raises."""
    policy = node.policy if isinstance(node, Parallel) else None
    return isinstance(policy, ParallelPolicy.SuccessOnSelected) and child in policy.children


def _put_below(root: Behaviour, random: Random, make: Make) -> None:
    """Give a decorator another child."""
    decorators = [node for node in walk(root) if isinstance(node, Decorator)]
    if not decorators:
        return
    node, child = random.choice(decorators), make(random.randint(1, 6))
    node.decorated.stop(Status.INVALID)
    node.decorated.parent, child.parent = None, node
    node.children[0] = node.decorated = child


def expire(root: Behaviour, random: Random) -> None:
    """Let the time of some timeouts be over."""
    for node in walk(root):
        if isinstance(node, Timeout) and random.random() < 0.1:
            node.finish_time = 0.0
