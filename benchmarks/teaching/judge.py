"""The judge: whether what was done is what is due, by the plan on the model and by what was sensed in the end.

What has to be so in the end is judged by what is believed when the run has ended, with the relations that are sensed on
demand. The way there is that of the plan: the state at the beginning, and the one after each step. Neither asks the
program what it has learned.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from math import isclose

from benchmarks.teaching.data import Due, Value
from semantics.logic.atoms import Atom, Formula
from semantics.logic.quantity import Quantity
from semantics.logic.state import Operator, State

__all__ = ["DECLINED", "DEFAULTS", "REFUSED", "Done", "Step", "wrong"]

BEGUN = ("achieved", "already", "answered", "planned")
REFUSED = "refused"
DECLINED = ("question", REFUSED)
"""The outcomes with which nothing is done."""
DEFAULTS: Mapping[str, Quantity] = {"speed": Quantity(50, "cm/s"), "amount": Quantity(50, "ml")}
"""The values of steps for which none is said: the usual speed of the robot, and a portion at the bar."""
TOLERANCE = 0.01
"""By which share a value may differ from one that is asked for exactly."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a plan, and the names of the values that it takes."""

    operator: Operator
    takes: frozenset[str] = frozenset()

    def value_of(self, name: str) -> Quantity | None:
        """Return its value of a name, that which it has if nothing is said; None if it takes none."""
        said = dict(self.operator.action.values).get(name)
        if isinstance(said, Quantity):
            return said
        return DEFAULTS.get(name) if name in self.takes else None


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a sentence.

    Attributes:
        outcome: How the run ended.
        message: What was told then.
        goal: Its goal, in PDDL; empty without one.
        question: The question that stayed without an answer.
        steps: The steps of its plan.
        states: The state before the first step, and that after each.
        end: What is believed in the end.
        calls: The requests to a language model.
        is_understood: Whether the words were read; else the run says which of them were not.
    """

    outcome: str
    message: str = ""
    goal: str = ""
    question: str = ""
    steps: tuple[Step, ...] = ()
    states: tuple[State, ...] = ()
    end: State = field(default_factory=State)
    calls: int = 0
    is_understood: bool = True

    @property
    def is_carried_out(self) -> bool:
        """Whether it was done, or was so already."""
        return self.outcome in BEGUN

    def __str__(self) -> str:
        steps = " ".join(str(step.operator) for step in self.steps)
        told = [self.outcome, self.message if self.question in self.message else f"{self.message} {self.question}"]
        told += [f"goal {self.goal}"] if self.goal else []
        return "; ".join([*filter(None, told), f"plan {steps}" if steps else "no plan"])


def wrong(due: Due, done: Done) -> str:
    """Return what is not as it is due; empty if all is."""
    if not due.ends:
        return "" if done.outcome in DECLINED else "it was neither asked about nor refused"
    if not done.is_carried_out and done.outcome not in DECLINED:
        return f"it ended as {done.outcome}"
    if not any(done.end.judge(end) for end in due.ends):
        return "the end is another one"
    states = (*done.states, done.end)
    problems = (*_disordered(due, states), *_broken(due, states), *_misvalued(due, done))
    return next(iter(problems), "")


def _disordered(due: Due, states: tuple[State, ...]) -> Iterator[str]:
    for first, then in due.order:
        before, after = _reached(first, states), _reached(then, states)
        if before is None or (after is not None and after <= before and after > 0):
            yield f"{first} does not become true before {then}"


def _reached(condition: Formula, states: tuple[State, ...]) -> int | None:
    """Return the number of the first state in which a condition is true."""
    return next((number for number, state in enumerate(states) if state.judge(condition)), None)


def _broken(due: Due, states: tuple[State, ...]) -> Iterator[str]:
    """Yield what became true and must not; what was so at the beginning, and stays so, is not counted."""
    for condition in due.never:
        so = [state.judge(condition) for state in states]
        if any(now and not before for before, now in pairwise(so)):
            yield f"{condition} became true"


def _misvalued(due: Due, done: Done) -> Iterator[str]:
    for value in due.values:
        own = [
            step
            for step, state in zip(done.steps, done.states, strict=False)
            if value.of.args[0] in step.operator.action.args or _is_carried(value.of.args[0], step, state)
        ]
        found = [quantity for step in own if (quantity := step.value_of(value.name)) is not None]
        if not found and done.steps:
            found = [DEFAULTS[value.name]] if value.name in DEFAULTS else []
        for quantity in found:
            if not _fits(quantity, value):
                yield f"{value.name} is {quantity}, and {value.bound} {value.quantity} is due"


def _is_carried(thing: str, step: Step, state: State) -> bool:
    """Return whether a thing is in the hand of who does a step when it begins."""
    args = step.operator.action.args
    held = {Atom("inhand", (thing, args[0])), Atom("holding", (thing,))} if args else set()
    return not held.isdisjoint(state.atoms)


def _fits(quantity: Quantity, value: Value) -> bool:
    bound = Quantity.read(value.quantity)
    if bound.dimension is not quantity.dimension:
        return False
    if isclose(quantity.base, bound.base, rel_tol=TOLERANCE if value.bound == "equals" else 1e-9):
        return True
    return value.bound != "equals" and (quantity.base < bound.base) == (value.bound == "most")
