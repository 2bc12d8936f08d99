"""Corrections of a running program: edited, checked, tried on the model from where it stands, and told."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace

from bt.correction.difference import difference
from bt.correction.hot_swap.labels import Relabelled, blocks_of, relabelled
from bt.correction.hot_swap.placement import TooLateError, moved_to
from bt.correction.hot_swap.swap import going_in, put, stand_of
from bt.correction.places import Block
from bt.correction.rehearsal import Rehearsal, Rehearsed
from bt.execution.step import Step, afterwards, placed
from bt.node import walk
from bt.programs import CheckedProgram, Routine, check_program, write_program
from bt.programs.cursor import Called, Going, Round, Stand
from bt.programs.evaluation import Value
from bt.programs.nodes.actions import Perform
from semantics.correction import Correction
from semantics.feedback import Code, Feedback
from semantics.goal import Rejection
from semantics.program import Program, RefusedProgram
from semantics.state import State

__all__ = ["Midway", "MidwayProposed", "correct_midway", "propose_midway"]


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
    proposed = propose_midway(routine, correction, state)
    return proposed if isinstance(proposed, Rejection) else proposed.tried(rehearsal or Rehearsal())


@dataclass(frozen=True, slots=True)
class MidwayProposed:
    """A correction of a running program that has still to be tried; it asks the tree for nothing any more.

    Attributes:
        program: As it was.
        change: What is different, with the old statements known again.
        checked: The program as it is to be from here on.
        stand: Where it goes on.
        imagined: The same on the model, with copies of the values; None when it has not begun.
        values: Copies of the outermost values.
        state: From where it is tried.
    """

    program: Program
    change: Relabelled
    checked: CheckedProgram
    stand: Stand
    imagined: Stand | None
    values: dict[str, Value]
    state: State

    def tried(self, rehearsal: Rehearsal) -> Midway | Rejection:
        """Carry out what is left on the model; may be called on any thread, and may take its time."""
        problems: list[Rejection] = []

        def begun(tree: Routine) -> None:
            assert self.imagined is not None
            tree.frame.values = self.values
            tree.hold()
            problem = put(tree, self.checked, self.imagined)
            problems.extend([problem] if problem is not None else [])

        found = rehearsal.of(self.checked, self.state, begun if self.imagined is not None else None)
        if problems:
            return problems[0]
        if found.failure is not None and found.failure.code is not Code.QUESTION:
            return Rejection((found.failure,))
        return Midway(self.checked, self.stand, difference(self.change.old, self.change.new), found)

    def stand_now(self, routine: Routine) -> Stand | Rejection:
        """Return where the new program goes on, as far as the old one has come since; or that it is too late for it."""
        stand = stand_of(routine)
        if stand is None or routine.program is not self.program:
            why = "it has ended" if stand is None else "it was corrected otherwise meanwhile"
            return Rejection((Feedback(Code.INVALID_PLAN, "the program", why, recoverable=stand is not None),))
        try:
            return moved_to(stand, self.change)
        except TooLateError as error:
            return error.rejection


def propose_midway(routine: Routine, correction: Correction, state: State) -> MidwayProposed | Rejection:
    """Do the edits of a correction of a running program, which is then to be tried; otherwise as `correct_midway`."""
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
    after, finished = _after(routine, goes_on, state)
    imagined = _imagined(goes_on, finished) if routine.is_under_way else None
    values = deepcopy(routine.frame.values)
    return MidwayProposed(routine.program, change, checked, goes_on, imagined, values, after)


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


def _after(routine: Routine, stand: Stand, state: State) -> tuple[State, bool]:
    """Return what will be so when what goes on has worked, and whether that is all of its statement."""
    going = going_in(stand)
    running = [node for node in walk(routine) if isinstance(node, Step) and node.status.name == "RUNNING"]
    for step in running:
        below = going is not None and step in list(walk(going))
        state = (afterwards if below else placed)(step.expected, state)
    return state, isinstance(going, Perform) and going.step in running


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
