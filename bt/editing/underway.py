"""Corrections of a plan that is under way: the steps are counted as in the whole plan, and tried from here on."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile

from py_trees.behaviour import Behaviour

from bt.editing.correcting import program_of_plan, unreached
from bt.editing.differing import difference
from bt.editing.midway.labelling import Relabelled, label, relabelled
from bt.editing.rehearsing import Rehearsal, Rehearsed
from bt.editing.standing import running_in, standing, worked_on
from bt.programs import check_program, write_program
from bt.programs.writing import head_of
from bt.reactive.resume import Resume
from bt.reactive.step import afterwards, placed
from bt.weaving import Weave
from domains.model import Domain
from semantics.correction import Correction
from semantics.feedback import Code, Feedback
from semantics.goal import Rejection
from semantics.program import Program, RefusedProgram
from semantics.state import Plan, State
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
        What is left to do, what runs first of all, for `exchange`; and what is different.

    Raises:
        TreeError: The tree works on no plan, or on several.
    """
    work = worked_on(tree)
    now = standing(work, state)
    change = relabelled(program_of_plan(work.plan), correction)
    if isinstance(change, Rejection):
        return change
    done = {label(one): head_of(one) for number, one in enumerate(change.old.body) if now.is_done(number)}
    late = _too_late(change, done)
    if late is not None:
        return late
    rest = Program((), tuple(one for one in change.new.body if label(one) not in done))
    found = _tried(work, rest, domain, things, state, rehearsal or Rehearsal())
    if isinstance(found, Rejection):
        return found
    return Plan(found.steps, work.plan.goal, False, "a correction"), difference(change.old, change.new)


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


def _tried(
    work: Resume | Weave, rest: Program, domain: Domain, things: Mapping[str, Thing], state: State, rehearsal: Rehearsal
) -> Rehearsed | Rejection:
    """Carry out what is left on the model; a step that runs, and is still to be done, has worked there."""
    body, going_on = list(rest.body), []
    for running in running_in(work):
        (call,) = program_of_plan(Plan((running.operator,), work.plan.goal)).body
        stays = call in body
        state = (afterwards if stays else placed)(running.expected, state)
        if stays:
            body.remove(call)
            going_on.append(running.operator)
    found = Rehearsed(state, ())
    if body:
        checked = check_program(write_program(Program((), tuple(body))), domain, things)
        if isinstance(checked, RefusedProgram):
            return Rejection(checked.feedback)
        found = rehearsal.of(checked, state)
    failure = found.failure or unreached(work.plan.goal, found.state)
    return Rejection((failure,)) if failure is not None else Rehearsed(found.state, (*going_on, *found.steps))
