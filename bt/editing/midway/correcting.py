"""Corrections of a running program: edited, checked, tried on the model from where it stands, and told."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace

from bt.editing.differing import difference
from bt.editing.midway.labelling import Relabelled, blocks_of, relabelled
from bt.editing.midway.placing import TooLateError, moved_to
from bt.editing.midway.swapping import going_in, put, stand_of
from bt.editing.places import Block
from bt.editing.rehearsing import Rehearsal, Rehearsed
from bt.programs import CheckedProgram, Routine, check_program, write_program
from bt.programs.nodes.acting import Perform
from bt.programs.standing import Called, Going, Round, Stand
from bt.reactive.step import Step, afterwards, placed
from bt.reactive.walking import walk
from semantics.correction import Correction
from semantics.feedback import Code, Feedback
from semantics.goal import Rejection
from semantics.program import Program, RefusedProgram
from semantics.state import State

__all__ = ["Midway", "correct_midway"]


@dataclass(frozen=True, slots=True)
class Midway:
    """A correction of a running program that works on the model.

    Attributes:
        checked: The program as it is to be from here on.
        stand: Where it goes on; for `exchange_program`, before the next tick.
        difference: What is different, one sentence a change.
        rehearsed: How what is left of it went on the model.
    """

    checked: CheckedProgram
    stand: Stand
    difference: tuple[str, ...]
    rehearsed: Rehearsed


def correct_midway(
    routine: Routine, correction: Correction, state: State, *, rehearsal: Rehearsal | None = None
) -> Midway | Rejection:
    """Correct a running program, if what is left of it can be carried out; nothing is changed yet.

    Args:
        routine: Its tree, between two ticks.
        correction: What is wanted otherwise.
        state: What is believed.
        rehearsal: How it is tried. A question to a person ends it well: what comes after hangs on the answer.
    """
    stand = stand_of(routine)
    if stand is None:
        return Rejection((Feedback(Code.INVALID_PLAN, "the program", "it has ended", recoverable=False),))
    change = relabelled(routine.program, correction)
    if isinstance(change, Rejection):
        return change
    try:
        goes_on = moved_to(stand, change)
    except TooLateError as error:
        return error.rejection
    checked = _checked(change, routine)
    if isinstance(checked, Rejection):
        return checked
    tried = _rehearsed(routine, checked, goes_on, state, rehearsal or Rehearsal())
    if isinstance(tried, Rejection):
        return tried
    if tried.failure is not None and tried.failure.code is not Code.QUESTION:
        return Rejection((tried.failure,))
    return Midway(checked, goes_on, difference(change.old, change.new), tried)


def _checked(change: Relabelled, routine: Routine) -> CheckedProgram | Rejection:
    """Check the new program as text, so that its bounds hold here too; it has to come back in the same shape."""
    language = routine.setting.language
    checked = check_program(write_program(change.new), language.domain, language.things, limits=routine.setting.limits)
    if isinstance(checked, RefusedProgram):
        return Rejection(checked.feedback)
    assert _shape(checked.program) == _shape(change.new)
    return checked


def _shape(program: Program) -> list[object]:
    def told(block: Block) -> list[object]:
        return [[type(one).__name__, *map(told, blocks_of(one))] for one in block]

    return [*(told(one.body) for one in program.functions), told(program.body)]


def _rehearsed(
    routine: Routine, checked: CheckedProgram, stand: Stand, state: State, rehearsal: Rehearsal
) -> Rehearsed | Rejection:
    going = going_in(stand)
    running = [node for node in walk(routine) if isinstance(node, Step) and node.status.name == "RUNNING"]
    for step in running:
        below = going is not None and step in list(walk(going))
        state = (afterwards if below else placed)(step.expected, state)
    finished = isinstance(going, Perform) and going.step in running
    problems: list[Rejection] = []

    def begun(tree: Routine) -> None:
        frame = routine.frame
        tree.frame.values = deepcopy(frame.values)
        tree.hold()
        problem = put(tree, checked, _imagined(stand, finished))
        problems.extend([problem] if problem is not None else [])

    found = rehearsal.of(checked, state, begun if routine.is_under_way else None)
    return problems[0] if problems else found


def _imagined(stand: Stand, finished: bool) -> Stand:
    """Return where a program stands with values of its own, and with what runs done, or to be begun on the model."""
    under = stand.within
    if isinstance(under, Going):
        return replace(stand, number=stand.number + finished, within=None)
    if isinstance(under, Called):
        under = replace(under, frame=replace(under.frame, values=deepcopy(under.frame.values)))
    if under is None or (isinstance(under, Round) and under.block is None):
        return replace(stand, within=under)
    assert under.block is not None
    return replace(stand, within=replace(under, block=_imagined(under.block, finished)))
