"""When something is so: believed, and the last sensing of each of its facts agrees."""

from __future__ import annotations

from collections.abc import Sequence

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.reactive.leaves import culprits
from bt.reactive.step import Step
from bt.reactive.walking import walk
from semantics.atoms import Conjunct, Literal
from semantics.feedback import Code, Feedback
from semantics.protocols import Beliefs

__all__ = ["holds", "in_the_making", "unseen", "without_proof"]


def holds(conjunct: Conjunct, beliefs: Beliefs) -> bool:
    """Return whether every literal is believed and was last sensed to be so."""
    return beliefs.state.satisfies(conjunct) and all(beliefs.sensed(literal) is True for literal in conjunct)


def unseen(conjunct: Conjunct, beliefs: Beliefs) -> tuple[Literal, ...]:
    """Return the literals that no sensing has ever spoken about, sorted."""
    return tuple(literal for literal in sorted(conjunct) if beliefs.sensed(literal) is None)


def in_the_making(conjunct: Conjunct, root: Behaviour) -> bool:
    """Return whether a step that is running below `root` is for a part of it."""
    running = (node for node in walk(root) if node.status == Status.RUNNING and isinstance(node, Step))
    return any(not conjunct.isdisjoint(node.expected.effects) for node in running)


def without_proof(goal: Conjunct, beliefs: Beliefs) -> Feedback:
    """Say what keeps a goal from being reached for which everything was done."""
    missing = beliefs.state.missing(goal)
    if missing:
        return _done_but(Code.EFFECT_MISSING, missing, "does not hold")
    denied = tuple(literal for literal in sorted(goal) if beliefs.sensed(literal) is False)
    if denied:
        return _done_but(Code.EFFECT_MISSING, denied, "was not sensed to hold")
    return _done_but(Code.NOT_VISIBLE, unseen(goal, beliefs), "is only believed and was never sensed")


def _done_but(code: Code, literals: Sequence[Literal], why: str) -> Feedback:
    told = " ".join(map(str, literals))
    return Feedback(code, "the goal", f"everything was done, but {told} {why}", culprits=culprits(literals))
