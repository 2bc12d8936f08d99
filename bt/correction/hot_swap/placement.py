"""Where an edited program goes on from where the old one stands.

What was done stays done in this pass, what runs goes on at its new place in the block unless it was edited or moved
itself, and what stands before it is passed. What comes too late to be done at all (outside of loops and functions,
before what runs, or in what was done) is refused with the reason, so that nobody waits for it in vain.
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
    """An edit of what cannot be done any more; never leaves this folder."""

    def __init__(self, what: str, why: str) -> None:
        how = "Correct what is still to come, or put it there."
        self.rejection = Rejection((Feedback(Code.INVALID_PLAN, f"'{what}'", why, how),))
        super().__init__(why)


def moved_to(stand: Stand, change: Relabelled) -> Stand:
    """Return where the new program goes on.

    Raises:
        TooLateError: An edit is of something that is over.
    """
    return _Moving(change).block(change.old.body, change.new.body, stand, again=False)


@dataclass(frozen=True, slots=True)
class _Past:
    """What a block has behind it: labels of what was done in this pass, and what is under way."""

    done: frozenset[int]
    current: Statement | None
    under: Under | None


@dataclass(frozen=True, slots=True)
class _Moving:
    change: Relabelled

    def block(self, old: Block, new: Block, stand: Stand, *, again: bool) -> Stand:
        """Move where a block stands; `again` says whether it may be gone through from its start once more."""
        done = [one for number, one in enumerate(old) if number < stand.number or number in stand.passed]
        if not again:
            self._must_be_as_they_were(done, new)
        current = old[stand.number] if stand.within is not None else None
        kept = current is not None and self._goes_on(current)
        if current is not None and blocks_of(current) and label(current) in self.change.moved:
            raise TooLateError(head_of(current), "it is under way, and a part of it was done already")
        past = _Past(frozenset(filter(None, map(label, done))), current if kept else None, stand.within)
        return self._within(new, past, again=again)

    def _goes_on(self, current: Statement) -> bool:
        """Return whether what is under way stays so: a choice or a loop goes on with another condition, too."""
        own = label(current)
        return own not in self.change.moved and (own not in self.change.replaced or bool(blocks_of(current)))

    def _within(self, new: Block, past: _Past, *, again: bool) -> Stand:
        states = [self._state(one, past) for one in new]
        number = self._number(new, states)
        if not again:
            _must_not_come_late(new, states, number)
        if any(state == PARTLY for at, state in enumerate(states) if at != number):
            raise TooLateError(head_of(new[states.index(PARTLY)]), "a part of it was done already")
        passed = frozenset(at for at, state in enumerate(states) if at > number and state == DONE)
        begun = number < len(new) and states[number] in (NOW, PARTLY)
        return Stand(number, self._under(new[number], past, again=again) if begun else None, passed)

    def _number(self, new: Block, states: list[str]) -> int:
        """Return which statement is gone on with, or comes next."""
        begun = [states.index(state) for state in (NOW, PARTLY) if state in states]
        if begun:
            return begun[0]
        moved = self.change.moved
        return 1 + max((at for at, one in enumerate(new) if states[at] == DONE and label(one) not in moved), default=-1)

    def _state(self, statement: Statement, past: _Past) -> str:
        """Return how far a statement of the new block is in this pass; a line put around others is as far as they."""
        own = label(statement)
        if own is not None:
            now = past.current is not None and own == label(past.current)
            return NOW if now else DONE if own in past.done else AHEAD
        inner = {self._state(one, past) for one in next(iter(blocks_of(statement)), ())}
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
        """Move where a statement stands that was there before."""
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
                    next(one.body for one in program.functions if one.name == name)
                    for program in (self.change.old, self.change.new)
                ]
                return replace(under, block=self.block(bodies[0], bodies[1], block, again=True))
            case Going():
                return under

    def _must_not_differ(self, old: Statement, new: Statement, which: int) -> None:
        """Refuse another condition of a choice that was made, and changes in what was not chosen or is over."""
        if head_of(old) != head_of(new):
            raise TooLateError(head_of(new), "the choice was made already")
        over = 1 - which if isinstance(old, If) else 0 if which else None
        if over is not None and blocks_of(old)[over] != blocks_of(new)[over]:
            raise TooLateError(head_of(new), "what is edited in it is over, or was not chosen")

    def _must_be_as_they_were(self, done: list[Statement], new: Block) -> None:
        """Refuse changes of what was done and will not be done again."""
        found = dict(_known(new))
        for statement in done:
            own = label(statement)
            assert own is not None
            if own in self.change.moved or found.get(own) != statement:
                raise TooLateError(head_of(statement), "it was done already")


def _must_not_come_late(new: Block, states: list[str], number: int) -> None:
    for at, (one, state) in enumerate(zip(new, states, strict=True)):
        if state == AHEAD and at < number:
            raise TooLateError(head_of(one), "it would stand before what is being done already")
        if state == DONE and label(one) is None:
            raise TooLateError(head_of(one), "what is put under it was done already")


def _known(block: Block) -> Iterator[tuple[int, Statement]]:
    """Yield the statements that were there before by their labels, also those put under a new line."""
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
