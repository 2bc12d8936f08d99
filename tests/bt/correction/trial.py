"""Corrections of what runs, tried on the model."""

from bt.correction import Midway, Rehearsal, propose, propose_midway
from semantics.logic.goal import Rejection
from semantics.logic.state import Plan


def correct_midway(routine, correction, state) -> Midway | Rejection:
    proposed = propose_midway(routine, correction, state)
    return proposed if isinstance(proposed, Rejection) else proposed.tried(Rehearsal())


def correct_under_way(tree, correction, problem) -> tuple[Plan, tuple[str, ...]] | Rejection:
    proposed = propose(tree, correction, problem)
    return proposed if isinstance(proposed, Rejection) else proposed.tried(Rehearsal())
