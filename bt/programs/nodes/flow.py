"""Nodes of blocks, choices, loops, and statements that end at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.programs.cursor import Chosen, Fallen, Frame, Going, Jump, Round, Stand, Under
from bt.programs.evaluation import trouble
from bt.programs.nodes.statement import Flow, ProgramContext, at_rest
from semantics.feedback import Code
from semantics.program import Assign, Expr, Return, TextPosition

__all__ = ["Block", "Choice", "Instead", "Keep", "Leap", "Loop", "Rounds"]


class Block(Flow):
    """A sequence of statements; a statement that has ended does not run again."""

    def __init__(
        self, children: Sequence[Behaviour], place: TextPosition, setting: ProgramContext, frame: Frame
    ) -> None:
        super().__init__("block", f"{len(children)} statements", place, setting, frame, list(children))
        self._at = 0
        self._passed: frozenset[int] = frozenset()
        self._leaving: tuple[Behaviour, ...] = ()

    def begin(self) -> None:
        """Start with the first statement."""
        self._at = 0
        self._passed, self._leaving = frozenset(), ()

    def upcoming(self) -> Behaviour | Status:
        """Return the next statement, unless a statement has ended the block or the limit of this tick is reached."""
        if self._leaving and not all(map(at_rest, self._leaving)):
            return Status.RUNNING
        self._leaving = ()
        while self._at in self._passed:
            self._at += 1
        if self._at == len(self.children) or self.frame.jump is not None:
            return Status.SUCCESS
        child = self.children[self._at]
        return Status.RUNNING if self.setting.paused and child.status != Status.RUNNING else child

    def took(self, child: Behaviour) -> Status | None:
        """Go on to the next statement."""
        self._at += 1
        return super().took(child)

    def stand(self) -> Stand:
        """Return the position in the block; its first statement before it has begun."""
        if not self.is_under_way:
            return Stand(0)
        child = self.children[self._at] if self._at < len(self.children) else None
        under = child.standing() if isinstance(child, Flow) and child.is_under_way else None
        return Stand(self._at, under, self._passed)

    def go_on(self, under: Stand) -> None:
        """Go on at a position; a running statement replaces the new node that was built for it."""
        super().go_on(under)
        self._at, self._passed = under.number, under.passed
        for number, child in enumerate(self.children):
            if number < under.number or number in under.passed:
                child.status = Status.SUCCESS
        if isinstance(under.within, Going) and isinstance(under.within.node, Flow):
            self._take_in(under.number, under.within.node)
        elif under.within is not None:
            child = self.children[under.number]
            assert isinstance(child, Flow)
            child.go_on(under.within)

    def _take_in(self, number: int, node: Flow) -> None:
        made = self.children[number]
        assert isinstance(made, Flow)
        node.place, made.parent = made.place, None
        self.children[number] = node
        node.parent = self

    @property
    def leaving(self) -> tuple[Behaviour, ...]:
        """The stopped nodes whose motions may not have ended."""
        return self._leaving

    def leave(self, nodes: Sequence[Behaviour]) -> None:
        """Begin no statement before these stopped nodes are at rest."""
        self._leaving = tuple(nodes)

    def innermost(self) -> Block:
        """Return the innermost block of the next statement."""
        child = self.children[self._at] if self._at < len(self.children) else None
        if not isinstance(child, Flow) or not child.is_under_way:
            return self
        inner = [block for block in child.children if isinstance(block, Block) and block.is_under_way]
        return inner[0].innermost() if inner else self


class Choice(Flow):
    """``if``: the condition is evaluated once, when it is reached; the chosen block then runs to its end."""

    test: Expr

    def begin(self) -> None:
        """Evaluate the condition, and choose a block."""
        holds = self.evaluation().truth(self.test)
        self._chosen: Behaviour | None = self.children[0] if holds else None
        if not holds and len(self.children) > 1:
            self._chosen = self.children[1]

    def upcoming(self) -> Behaviour | Status:
        """Return the chosen block."""
        return Status.SUCCESS if self._chosen is None else self._chosen

    def took(self, child: Behaviour) -> Status | None:
        """End with the status of the block."""
        return super().took(child) or Status.SUCCESS

    def standing(self) -> Under:
        """Return the number of the chosen block, and the position in it."""
        assert isinstance(self._chosen, Block)
        return Chosen(self.children.index(self._chosen), self._chosen.stand())

    def go_on(self, under: Chosen) -> None:
        """Go on in the chosen block."""
        super().go_on(under)
        block = self._chosen = self.children[under.which]
        assert isinstance(block, Block)
        block.go_on(under.block)


class Instead(Flow):
    """``try``: its second block runs when the first one fails; an exceeded limit cannot be caught."""

    def begin(self) -> None:
        """Start with the first block."""
        self._at = 0

    def upcoming(self) -> Behaviour | Status:
        """Return the running block."""
        return self.children[self._at]

    def took(self, child: Behaviour) -> Status | None:
        """Replace a first block that failed by the second one."""
        if child.status == Status.SUCCESS:
            return Status.SUCCESS
        status = self.failed_by(child)
        spent = self.feedback is not None and self.feedback.code is Code.BUDGET_SPENT
        if self._at or spent:
            return status
        self.feedback = None
        self._at = 1
        return None

    def standing(self) -> Under:
        """Return the number of the running block, and the position in it."""
        return Fallen(self._at, _block(self.children[self._at]).stand())

    def go_on(self, under: Fallen) -> None:
        """Go on in the running block."""
        super().go_on(under)
        self._at = under.which
        _block(self.children[self._at]).go_on(under.block)


class Loop(Flow):
    """``for``: its list is computed when it begins."""

    over: Expr
    targets: tuple[str, ...]

    def begin(self) -> None:
        """Compute the list."""
        self._members = self.evaluation().members(self.over)
        self._next_one = 0
        self._passing = False
        self._allow(len(self._members))

    def _allow(self, passes: int) -> None:
        limit = self.setting.limits.passes
        if passes > limit:
            how = "Go through a shorter list, or count the passes and break."
            raise trouble(self.place, self.what, f"it goes round more than {limit} times", Code.BUDGET_SPENT, how)

    def goes_on(self) -> bool:
        """Begin another pass, if there is one."""
        if self._next_one == len(self._members):
            return False
        member = self._members[self._next_one]
        self.frame.values |= self.evaluation().bound(self.targets, member, self.place)
        self._next_one += 1
        return True

    def upcoming(self) -> Behaviour | Status:
        """Return the body as long as passes are left."""
        if not self._passing:
            if self.setting.paused:
                return Status.RUNNING
            if not self.goes_on():
                return Status.SUCCESS
            self.setting.spend(self.place)
            self._passing = True
        return self.children[0]

    def took(self, child: Behaviour) -> Status | None:
        """End the pass, and the loop if its body says so."""
        self._passing = False
        jump = self.frame.jump
        if jump in (Jump.BREAK, Jump.CONTINUE):
            self.frame.jump = None
        if child.status == Status.SUCCESS and jump in (Jump.BREAK, Jump.RETURN):
            return Status.SUCCESS
        return super().took(child)

    def standing(self) -> Under:
        """Return the number of the pass, and the position in it."""
        block = _block(self.children[0]).stand() if self._passing else None
        return Round(tuple(self._members), self._next_one, block)

    def go_on(self, under: Round) -> None:
        """Go on in a pass; if there is no list yet, compute it now and take the pass as its first."""
        super().go_on(under)
        self._next_one, self._passing = under.next_one, under.block is not None
        if under.members is None:
            self._take_up()
        else:
            self._members = list(under.members)
        if under.block is not None:
            _block(self.children[0]).go_on(under.block)

    def _take_up(self) -> None:
        """Compute the list for a pass that already runs."""
        self._members = self.evaluation().members(self.over)
        self._allow(len(self._members))
        self._next_one = min(1, len(self._members))
        for member in self._members[:1]:
            self.frame.values |= self.evaluation().bound(self.targets, member, self.place)


class Rounds(Loop):
    """``while``: its condition is evaluated before each pass, and the passes are counted."""

    test: Expr
    _members: list[Any] = []  # noqa: RUF012 - never filled: there is no list

    def begin(self) -> None:
        """Reset the count of passes."""
        self._next_one = 0
        self._passing = False

    def _take_up(self) -> None:
        """Count a pass that already runs as the first."""
        self._next_one = 1

    def goes_on(self) -> bool:
        """Evaluate the condition for another pass."""
        if not self.evaluation().truth(self.test):
            return False
        self._next_one += 1
        self._allow(self._next_one)
        return True


def _block(node: Behaviour) -> Block:
    assert isinstance(node, Block)
    return node


class Keep(Flow):
    """``name = value``."""

    statement: Assign

    def begin(self) -> None:
        """Evaluate the expression, and store its value."""
        evaluation, assignment = self.evaluation(), self.statement
        self.frame.values |= evaluation.bound(assignment.targets, evaluation.value(assignment.value), assignment.place)

    def upcoming(self) -> Behaviour | Status:
        """Succeed at once."""
        return Status.SUCCESS


class Leap(Flow):
    """``pass``, ``break``, ``continue`` and ``return``; `jump` is None for the first."""

    jump: Jump | None = None
    statement: Return | None = None

    def begin(self) -> None:
        """Set the jump that ends the surrounding block."""
        if self.statement is not None and self.statement.value is not None:
            self.frame.returned = self.evaluation().value(self.statement.value)
        self.frame.jump = self.jump

    def upcoming(self) -> Behaviour | Status:
        """Succeed at once."""
        return Status.SUCCESS
