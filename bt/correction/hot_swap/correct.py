"""Corrections of a running program: edited, checked, simulated from the current position, and described."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace

from bt.correction.correct import difference
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
        checked: The corrected program.
        stand: The position at which it goes on; for `exchange_program` before the next tick.
        difference: One sentence for each change.
        rehearsed: The result of the simulation of the rest.
    """

    checked: CheckedProgram
    stand: Stand
    difference: tuple[str, ...]
    rehearsed: Rehearsed


def correct_midway(
    routine: Routine, correction: Correction, state: State, *, rehearsal: Rehearsal | None = None
) -> Midway | Rejection:
    """Correct a running program, if the rest of it can be carried out; the tree is not changed yet.

    Args:
        routine: Its tree, between two ticks.
        correction: The edits.
        state: The believed state.
        rehearsal: The simulation. It succeeds at a question to a person, since the rest depends on the answer.
    """
    proposed = propose_midway(routine, correction, state)
    return proposed if isinstance(proposed, Rejection) else proposed.tried(rehearsal or Rehearsal())


@dataclass(frozen=True, slots=True)
class MidwayProposed:
    """A correction of a running program that is not simulated yet; it no longer needs the tree.

    Attributes:
        program: The old program.
        change: The old and the new program, with labels that identify the old statements.
        checked: The corrected program.
        stand: The position at which it goes on.
        imagined: The same position for the simulation, with copies of the values; None before the start.
        values: Copies of the global values.
        state: The state in which the simulation starts.
    """

    program: Program
    change: Relabelled
    checked: CheckedProgram
    stand: Stand
    imagined: Stand | None
    values: dict[str, Value]
    state: State

    def tried(self, rehearsal: Rehearsal) -> Midway | Rejection:
        """Simulate the rest; this may be called on any thread, and may take long."""
        problems: list[Rejection] = []

        def begun(tree: Routine) -> None:
            assert self.imagined is not None
            tree.frame.values = self.values
            tree.hold()
            problem = put(tree, self.checked, self.imagined)
            problems.extend([problem] if problem is not None else [])

        rehearsed = rehearsal.of(self.checked, self.state, begun if self.imagined is not None else None)
        if problems:
            return problems[0]
        if rehearsed.failure is not None and rehearsed.failure.code is not Code.QUESTION:
            return Rejection((rehearsed.failure,))
        return Midway(self.checked, self.stand, difference(self.change.old, self.change.new), rehearsed)

    def stand_now(self, routine: Routine) -> Stand | Rejection:
        """Return the current position in the new program, or the rejection that the correction comes too late."""
        stand = stand_of(routine)
        if stand is None or routine.program is not self.program:
            why = "it has ended" if stand is None else "it was corrected otherwise meanwhile"
            return Rejection((Feedback(Code.INVALID_PLAN, "the program", why, recoverable=stand is not None),))
        try:
            return moved_to(stand, self.change)
        except TooLateError as error:
            return error.rejection


def propose_midway(routine: Routine, correction: Correction, state: State) -> MidwayProposed | Rejection:
    """Apply the edits of a correction to a running program without the simulation; see `correct_midway`."""
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
    """Check the new program as text, so that the bounds of the reader apply; its structure has to stay the same."""
    language = routine.setting.language
    checked = check_program(write_program(change.new), language.domain, language.things, limits=routine.setting.limits)
    if isinstance(checked, RefusedProgram):
        return Rejection(checked.feedback)
    assert _shape(checked.program) == _shape(change.new)
    return checked


def _shape(program: Program) -> list[object]:
    def shape(block: Block) -> list[object]:
        return [[type(statement).__name__, *map(shape, blocks_of(statement))] for statement in block]

    return [*(shape(function.body) for function in program.functions), shape(program.body)]


def _after(routine: Routine, stand: Stand, state: State) -> tuple[State, bool]:
    """Return the state after the running steps that go on, and whether they complete their statement."""
    going = going_in(stand)
    running = [node for node in walk(routine) if isinstance(node, Step) and node.status.name == "RUNNING"]
    for step in running:
        below = going is not None and step in list(walk(going))
        state = (afterwards if below else placed)(step.expected, state)
    return state, isinstance(going, Perform) and going.step in running


def _imagined(stand: Stand, finished: bool) -> Stand:
    """Return a position for the simulation, with copied values; a running statement is done or begins again."""
    under = stand.within
    if isinstance(under, Going):
        return replace(stand, number=stand.number + finished, within=None)
    if isinstance(under, Called):
        under = replace(under, frame=replace(under.frame, values=deepcopy(under.frame.values)))
    if under is None or (isinstance(under, Round) and under.block is None):
        return replace(stand, within=under)
    assert under.block is not None
    return replace(stand, within=replace(under, block=_imagined(under.block, finished)))
