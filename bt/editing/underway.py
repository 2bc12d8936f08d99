"""Corrections of a plan that is under way: the steps are counted as in the whole plan, and tried from here on."""

from __future__ import annotations

from collections.abc import Mapping

from py_trees.behaviour import Behaviour

from bt.editing.correcting import program_of_plan, unreached
from bt.editing.differing import difference
from bt.editing.edits import edited
from bt.editing.exchanging import worked_on
from bt.editing.rehearsing import Rehearsal, Rehearsed
from bt.programs import check_program, write_program
from bt.reactive.resume import Resume
from bt.reactive.step import afterwards, placed
from domains.model import Domain
from semantics.correction import Correction
from semantics.feedback import Code, Feedback
from semantics.goal import Rejection
from semantics.program import Program, RefusedProgram
from semantics.state import Operator, Plan, State
from semantics.vocabulary import Thing

__all__ = ["correct_under_way"]


def correct_under_way(
    tree: Behaviour,
    correction: Correction,
    domain: Domain,
    things: Mapping[str, Thing],
    state: State,
    *,
    rehearsal: Rehearsal | None = None,
) -> tuple[Plan, tuple[str, ...]] | Rejection:
    """Correct the plan that a tree works on, if what is left of it then leads to its goal; nothing is changed yet.

    Args:
        tree: A tree with the plan in it, between two ticks.
        correction: What is wanted otherwise; spots are counted in the whole plan.
        domain: The world.
        things: Everything that exists, by name.
        state: What is believed.
        rehearsal: How it is tried.

    Returns:
        What is left to do, the step that runs first of all, for `exchange`; and what is different.

    Raises:
        TreeError: The tree works on no plan that is done step by step, or on several.
    """
    resume = worked_on(tree)
    old, done = program_of_plan(resume.plan), resume.point or 0
    new = edited(old, correction)
    if isinstance(new, Rejection):
        return new
    if new.body[:done] != old.body[:done]:
        why = f"the first {done} steps of the plan were done already" if done > 1 else "the first step was done already"
        return Rejection((Feedback(Code.INVALID_PLAN, "the corrected plan", why, "Correct what is still to come."),))
    found = _tried(resume, Program((), new.body[done:]), domain, things, state, rehearsal or Rehearsal())
    if isinstance(found, Rejection):
        return found
    return Plan(found.steps, resume.plan.goal, False, "a correction"), difference(old, new)


def _tried(
    resume: Resume, rest: Program, domain: Domain, things: Mapping[str, Thing], state: State, rehearsal: Rehearsal
) -> Rehearsed | Rejection:
    """Carry out what is left on the model; a step that runs, and is still to be done, has worked there."""
    running = resume.running
    going_on: tuple[Operator, ...] = ()
    if running is not None:
        (call,) = program_of_plan(Plan((running.operator,), resume.plan.goal)).body
        stays = call in rest.body
        state = (afterwards if stays else placed)(running.expected, state)
        if stays:
            at = rest.body.index(call)
            rest = Program((), (*rest.body[:at], *rest.body[at + 1 :]))
            going_on = (running.operator,)
    found = Rehearsed(state, ())
    if rest.body:
        checked = check_program(write_program(rest), domain, things)
        if isinstance(checked, RefusedProgram):
            return Rejection(checked.feedback)
        found = rehearsal.of(checked, state)
    failure = found.failure or unreached(resume.plan.goal, found.state)
    return Rejection((failure,)) if failure is not None else Rehearsed(found.state, (*going_on, *found.steps))
