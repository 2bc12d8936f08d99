"""Corrections of a plan that is under way: the steps are counted as in the whole plan, and tried from here on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from py_trees.behaviour import Behaviour

from bt.correction.correct import program_of_plan, unreached
from bt.correction.cursor import over, standing, worked_on
from bt.correction.difference import difference
from bt.correction.hot_swap.labels import Relabelled, label, relabelled
from bt.correction.rehearsal import Rehearsal, Rehearsed
from bt.execution.step import Step, afterwards, placed
from bt.programs import check_program, write_program
from bt.programs.writer import head_of
from domains.problem import Problem
from semantics.correction import Correction
from semantics.feedback import Code, Feedback
from semantics.goal import Rejection
from semantics.program import Program, RefusedProgram, Statement
from semantics.state import Operator, Plan

__all__ = ["Proposed", "correct_under_way", "propose"]


def correct_under_way(
    tree: Behaviour, correction: Correction, problem: Problem, *, rehearsal: Rehearsal | None = None
) -> tuple[Plan, tuple[str, ...]] | Rejection:
    """Correct the plan that a tree works on, if what is left of it then leads to its goal; nothing is changed yet.

    Args:
        tree: A tree with the plan in it, between two ticks.
        correction: What is wanted otherwise; spots are counted in the whole plan.
        problem: The world, and what is believed of it.
        rehearsal: How it is tried.

    Returns:
        What is left to do, what runs first of all, for `exchange`; and what is different.

    Raises:
        TreeError: The tree works on no plan, or on several.
    """
    proposed = propose(tree, correction, problem)
    return proposed if isinstance(proposed, Rejection) else proposed.tried(rehearsal or Rehearsal())


@dataclass(frozen=True, slots=True)
class Proposed:
    """A correction of a plan under way that has still to be tried; it asks the tree for nothing any more.

    Attributes:
        old: The plan as it was.
        rest: What is to be done after what runs.
        problem: Where that is tried: what runs has worked, or was stopped.
        going_on: What runs and is to go on.
        difference: What is different, one sentence a change.
    """

    old: Plan
    rest: Program
    problem: Problem
    going_on: tuple[Operator, ...]
    difference: tuple[str, ...]

    def tried(self, rehearsal: Rehearsal) -> tuple[Plan, tuple[str, ...]] | Rejection:
        """Carry out what is left on the model; may be called on any thread, and may take its time."""
        problem = self.problem
        found = Rehearsed(problem.state, ())
        if self.rest.body:
            checked = check_program(write_program(self.rest), problem.domain, problem.objects)
            if isinstance(checked, RefusedProgram):
                return Rejection(checked.feedback)
            found = rehearsal.of(checked, problem.state)
        failure = found.failure or unreached(self.old.goal, found.state)
        if failure is not None:
            return Rejection((failure,))
        return Plan((*self.going_on, *found.steps), self.old.goal, False, "a correction"), self.difference


def propose(tree: Behaviour, correction: Correction, problem: Problem) -> Proposed | Rejection:
    """Do the edits of a correction of the plan under way, which is then to be tried; otherwise as `correct_under_way`.

    Raises:
        TreeError: The tree works on no plan, or on several.
    """
    work, state = worked_on(tree), problem.state
    now = standing(work, state)
    change = relabelled(program_of_plan(work.plan), correction)
    if isinstance(change, Rejection):
        return change
    done = {label(one): head_of(one) for number, one in enumerate(change.old.body) if now.is_done(number)}
    body = [one for one in change.new.body if label(one) not in done]
    going_on: list[Step] = []
    stopped: list[Step] = []
    for running in work.running_steps():
        (call,) = program_of_plan(Plan((running.operator,), work.plan.goal)).body
        stays = call in body
        state = (afterwards if stays else placed)(running.expected, state)
        (going_on if stays else stopped).append(running)
        body[:] = _without(call, body)
    late = _too_late(change, done) or over(stopped)
    if late is not None:
        return late
    kept = tuple(step.operator for step in going_on)
    told = difference(change.old, change.new)
    return Proposed(work.plan, Program((), tuple(body)), problem.with_state(state), kept, told)


def _without(call: Statement, body: Sequence[Statement]) -> list[Statement]:
    """Return a block without the first of its statements that says the same as `call`."""
    at = body.index(call) if call in body else len(body)
    return [*body[:at], *body[at + 1 :]]


def _too_late(change: Relabelled, done: Mapping[int | None, str]) -> Rejection | None:
    """Say what of a correction is of steps that were done, or would be done before them."""
    after = [label(one) for one in change.new.body]
    kept = {own for own in after if own not in change.replaced | change.moved}
    gone = next((what for own, what in done.items() if own not in kept), None)
    if gone is None:
        first = list(takewhile(done.__contains__, map(label, change.old.body)))
        gone = next((done[own] for own, new in zip(first, after, strict=False) if own != new), None)
    if gone is None:
        return None
    how = "Correct what is still to come, or put it there."
    return Rejection((Feedback(Code.INVALID_PLAN, f"'{gone}'", "it was done already", how),))
