"""Blocks, choices, loops, and statements that end at once."""

from __future__ import annotations

from collections.abc import Sequence

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.programs.evaluating import trouble
from bt.programs.nodes.statement import Flow, Frame, Jump, Setting
from semantics.feedback import Code
from semantics.program import Assign, Expr, Place, Return

__all__ = ["Block", "Choice", "Instead", "Keep", "Leap", "Loop", "Rounds"]


class Block(Flow):
    """Statements one after the other; one that has ended is not done again."""

    def __init__(self, children: Sequence[Behaviour], place: Place, setting: Setting, frame: Frame) -> None:
        super().__init__("block", f"{len(children)} statements", place, setting, frame, list(children))
        self._at = 0

    def begin(self) -> None:
        """Start with the first."""
        self._at = 0

    def upcoming(self) -> Behaviour | Status:
        """Return the next statement, unless one of them has ended the block or enough was done in this tick."""
        if self._at == len(self.children) or self.frame.jump is not None:
            return Status.SUCCESS
        child = self.children[self._at]
        return Status.RUNNING if self.setting.paused and child.status != Status.RUNNING else child

    def took(self, child: Behaviour) -> Status | None:
        """Go on to the next."""
        self._at += 1
        return super().took(child)


class Choice(Flow):
    """``if``: the condition is asked once, when it is reached; what was chosen is carried through."""

    test: Expr

    def begin(self) -> None:
        """Choose."""
        holds = self.evaluation().truth(self.test)
        self._chosen: Behaviour | None = self.children[0] if holds else None
        if not holds and len(self.children) > 1:
            self._chosen = self.children[1]

    def upcoming(self) -> Behaviour | Status:
        """Return what was chosen."""
        return Status.SUCCESS if self._chosen is None else self._chosen

    def took(self, child: Behaviour) -> Status | None:
        """End as that ended."""
        return super().took(child) or Status.SUCCESS


class Instead(Flow):
    """``try``: its second block is done when the first one fails; a limit that was reached cannot be caught."""

    def begin(self) -> None:
        """Start with the first block."""
        self._at = 0

    def upcoming(self) -> Behaviour | Status:
        """Return the block that is being done."""
        return self.children[self._at]

    def took(self, child: Behaviour) -> Status | None:
        """Take the other block for the one that failed."""
        if child.status == Status.SUCCESS:
            return Status.SUCCESS
        status = self.failed_by(child)
        spent = self.feedback is not None and self.feedback.code is Code.BUDGET_SPENT
        if self._at or spent:
            return status
        self.feedback = None
        self._at = 1
        return None


class Loop(Flow):
    """``for``: its list is made when it begins."""

    over: Expr
    targets: tuple[str, ...]

    def begin(self) -> None:
        """Make the list."""
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
        """Return the body for as long as there are passes."""
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


class Rounds(Loop):
    """``while``: its condition is asked before each pass, and the passes are counted."""

    test: Expr

    def begin(self) -> None:
        """Count from the start."""
        self._next_one = 0
        self._passing = False

    def goes_on(self) -> bool:
        """Ask whether there is another pass."""
        if not self.evaluation().truth(self.test):
            return False
        self._next_one += 1
        self._allow(self._next_one)
        return True


class Keep(Flow):
    """``name = value``."""

    statement: Assign

    def begin(self) -> None:
        """Evaluate, and keep what comes of it."""
        evaluation, kept = self.evaluation(), self.statement
        self.frame.values |= evaluation.bound(kept.targets, evaluation.value(kept.value), kept.place)

    def upcoming(self) -> Behaviour | Status:
        """Be done."""
        return Status.SUCCESS


class Leap(Flow):
    """``pass``, ``break``, ``continue`` and ``return``; `jump` is None for the first."""

    jump: Jump | None = None
    statement: Return | None = None

    def begin(self) -> None:
        """End what it ends."""
        if self.statement is not None and self.statement.value is not None:
            self.frame.returned = self.evaluation().value(self.statement.value)
        self.frame.jump = self.jump

    def upcoming(self) -> Behaviour | Status:
        """Be done."""
        return Status.SUCCESS
