"""Nodes of blocks, choices, loops, and statements that end at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.node import walk
from bt.programs.evaluation import trouble
from bt.programs.nodes.statement import Chosen, Flow, Frame, Going, Jump, ProgramContext, Round, Stand, Under, at_rest
from bt.programs.values import ProgramAnswer, answer_of
from bt.programs.writer import write_function
from semantics.logic.feedback import Code
from semantics.logic.goal import CheckedGoal
from semantics.logic.program import Function, Pass, Program, Return, TextPosition


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
        return self.failed_by(child) if child.status == Status.FAILURE else None

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


class Branching(Flow):
    """A statement with alternative blocks, of which one runs."""

    _at = 0

    def upcoming(self) -> Behaviour | Status:
        """Return the block that runs, or succeed without one."""
        return self.children[self._at] if self._at < len(self.children) else Status.SUCCESS

    def standing(self) -> Under:
        """Return the number of the block that runs, and the position in it."""
        return Chosen(self._at, _block(self.children[self._at]).stand())

    def go_on(self, under: Chosen) -> None:
        """Go on in the block that runs."""
        super().go_on(under)
        self._at = under.which
        _block(self.children[self._at]).go_on(under.block)


class IfElse(Branching):
    """``if``: the condition is evaluated once, when it is reached; the chosen block then runs to its end."""

    def begin(self) -> None:
        """Evaluate the condition, and choose a block."""
        self._at = 0 if self.evaluation().truth(self.statement.test) else 1


class Instead(Branching):
    """``try``: its second block runs when the first one fails; an exceeded limit cannot be caught."""

    def begin(self) -> None:
        """Start with the first block."""
        self._at = 0

    def took(self, child: Behaviour) -> Status | None:
        """Replace a first block that failed by the second one."""
        status = super().took(child)
        spent = self.feedback is not None and self.feedback.code is Code.BUDGET_SPENT
        if status == Status.SUCCESS or self._at or spent:
            return status
        self.feedback = None
        self._at = 1
        return None


class Loop(Flow):
    """``for``: its list is computed when it begins."""

    def begin(self) -> None:
        """Compute the list."""
        self._members = self.evaluation().members(self.statement.over)
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
        self.frame.values |= self.evaluation().bound(self.statement.targets, member, self.place)
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
        return self.failed_by(child) if child.status == Status.FAILURE else None

    def standing(self) -> Under:
        """Return the number of the pass, and the position in it."""
        block = only_block(self).stand() if self._passing else None
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
            only_block(self).go_on(under.block)

    def _take_up(self) -> None:
        """Compute the list for a pass that already runs."""
        self._members = self.evaluation().members(self.statement.over)
        self._allow(len(self._members))
        self._next_one = min(1, len(self._members))
        for member in self._members[:1]:
            self.frame.values |= self.evaluation().bound(self.statement.targets, member, self.place)


class Rounds(Loop):
    """``while``: its condition is evaluated before each pass, and the passes are counted."""

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
        if not self.evaluation().truth(self.statement.test):
            return False
        self._next_one += 1
        self._allow(self._next_one)
        return True


def only_block(node: Behaviour) -> Block:
    """Return the block that is the only child of a node."""
    (block,) = node.children
    return _block(block)


def _block(node: Behaviour) -> Block:
    assert isinstance(node, Block)
    return node


class Keep(Flow):
    """``name = value``."""

    def begin(self) -> None:
        """Evaluate the expression, and store its value."""
        evaluation, assignment = self.evaluation(), self.statement
        self.frame.values |= evaluation.bound(assignment.targets, evaluation.value(assignment.value), assignment.place)


class Leap(Flow):
    """``pass``, ``break``, ``continue`` and ``return``."""

    def begin(self) -> None:
        """Set the jump that ends the surrounding block; ``pass`` sets none."""
        if isinstance(self.statement, Return):
            value = self.statement.value
            self.give_back(None if value is None else self.evaluation().value(value))
        else:
            self.frame.jump = None if isinstance(self.statement, Pass) else Jump(self.kind)


class Routine(Flow):
    """The tree of a program, with its values, its functions and its limits.

    After a stop during the run, the next tick goes on with the current statement. After the end, the next tick begins
    again without values.
    """

    functions: tuple[Function, ...] = ()
    program: Program

    def tick(self) -> Iterator[Behaviour]:
        """Tick it, with a new allowance for this tick."""
        self.setting.spent.in_tick = self.setting.spent.work = 0
        yield from super().tick()

    def begin(self) -> None:
        """Reset all values and counters."""
        self.frame.clear()
        self.setting.achieved.clear()
        self.setting.spent.steps = 0

    def took(self, child: Behaviour) -> Status | None:
        """End with the status of the body; record the answer."""
        status = super().took(child)
        if status == Status.SUCCESS and self.answer is not None:
            self.setting.record("answer", {**self.answer.as_dict(), "text": self.answer.text})
        return status

    @property
    def answer(self) -> ProgramAnswer | None:
        """What the program answered; None before its end, and for a program that answers nothing."""
        value = self.frame.returned
        return None if value is None else answer_of(value, self.setting.language.things)

    @property
    def achieved(self) -> tuple[CheckedGoal, ...]:
        """The goals that were achieved and sensed, in order."""
        return tuple(self.setting.achieved)

    @property
    def under_way(self) -> Flow | None:
        """The innermost running statement; None when there is none."""
        running: Flow | None = None
        node: Behaviour | None = self
        while isinstance(node, Flow) and node.status == Status.RUNNING:
            running = running if node.kind in ("block", "program") else node
            node = next((child for child in node.children if child.status == Status.RUNNING), None)
        return running

    @property
    def failed_at(self) -> TextPosition | None:
        """The position of the statement that failed and ended the program; None without a failure."""
        place, node = None, self.children[0]
        while node.status == Status.FAILURE and isinstance(node, Flow):
            place = node.place if node.kind != "block" else place
            failed = [child for child in node.children if child.status == Status.FAILURE]
            if not failed:
                break
            node = failed[-1]
        return place

    def restart(self) -> None:
        """Begin again with the next tick, also after a stop during the run."""
        if self.status == Status.RUNNING:
            self.stop(Status.INVALID)
        for node in walk(self):
            if isinstance(node, Flow):
                node.forget()

    def hold(self) -> None:
        """Go on with the next tick as after a stop during the run; for nodes that were set to a position."""
        self._held = True

    def details(self) -> dict[str, Any]:
        """Return the functions as written."""
        return {"functions": [write_function(function) for function in self.functions]}
