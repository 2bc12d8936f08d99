"""Corrections that are kept: done, checked by name, tried on the model, and told; or the reason why not."""

from __future__ import annotations

from dataclasses import dataclass

from bt.correction.difference import difference
from bt.correction.edits import edited
from bt.correction.rehearsal import Rehearsal, Rehearsed
from bt.programs import CheckedProgram, check_program, write_program
from bt.programs.reader.expressions import identifier
from domains.problem import Problem
from semantics.atoms import Conjunct
from semantics.correction import Correction
from semantics.feedback import Code, Feedback
from semantics.goal import Rejection
from semantics.program import Call, Do, Name, Program, RefusedProgram
from semantics.state import Plan, State

__all__ = ["Corrected", "correct", "correct_plan", "program_of_plan", "unreached"]


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction that works on the model.

    Attributes:
        checked: The program as it is now.
        difference: What is different, one sentence a change.
        rehearsed: How it went on the model.
    """

    checked: CheckedProgram
    difference: tuple[str, ...]
    rehearsed: Rehearsed


def correct(
    program: Program, correction: Correction, problem: Problem, *, rehearsal: Rehearsal | None = None
) -> Corrected | Rejection:
    """Correct a program, if what comes of it can be carried out and still reaches the goal.

    Args:
        program: As it is.
        correction: What is wanted otherwise.
        problem: The world, from where it is tried, and the conjunct that has to hold in the end.
        rehearsal: How it is tried.
    """
    changed = edited(program, correction)
    if isinstance(changed, Rejection):
        return changed
    checked = check_program(
        write_program(changed), problem.domain, problem.objects
    )  # as text, so that its bounds hold here too
    if isinstance(checked, RefusedProgram):
        return Rejection(checked.feedback)
    rehearsed = (rehearsal or Rehearsal()).of(checked, problem.state)
    failure = rehearsed.failure or unreached(problem.conjunct, rehearsed.state)
    if failure is not None:
        return Rejection((failure,))
    return Corrected(checked, difference(program, changed), rehearsed)


def correct_plan(plan: Plan, correction: Correction, problem: Problem) -> tuple[Plan, tuple[str, ...]] | Rejection:
    """Correct a plan, if what comes of it still leads to the plan's goal; return it and what is different.

    The corrected plan has the steps that were carried out on the model, so that choices and repetitions that were put
    in are decided there. It is nobody's optimal one.
    """
    found = correct(program_of_plan(plan), correction, problem.with_goal(plan.goal))
    if isinstance(found, Rejection):
        return found
    return Plan(found.rehearsed.steps, plan.goal, False, "a correction"), found.difference


def program_of_plan(plan: Plan) -> Program:
    """Return a plan as a program without choices."""
    calls = (
        Call(identifier(step.action.name), tuple(Name(identifier(arg)) for arg in step.action.args))
        for step in plan.steps
    )
    return Program((), tuple(Do(call) for call in calls))


def unreached(goal: Conjunct, state: State) -> Feedback | None:
    """Return what of a goal a program would leave undone; None when it would not."""
    missing = state.missing(goal)
    if not missing:
        return None
    why = f"it would come to its end, but {' and '.join(map(str, missing))} would not hold"
    names = tuple(dict.fromkeys(name for literal in missing for name in literal.atom.args))
    return Feedback(Code.INVALID_PLAN, "the corrected program", why, "Leave in what brings that about.", names)
