"""Replaces the tree of a running program by that of an edited program, between two ticks."""

from __future__ import annotations

from collections.abc import Iterator

from py_trees.common import Status

from bt.node import walk
from bt.programs import CheckedProgram, Routine
from bt.programs.compiler import build_block
from bt.programs.cursor import Called, Frame, Going, Stand, Under
from bt.programs.evaluation import Trouble
from bt.programs.nodes.flow import Block
from bt.programs.nodes.statement import Flow
from semantics.goal import Rejection
from semantics.program import TextPosition

__all__ = ["exchange_program", "going_in", "put", "stand_of"]


def stand_of(routine: Routine) -> Stand | None:
    """Return the current position of a program; None when it has ended."""
    if routine.status in (Status.SUCCESS, Status.FAILURE):
        return None
    return _body(routine).stand()


def exchange_program(routine: Routine, checked: CheckedProgram, stand: Stand) -> tuple[Flow, ...] | Rejection:
    """Let a tree carry out another program from `stand` on; call this between two ticks, on the ticking thread.

    Running statements that `stand` names go on. The others are stopped, which takes as many ticks as the body needs;
    nothing else begins before that. Values stay.

    Returns:
        The running statements that are stopped; or why nothing was exchanged: the list of a loop that was put around a
        running statement cannot be computed.
    """
    before = _body(routine)
    leaving = [leaf for node in walk(routine) if isinstance(node, Block) for leaf in node.leaving]
    running = tuple(node for node in walk(routine) if isinstance(node, Flow) and _is_leaf(node))
    problem = put(routine, checked, stand)
    if problem is not None:
        return problem
    continuing = going_in(stand)
    stopped = tuple(node for node in running if node is not continuing)
    for node in stopped:
        node.stop(Status.INVALID)
    _body(routine).innermost().leave((*leaving, *stopped))
    before.parent = None
    return stopped


def _is_leaf(node: Flow) -> bool:
    """Return whether a node is a running statement without blocks."""
    if isinstance(node, Block | Routine):
        return False
    return node.is_under_way and isinstance(node.standing(), Going)


def put(routine: Routine, checked: CheckedProgram, stand: Stand) -> Rejection | None:
    """Give a routine the nodes of a program at `stand`; on an error restore everything and return the reason."""
    setting, frame = routine.setting, routine.frame
    functions, saved = (
        dict(setting.functions),
        [(known_frame, dict(known_frame.values)) for known_frame in (frame, *_frames(stand))],
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
    routine.adopt(block)
    return None


def going_in(stand: Stand | None) -> Flow | None:
    """Return the running node that goes on, if there is one."""
    under: Under | None = None if stand is None else stand.within
    if isinstance(under, Going):
        return under.node if isinstance(under.node, Flow) else None
    return None if under is None else going_in(under.block)


def _frames(stand: Stand | None) -> Iterator[Frame]:
    under = None if stand is None else stand.within
    if isinstance(under, Called):
        yield under.frame
    if under is not None and not isinstance(under, Going):
        yield from _frames(under.block)


def _body(routine: Routine) -> Block:
    (body,) = routine.children
    assert isinstance(body, Block)
    return body
