"""Corrections of a plan during execution: places count in the whole plan, and the rest is simulated from here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from py_trees.behaviour import Behaviour

from bt.correction.correct import difference, program_of_plan, unreached
from bt.correction.cursor import over, standing, worked_on
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
    """Correct the plan of a tree, if the rest of it still reaches the goal; the tree is not changed yet.

    Args:
        tree: A tree with the plan, between two ticks.
        correction: The edits; their places count in the whole plan.
        problem: The domain and the believed state.
        rehearsal: The simulation.

    Returns:
        The rest of the plan for `exchange`, with the running steps first; and the changes in sentences.

    Raises:
        TreeError: The tree works on no plan, or on several.
    """
    proposed = propose(tree, correction, problem)
    return proposed if isinstance(proposed, Rejection) else proposed.tried(rehearsal or Rehearsal())


@dataclass(frozen=True, slots=True)
class Proposed:
    """A correction of a running plan that is not simulated yet; it no longer needs the tree.

    Attributes:
        old: The old plan.
        rest: The steps after the running ones, as a program.
        problem: The problem in the state in which the running steps have succeeded or were stopped.
        going_on: The running steps that go on.
        difference: One sentence for each change.
    """

    old: Plan
    rest: Program
    problem: Problem
    going_on: tuple[Operator, ...]
    difference: tuple[str, ...]

    def tried(self, rehearsal: Rehearsal) -> tuple[Plan, tuple[str, ...]] | Rejection:
        """Simulate the rest; this may be called on any thread, and may take long."""
        problem = self.problem
        rehearsed = Rehearsed(problem.state, ())
        if self.rest.body:
            checked = check_program(write_program(self.rest), problem.domain, problem.objects)
            if isinstance(checked, RefusedProgram):
                return Rejection(checked.feedback)
            rehearsed = rehearsal.of(checked, problem.state)
        failure = rehearsed.failure or unreached(self.old.goal, rehearsed.state)
        if failure is not None:
            return Rejection((failure,))
        return Plan((*self.going_on, *rehearsed.steps), self.old.goal, False, "a correction"), self.difference


def propose(tree: Behaviour, correction: Correction, problem: Problem) -> Proposed | Rejection:
    """Apply the edits of a correction to the running plan without the simulation; see `correct_under_way`.

    Raises:
        TreeError: The tree works on no plan, or on several.
    """
    work, state = worked_on(tree), problem.state
    now = standing(work, state)
    change = relabelled(program_of_plan(work.plan), correction)
    if isinstance(change, Rejection):
        return change
    done = {
        label(statement): head_of(statement) for number, statement in enumerate(change.old.body) if now.is_done(number)
    }
    body = [statement for statement in change.new.body if label(statement) not in done]
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
    continuing = tuple(step.operator for step in going_on)
    changes = difference(change.old, change.new)
    return Proposed(work.plan, Program((), tuple(body)), problem.with_state(state), continuing, changes)


def _without(call: Statement, body: Sequence[Statement]) -> list[Statement]:
    """Return a block without the first statement that equals `call`."""
    at = body.index(call) if call in body else len(body)
    return [*body[:at], *body[at + 1 :]]


def _too_late(change: Relabelled, done: Mapping[int | None, str]) -> Rejection | None:
    """Return the rejection if a correction changes steps that are done, or adds steps before them."""
    after = [label(statement) for statement in change.new.body]
    unchanged = {own for own in after if own not in change.replaced | change.moved}
    gone = next((what for own, what in done.items() if own not in unchanged), None)
    if gone is None:
        first = list(takewhile(done.__contains__, map(label, change.old.body)))
        gone = next((done[own] for own, new in zip(first, after, strict=False) if own != new), None)
    if gone is None:
        return None
    how = "Correct what is still to come, or put it there."
    return Rejection((Feedback(Code.INVALID_PLAN, f"'{gone}'", "it was done already", how),))
