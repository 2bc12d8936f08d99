"""Computes the position in an edited program from the position in the old one.

Statements that are done stay done in this pass. A running statement goes on at its new place in the block, unless it
was edited or moved itself, and the statements before it are skipped. An edit that comes too late (outside of loops and
functions, before the running statement, or in a statement that is done) is refused with the reason, since it would have
no effect.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bt.correction.hot_swap.labels import Relabelled, blocks_of, label
from bt.correction.places import Block
from bt.programs.cursor import Called, Chosen, Fallen, Going, Round, Stand, Under
from bt.programs.writer import head_of
from semantics.feedback import Code, Feedback
from semantics.goal import Rejection
from semantics.program import Assign, Call, Do, Fall, For, If, Return, Statement, While

__all__ = ["TooLateError", "moved_to"]


DONE, NOW, PARTLY, AHEAD = "done", "now", "partly", "ahead"


class TooLateError(Exception):
    """An edit of a part that is already done. It is caught inside `bt.correction`."""

    def __init__(self, what: str, why: str) -> None:
        how = "Correct what is still to come, or put it there."
        self.rejection = Rejection((Feedback(Code.INVALID_PLAN, f"'{what}'", why, how),))
        super().__init__(why)


def moved_to(stand: Stand, change: Relabelled) -> Stand:
    """Return the position at which the new program goes on.

    Raises:
        TooLateError: An edit changes a part that is already done.
    """
    return _Moving(change).block(change.old.body, change.new.body, stand, again=False)


@dataclass(frozen=True, slots=True)
class _Past:
    """The progress of a block: labels of the statements done in this pass, and the running statement."""

    done: frozenset[int]
    current: Statement | None
    under: Under | None


@dataclass(frozen=True, slots=True)
class _Moving:
    change: Relabelled

    def block(self, old: Block, new: Block, stand: Stand, *, again: bool) -> Stand:
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

    def _within(self, new: Block, past: _Past, *, again: bool) -> Stand:
        states = [self._state(statement, past) for statement in new]
        number = self._number(new, states)
        if not again:
            _must_not_come_late(new, states, number)
        if any(state == PARTLY for at, state in enumerate(states) if at != number):
            raise TooLateError(head_of(new[states.index(PARTLY)]), "a part of it was done already")
        passed = frozenset(at for at, state in enumerate(states) if at > number and state == DONE)
        begun = number < len(new) and states[number] in (NOW, PARTLY)
        return Stand(number, self._under(new[number], past, again=again) if begun else None, passed)

    def _number(self, new: Block, states: list[str]) -> int:
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
            case If():
                return Chosen(0, inner)
            case Fall():
                return Fallen(0, inner)
            case For():
                return Round(None, 0, inner)
            case _:
                return Round((), 1, inner)

    def _same(self, old: Statement, new: Statement, under: Under, *, again: bool) -> Under:
        """Return the new position in a statement of the old program."""
        before, after = blocks_of(old), blocks_of(new)
        match under:
            case Chosen(which, block) | Fallen(which, block):
                if not again:
                    self._must_not_differ(old, new, which)
                return replace(under, block=self.block(before[which], after[which], block, again=again))
            case Round(_, _, block):
                if isinstance(old, For) and not again and head_of(old) != head_of(new):
                    raise TooLateError(head_of(new), "its list was made when the loop began")
                inner = None if block is None else self.block(before[0], after[0], block, again=True)
                return replace(under, block=inner)
            case Called(_, block):
                name = _called(old)
                bodies = [
                    next(function.body for function in program.functions if function.name == name)
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

    def _must_be_as_they_were(self, done: list[Statement], new: Block) -> None:
        """Refuse edits of statements that are done and will not run again."""
        by_label = dict(_known(new))
        for statement in done:
            own = label(statement)
            assert own is not None
            if own in self.change.moved or by_label.get(own) != statement:
                raise TooLateError(head_of(statement), "it was done already")


def _must_not_come_late(new: Block, states: list[str], number: int) -> None:
    for at, (statement, state) in enumerate(zip(new, states, strict=True)):
        if state == AHEAD and at < number:
            raise TooLateError(head_of(statement), "it would stand before what is being done already")
        if state == DONE and label(statement) is None:
            raise TooLateError(head_of(statement), "what is put under it was done already")


def _known(block: Block) -> Iterator[tuple[int, Statement]]:
    """Yield the statements of the old program with their labels, also those inside new statements."""
    for statement in block:
        own = label(statement)
        if own is not None:
            yield own, statement
        else:
            for inner in blocks_of(statement):
                yield from _known(inner)


def _called(statement: Statement) -> str:
    match statement:
        case Do(Call(name)) | Assign(_, Call(name)) | Return(Call(name)):
            return name
        case _:
            raise AssertionError(statement)
