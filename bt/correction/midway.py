"""Corrections of a running program: finished statements stay done, running ones go on, the rest is replaced.

Statements that are done stay done in this pass. A running statement goes on at its new place in the block, unless it
was edited or moved itself, and the statements before it are skipped. An edit that comes too late (outside of loops and
functions, before the running statement, or in a statement that is done) is refused with the reason, since it would have
no effect.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace

from py_trees.common import Status

from bt.correction.correct import Corrected, difference
from bt.correction.edits import Relabelled, label, relabelled
from bt.correction.rehearsal import Rehearsal
from bt.execution.step import Step, afterwards, placed
from bt.node import adopt, walk
from bt.programs import CheckedProgram, check_program, write_program
from bt.programs.compiler import build_block
from bt.programs.evaluation import Trouble
from bt.programs.nodes.calls import Perform
from bt.programs.nodes.flow import Block, Routine, only_block
from bt.programs.nodes.statement import Called, Chosen, Flow, Going, Round, Stand, Under
from bt.programs.values import Value
from bt.programs.writer import Statements, blocks_of, head_of, value_of
from semantics.logic.correction import Correction
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Rejection
from semantics.logic.program import Call, Fall, For, If, Program, RefusedProgram, Statement, TextPosition, While
from semantics.logic.state import State


@dataclass(frozen=True, slots=True)
class Midway(Corrected):
    """A correction of a running program that works on the model; the rest of it was simulated.

    Attributes:
        stand: The position at which it goes on; for `exchange_program` before the next tick.
    """

    stand: Stand


@dataclass(frozen=True, slots=True)
class MidwayProposed:
    """A correction of a running program that is not simulated yet; it no longer needs the tree."""

    program: Program  # the old program
    change: Relabelled  # the old and the new program, with labels that identify the old statements
    checked: CheckedProgram  # the corrected program
    stand: Stand  # the position at which it goes on
    imagined: Stand | None  # the same position for the simulation, with copies of the values; None before the start
    values: dict[str, Value]  # copies of the global values
    state: State  # the state in which the simulation starts

    def tried(self, rehearsal: Rehearsal) -> Midway | Rejection:
        """Simulate the rest; this may be called on any thread, and may take long."""
        problems: list[Rejection] = []

        def begun(tree: Routine) -> None:
            assert self.imagined is not None
            tree.frame.values = self.values
            tree.hold()
            problem = _put(tree, self.checked, self.imagined)
            problems.extend([problem] if problem is not None else [])

        rehearsed = rehearsal.of(self.checked, self.state, begun if self.imagined is not None else None)
        if problems:
            return problems[0]
        if rehearsed.failure is not None and rehearsed.failure.code is not Code.QUESTION:
            return Rejection((rehearsed.failure,))
        return Midway(self.checked, difference(self.change.old, self.change.new), rehearsed, self.stand)

    def stand_now(self, routine: Routine) -> Stand | Rejection:
        """Return the current position in the new program, or the rejection that the correction comes too late."""
        if _stand_of(routine) is not None and routine.program is not self.program:
            return Rejection((Feedback(Code.INVALID_PLAN, "the program", "it was corrected otherwise meanwhile"),))
        return _going_on(routine, self.change)


def propose_midway(routine: Routine, correction: Correction, state: State) -> MidwayProposed | Rejection:
    """Apply the edits of a correction to a running program without the simulation, which `tried` does.

    Args:
        routine: Its tree, between two ticks.
        correction: The edits.
        state: The believed state.
    """
    change = relabelled(routine.program, correction)
    goes_on = _going_on(routine, change)
    if isinstance(goes_on, Rejection):
        return goes_on
    assert isinstance(change, Relabelled)
    checked = _checked(change, routine)
    if isinstance(checked, Rejection):
        return checked
    after, finished = _after(routine, goes_on, state)
    imagined = _imagined(goes_on, finished) if routine.is_under_way else None
    values = deepcopy(routine.frame.values)
    return MidwayProposed(routine.program, change, checked, goes_on, imagined, values, after)


def _going_on(routine: Routine, change: Relabelled | Rejection) -> Stand | Rejection:
    """Return the current position in the corrected program, or why there is none."""
    stand = _stand_of(routine)
    if stand is None:
        return Rejection((Feedback(Code.INVALID_PLAN, "the program", "it has ended", recoverable=False),))
    try:
        if isinstance(change, Rejection):
            return change
        return _Moving(change).block(change.old.body, change.new.body, stand, again=False)
    except TooLateError as error:
        return error.rejection


def _checked(change: Relabelled, routine: Routine) -> CheckedProgram | Rejection:
    """Check the new program as text, so that the bounds of the reader apply; its structure has to stay the same."""
    language = routine.setting.language
    text, limits = write_program(change.new), routine.setting.limits
    checked = check_program(text, language.domain, language.things, limits=limits, bound=language.names)
    if isinstance(checked, RefusedProgram):
        return Rejection(checked.feedback)
    assert _shape(checked.program) == _shape(change.new)
    return checked


def _shape(program: Program) -> list[object]:
    def shape(block: Statements) -> list[object]:
        return [[type(statement).__name__, *map(shape, blocks_of(statement))] for statement in block]

    return [*(shape(function.body) for function in program.functions), shape(program.body)]


def _after(routine: Routine, stand: Stand, state: State) -> tuple[State, bool]:
    """Return the state after the running steps that go on, and whether they complete their statement."""
    going = _going_in(stand)
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


DONE, NOW, PARTLY, AHEAD = "done", "now", "partly", "ahead"


class TooLateError(Exception):
    """An edit of a part that is already done. It is caught inside `bt.correction`."""

    def __init__(self, what: str, why: str) -> None:
        how = "Correct what is still to come, or put it there."
        self.rejection = Rejection((Feedback(Code.INVALID_PLAN, f"'{what}'", why, how),))
        super().__init__(why)


@dataclass(frozen=True, slots=True)
class _Past:
    """The progress of a block: labels of the statements done in this pass, and the running statement."""

    done: frozenset[int]
    current: Statement | None
    under: Under | None


@dataclass(frozen=True, slots=True)
class _Moving:
    change: Relabelled

    def block(self, old: Statements, new: Statements, stand: Stand, *, again: bool) -> Stand:
        """Return the new position in a block; `again` says whether the block may run again from its start."""
        done = [statement for number, statement in enumerate(old) if number < stand.number or number in stand.passed]
        if not again:
            self._must_be_as_they_were(done, new)
        current = old[stand.number] if stand.within is not None else None
        goes_on = current is not None and self._goes_on(current)
        if current is not None and blocks_of(current) and label(current) in self.change.moved:
            raise TooLateError(head_of(current), "it is under way, and a part of it was done already")
        past = _Past(frozenset(filter(None, map(label, done))), current if goes_on else None, stand.within)
        return self._within(new, past, again=again)

    def _goes_on(self, current: Statement) -> bool:
        """Return whether the running statement goes on; a choice or a loop also goes on with another condition."""
        own = label(current)
        return own not in self.change.moved and (own not in self.change.replaced or bool(blocks_of(current)))

    def _within(self, new: Statements, past: _Past, *, again: bool) -> Stand:
        states = [self._state(statement, past) for statement in new]
        number = self._number(new, states)
        if not again:
            _must_not_come_late(new, states, number)
        if any(state == PARTLY for at, state in enumerate(states) if at != number):
            raise TooLateError(head_of(new[states.index(PARTLY)]), "a part of it was done already")
        passed = frozenset(at for at, state in enumerate(states) if at > number and state == DONE)
        begun = number < len(new) and states[number] in (NOW, PARTLY)
        return Stand(number, self._under(new[number], past, again=again) if begun else None, passed)

    def _number(self, new: Statements, states: list[str]) -> int:
        """Return the number of the statement that goes on or comes next."""
        begun = [states.index(state) for state in (NOW, PARTLY) if state in states]
        if begun:
            return begun[0]
        moved = self.change.moved
        return 1 + max(
            (at for at, statement in enumerate(new) if states[at] == DONE and label(statement) not in moved), default=-1
        )

    def _state(self, statement: Statement, past: _Past) -> str:
        """Return the progress of a statement of the new block; a new compound statement has that of its body."""
        own = label(statement)
        if own is not None:
            now = past.current is not None and own == label(past.current)
            return NOW if now else DONE if own in past.done else AHEAD
        inner = {self._state(inner_statement, past) for inner_statement in next(iter(blocks_of(statement)), ())}
        if len(inner) == 1:
            return inner.pop()
        return NOW if NOW in inner else PARTLY if inner else AHEAD

    def _under(self, statement: Statement, past: _Past, *, again: bool) -> Under:
        if label(statement) is not None:
            assert past.current is not None
            assert past.under is not None
            return self._same(past.current, statement, past.under, again=again)
        loop = isinstance(statement, For | While)
        inner = self._within(blocks_of(statement)[0], past, again=again or loop)
        match statement:
            case If() | Fall():
                return Chosen(0, inner)
            case For():
                return Round(None, 0, inner)
            case _:
                return Round((), 1, inner)

    def _same(self, old: Statement, new: Statement, under: Under, *, again: bool) -> Under:
        """Return the new position in a statement of the old program."""
        before, after = blocks_of(old), blocks_of(new)
        match under:
            case Chosen(which, block):
                if not again:
                    self._must_not_differ(old, new, which)
                return replace(under, block=self.block(before[which], after[which], block, again=again))
            case Round(_, _, block):
                if isinstance(old, For) and not again and head_of(old) != head_of(new):
                    raise TooLateError(head_of(new), "its list was made when the loop began")
                inner = None if block is None else self.block(before[0], after[0], block, again=True)
                return replace(under, block=inner)
            case Called(_, block):
                call = value_of(old)
                assert isinstance(call, Call)
                bodies = [
                    next(function.body for function in program.functions if function.name == call.name)
                    for program in (self.change.old, self.change.new)
                ]
                return replace(under, block=self.block(bodies[0], bodies[1], block, again=True))
            case Going():
                return under

    def _must_not_differ(self, old: Statement, new: Statement, which: int) -> None:
        """Refuse a new condition of a choice that was made, and edits of branches that are done or not chosen."""
        if head_of(old) != head_of(new):
            raise TooLateError(head_of(new), "the choice was made already")
        over = 1 - which if isinstance(old, If) else 0 if which else None
        if over is not None and blocks_of(old)[over] != blocks_of(new)[over]:
            raise TooLateError(head_of(new), "what is edited in it is over, or was not chosen")

    def _must_be_as_they_were(self, done: list[Statement], new: Statements) -> None:
        """Refuse edits of statements that are done and will not run again."""
        by_label = dict(_known(new))
        for statement in done:
            own = label(statement)
            assert own is not None
            if own in self.change.moved or by_label.get(own) != statement:
                raise TooLateError(head_of(statement), "it was done already")


def _must_not_come_late(new: Statements, states: list[str], number: int) -> None:
    for at, (statement, state) in enumerate(zip(new, states, strict=True)):
        if state == AHEAD and at < number:
            raise TooLateError(head_of(statement), "it would stand before what is being done already")
        if state == DONE and label(statement) is None:
            raise TooLateError(head_of(statement), "what is put under it was done already")


def _known(block: Statements) -> Iterator[tuple[int, Statement]]:
    """Yield the statements of the old program with their labels, also those inside new statements."""
    for statement in block:
        own = label(statement)
        if own is not None:
            yield own, statement
        else:
            for inner in blocks_of(statement):
                yield from _known(inner)


def _stand_of(routine: Routine) -> Stand | None:
    """Return the current position of a program; None when it has ended."""
    if routine.status in (Status.SUCCESS, Status.FAILURE):
        return None
    return only_block(routine).stand()


def exchange_program(routine: Routine, checked: CheckedProgram, stand: Stand) -> tuple[Flow, ...] | Rejection:
    """Let a tree carry out another program from `stand` on; call this between two ticks, on the ticking thread.

    Running statements that `stand` names go on. The others are stopped, which takes as many ticks as the body needs;
    nothing else begins before that. Values stay.

    Returns:
        The running statements that are stopped; or why nothing was exchanged: the list of a loop that was put around a
        running statement cannot be computed.
    """
    before = only_block(routine)
    leaving = [leaf for node in walk(routine) if isinstance(node, Block) for leaf in node.leaving]
    running = tuple(node for node in walk(routine) if isinstance(node, Flow) and _is_leaf(node))
    problem = _put(routine, checked, stand)
    if problem is not None:
        return problem
    continuing = _going_in(stand)
    stopped = tuple(node for node in running if node is not continuing)
    for node in stopped:
        node.stop(Status.INVALID)
    only_block(routine).innermost().leave((*leaving, *stopped))
    before.parent = None
    return stopped


def _is_leaf(node: Flow) -> bool:
    """Return whether a node is a running statement without blocks."""
    if isinstance(node, Block | Routine):
        return False
    return node.is_under_way and isinstance(node.standing(), Going)


def _put(routine: Routine, checked: CheckedProgram, stand: Stand) -> Rejection | None:
    """Give a routine the nodes of a program at `stand`; on an error restore everything and return the reason."""
    setting, frame = routine.setting, routine.frame
    frames = (under.frame for under in _positions(stand) if isinstance(under, Called))
    functions, saved = (
        dict(setting.functions),
        [(known_frame, dict(known_frame.values)) for known_frame in (frame, *frames)],
    )
    setting.functions.clear()
    setting.functions.update({function.name: function for function in checked.program.functions})
    block = build_block(checked.program.body, TextPosition(), setting, frame)
    try:
        if routine.is_under_way:
            block.go_on(stand)
    except Trouble as error:
        setting.functions.clear()
        setting.functions.update(functions)
        for known_frame, values in saved:
            known_frame.values = values
        return Rejection((error.feedback,))
    routine.functions, routine.program = checked.program.functions, checked.program
    adopt(routine, block)
    return None


def _going_in(stand: Stand) -> Flow | None:
    """Return the running node that goes on, if there is one."""
    nodes = (under.node for under in _positions(stand) if isinstance(under, Going))
    return next((node for node in nodes if isinstance(node, Flow)), None)


def _positions(stand: Stand | None) -> Iterator[Under]:
    """Yield the position in the running statement of each block, from the outside in."""
    while stand is not None and stand.within is not None:
        yield stand.within
        stand = None if isinstance(stand.within, Going) else stand.within.block
