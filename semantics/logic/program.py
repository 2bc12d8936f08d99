"""A program: a policy in a small language, as immutable values.

The language is a subset of Python (see ``docs/programs.md``), after the policies of LRLL and of Bärmann et al. Here a
program is only data; `bt.programs` reads, checks and compiles it. Equality ignores positions in the text and
comments.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from semantics.logic.feedback import Feedback


class TextPosition(NamedTuple):
    """A position in a text, counted from 1."""

    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


@dataclass(frozen=True, slots=True)
class Constant:
    """A number, a text, or a truth value."""

    value: bool | int | float | str
    place: TextPosition = field(default=TextPosition(), compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    """A name: of a thing, or of a value of the program."""

    text: str
    place: TextPosition = field(default=TextPosition(), compare=False)


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    parts: tuple[Expr, ...]
    place: TextPosition = field(default=TextPosition(), compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A name applied to arguments: a capability, a predicate, a query or a function."""

    name: str
    args: tuple[Expr, ...] = ()
    keywords: tuple[tuple[str, Expr], ...] = ()
    place: TextPosition = field(default=TextPosition(), compare=False)


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator applied to its parts: arithmetic, a comparison, ``and or not in``, or ``[]`` for a member."""

    operator: str
    parts: tuple[Expr, ...]
    place: TextPosition = field(default=TextPosition(), compare=False)


@dataclass(frozen=True, slots=True)
class Each:
    """``element for targets in over if where``: a list comprehension."""

    element: Expr
    targets: tuple[str, ...]
    over: Expr
    where: Expr | None = None
    place: TextPosition = field(default=TextPosition(), compare=False)


Expr = Constant | Name | Items | Call | Operation | Each


@dataclass(frozen=True, slots=True)
class Comments:
    """What is written about a statement, each comment without its sign; programs with other comments are equal."""

    before: tuple[str, ...] = ()  # the comments on lines of their own before it
    beside: str = ""  # the comment at the end of its first line; empty without one
    after: tuple[str, ...] = ()  # the comments after it, at the end of its block

    @property
    def text(self) -> str:
        """All of them as one text; empty without any."""
        return " ".join(filter(None, (*self.before, self.beside, *self.after)))


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLine:
    """Where a statement or a function begins in the text, and what is written about it."""

    place: TextPosition = field(default=TextPosition(), compare=False)
    comments: Comments = field(default=Comments(), compare=False)


@dataclass(frozen=True, slots=True)
class Do(SourceLine):
    """A call as a statement; its result is discarded."""

    call: Call


@dataclass(frozen=True, slots=True)
class Achieve(SourceLine):
    """A goal, and the plan that was found for it; without one, it is planned for when it is reached.

    Attributes:
        goal: The condition; a text is a condition in PDDL that has no other form in a program.
        by: The steps of the plan, each the call of a capability with all its arguments and its values.
        values: What was said about the way there, each a name with its quantity: ``move.speed 20cm/s``.
        proved: Whether no cheaper plan existed where it was made.
        planner: The name of what made it.
        bound: The lower bound of the cost of any plan where it was made, in units of planning; None if none is known.
        left_out: Why other alternatives of the goal had no plan.
    """

    goal: Expr
    by: tuple[Do, ...] = ()
    values: tuple[str, ...] = ()
    proved: bool = False
    planner: str = ""
    bound: int | None = None
    left_out: tuple[Feedback, ...] = ()


@dataclass(frozen=True, slots=True)
class Assign(SourceLine):
    """An assignment of a value, or of the result of a function or question; several targets take a list apart."""

    targets: tuple[str, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class If(SourceLine):
    """A branch; its test is evaluated once, when it is reached."""

    test: Expr
    body: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class For(SourceLine):
    """A loop over the members of a list, which is evaluated when the loop begins."""

    targets: tuple[str, ...]
    over: Expr
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class While(SourceLine):
    """A loop that runs while a test holds; the test is evaluated before each pass."""

    test: Expr
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Fall(SourceLine):
    """``try`` and ``except``: another body that runs when the first one fails."""

    body: tuple[Statement, ...]
    instead: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Return(SourceLine):
    """Leaves a function with its result."""

    value: Expr | None = None


@dataclass(frozen=True, slots=True)
class Break(SourceLine):
    """Leaves the innermost loop."""


@dataclass(frozen=True, slots=True)
class Continue(SourceLine):
    """Ends a pass of the innermost loop."""


@dataclass(frozen=True, slots=True)
class Pass(SourceLine):
    """Does nothing."""


Statement = Do | Achieve | Assign | If | For | While | Fall | Return | Break | Continue | Pass


@dataclass(frozen=True, slots=True)
class Function(SourceLine):
    """A part of a program with parameters; `doc` says what it is for."""

    name: str
    parameters: tuple[str, ...]
    body: tuple[Statement, ...]
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Program:
    """Functions, in the order of the text, and the statements of the top level."""

    functions: tuple[Function, ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Mistake:
    """An error and its position; the text of the feedback contains the position too."""

    place: TextPosition
    feedback: Feedback

    def __str__(self) -> str:
        return str(self.feedback)


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A function that is called and not defined, so that a caller may have it generated."""

    name: str  # its name
    call: str  # a call of it as written
    places: tuple[TextPosition, ...]  # where it is called


@dataclass(frozen=True, slots=True)
class RefusedProgram:
    """A text that is not a valid program, with all errors in the order of the text."""

    mistakes: tuple[Mistake, ...]
    unresolved: tuple[Unresolved, ...] = ()

    @property
    def feedback(self) -> tuple[Feedback, ...]:
        """The feedback of all errors."""
        return tuple(mistake.feedback for mistake in self.mistakes)

    def __str__(self) -> str:
        return " ".join(map(str, self.mistakes))


@dataclass(frozen=True, slots=True)
class ProgramLimits:
    """Every bound on a program; a text or run that exceeds one is reported, never cut off."""

    source: int = 20_000  # characters of the text
    lines: int = 400  # lines of the text
    width: int = 2_000  # characters of a line
    nesting: int = 24  # levels of blocks or of parts of an expression in each other; an ``elif`` is one level more
    functions: int = 40  # functions defined
    name: int = 60  # characters of a name
    digits: int = 30  # characters of a number as written
    text: int = 500  # characters of a text, written or made
    bits: int = 64  # bits of a whole number; other numbers stay below the same power of two
    items: int = 400  # members of a list
    # parts that one evaluation of an expression visits; after half as many in a tick, the next statement waits for the
    # next tick
    work: int = 10_000
    passes: int = 400  # passes of one loop
    recursion: int = 16  # nested calls of functions
    depth: int = 160  # nodes of the tree from the root down
    steps: int = 4_000  # statements that start in one run
    steps_per_tick: int = 100  # statements that start in one tick; the rest waits for the next


class Voice(Protocol):
    """The person that a program talks to."""

    def say(self, text: str) -> None:
        """Say a sentence, and return at once."""
        ...

    def ask(self, text: str) -> str:
        """Return the answer to a question; it may block, because a separate thread calls it."""
        ...
