"""The statement ``achieve(condition, by=[…])``: a goal with the plan that was found for it, as text and as a plan.

A plan that is written as single statements is no plan any more: a step that is done already, or that the world has made
impossible, would fail. So its steps stay below their goal, and the tree of the goal skips, resumes and replaces them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bt.programs.source import unfit
from bt.programs.writer import identifier, is_plain, write_expression, write_program
from semantics.errors import FormulaError
from semantics.logic import program as syntax
from semantics.logic.atoms import And, Atom, Formula, Not, Or
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Goal, read_values
from semantics.logic.parsing import parse_formula
from semantics.logic.place_value import read_value, value_text
from semantics.logic.quantity import QuantityError
from semantics.logic.state import Action, Plan

Symbol = Callable[[str], str]
"""Returns the symbol of the world that a name of a program stands for."""
FORM = 'achieve(condition, by=[step, …], values=["speed 20cm/s"], proved=True, planner="name")'
NOWHERE = syntax.TextPosition()
REASONS = 4  # the texts of a reason before the names that are to blame


def achieve_of(goal: Goal, plan: Plan) -> syntax.Achieve:
    """Return a goal and its plan as a statement; the goals that come `later` are left out."""
    statement = achieve_with(goal, [step.action for step in plan.steps])
    return replace(statement, proved=plan.optimal, planner=plan.planner, bound=plan.bound, left_out=plan.dropped)


def program_of(goal: Goal, plans: Sequence[Plan]) -> syntax.Program:
    """Return goals one after the other as a program, each with its plan as far as there is one."""
    made = (*plans, *(Plan((), frozenset()) for _ in goal.stages[len(plans) :]))
    return syntax.Program((), tuple(achieve_of(stage, plan) for stage, plan in zip(goal.stages, made, strict=True)))


def achieve_with(goal: Goal, actions: Iterable[Action]) -> syntax.Achieve:
    """Return a goal and the steps of a plan as a statement."""
    try:
        condition = expression_of(goal.formula, NOWHERE)
    except FormulaError:
        condition = syntax.Constant(str(goal.formula))
    values = tuple(f"{name} {quantity}" for name, quantity in goal.values)
    return syntax.Achieve(condition, tuple(syntax.Do(_call_of(action)) for action in actions), values)


def plan_text(plan: Plan) -> str:
    """Return a plan as the text of a program."""
    goal = Goal(And(tuple(literal.formula for literal in sorted(plan.goal))))
    return write_program(syntax.Program((), (achieve_of(goal, plan),)))


def steps_of(plan: Plan) -> tuple[syntax.Do, ...]:
    """Return the steps of a plan as statements."""
    return tuple(syntax.Do(_call_of(step.action)) for step in plan.steps)


def _call_of(action: Action, place: syntax.TextPosition = NOWHERE) -> syntax.Call:
    args = tuple(syntax.Name(identifier(arg), place) for arg in action.args)
    values = ((identifier(name), syntax.Constant(value_text(value), place)) for name, value in action.values)
    return syntax.Call(identifier(action.name), args, tuple(values), place)


def actions_of(statement: syntax.Achieve, symbol: Symbol) -> tuple[Action, ...]:
    """Return the steps of a statement as actions.

    Raises:
        QuantityError: A value is neither a quantity nor a place.
    """
    return tuple(_action_of(step.call, symbol) for step in statement.by)


def _action_of(call: syntax.Call, symbol: Symbol) -> Action:
    values = {symbol(name): read_value(str(getattr(value, "value", value))) for name, value in call.keywords}
    return Action(symbol(call.name), tuple(symbol(write_expression(arg)) for arg in call.args)).with_values(values)


def formula_of(condition: syntax.Expr, symbol: Symbol) -> Formula:
    """Return a condition of facts, as `achieve_of` writes it, as a formula.

    Raises:
        FormulaError: It is more than facts, or a text that is no PDDL.
    """
    match condition:
        case syntax.Constant(bool() as value):
            return And(()) if value else Or(())
        case syntax.Constant(str() as text):
            return parse_formula(text, adl=True)
        case syntax.Call(name, args, ()):
            return Atom(symbol(name), tuple(symbol(write_expression(arg)) for arg in args))
        case syntax.Operation("not", (part,)):
            return Not(formula_of(part, symbol))
        case syntax.Operation("and" | "or" as word, parts):
            made = tuple(formula_of(part, symbol) for part in parts)
            return And(made) if word == "and" else Or(made)
    raise FormulaError(f"{write_expression(condition)} is no condition of facts", *condition.place)


def expression_of(formula: Formula, place: syntax.TextPosition) -> syntax.Expr:
    """Return a formula as an expression; ``?x`` is the program's name x.

    Raises:
        FormulaError: It is more than facts, or a name belongs to Python.
    """
    match formula:
        case Atom(predicate, args):
            name, *names = map(identifier, (predicate, *(arg.removeprefix("?") for arg in args)))
            if odd := [each for each in (name, *names) if not is_plain(each)]:
                raise FormulaError(f"'{odd[0]}' is no name that a program can hold", *place)
            return syntax.Call(name, tuple(syntax.Name(each, place) for each in names), (), place)
        case Not(part):
            return syntax.Operation("not", (expression_of(part, place),), place)
        case And(parts) | Or(parts) if len(parts) != 1:
            if not parts:
                return syntax.Constant(isinstance(formula, And), place)
            word = "and" if isinstance(formula, And) else "or"
            return syntax.Operation(word, tuple(expression_of(part, place) for part in parts), place)
        case And((part,)) | Or((part,)):
            return expression_of(part, place)
    raise FormulaError(f"{formula} is not a formula of facts", *place)


def read_achieve(call: syntax.Call) -> syntax.Achieve | syntax.Do:
    """Return a call of ``achieve`` as the statement that it is; one without a single condition as a call.

    Raises:
        Unfit: What is said beside the condition cannot be read.
    """
    if len(call.args) != 1:
        return syntax.Do(call)
    given = dict(call.keywords)
    unknown = next((name for name in given if name not in READERS), None)
    if unknown is not None or len(given) < len(call.keywords):
        raise unfit(call.place, f"achieve with {unknown or 'a name twice'}", "it does not take that", f"Write {FORM}.")
    read: dict[str, Any] = {}
    for name, value in given.items():
        try:
            read[name] = READERS[name](value)
        except (TypeError, ValueError, QuantityError) as error:
            raise unfit(value.place, f"{name} of achieve", str(error), f"Write {FORM}.") from None
    return syntax.Achieve(call.args[0], **read)


def _steps(value: syntax.Expr) -> tuple[syntax.Do, ...]:
    return tuple(syntax.Do(_step(part), place=part.place) for part in _parts(value))


def _step(part: syntax.Expr) -> syntax.Call:
    """Return a step: a call, or the text of an action whose names cannot be written otherwise."""
    if isinstance(part, syntax.Constant) and isinstance(part.value, str) and part.value.strip("() "):
        return _call_of(Action.read(part.value), part.place)
    if not isinstance(part, syntax.Call):
        raise TypeError(f"{write_expression(part)} is no step")
    return part


def _parts(value: syntax.Expr) -> tuple[syntax.Expr, ...]:
    if not isinstance(value, syntax.Items):
        raise TypeError(f"{write_expression(value)} is no list")
    return value.parts


def _constant(kind: type) -> Callable[[syntax.Expr], Any]:
    def read(value: syntax.Expr) -> Any:  # noqa: ANN401  # of the kind
        if not isinstance(value, syntax.Constant) or type(value.value) is not kind:
            raise TypeError(f"{write_expression(value)} is no {kind.__name__}")
        return value.value

    return read


_text = _constant(str)


def _values(value: syntax.Expr) -> tuple[str, ...]:
    said = tuple(map(_text, _parts(value)))
    values = read_values({name: quantity for name, _, quantity in (text.partition(" ") for text in said)})
    return tuple(f"{name} {quantity}" for name, quantity in values)


def _feedback(value: syntax.Expr) -> Feedback:
    texts = tuple(map(_text, _parts(value)))
    if len(texts) < REASONS:
        raise TypeError(f"{write_expression(value)} is no reason: a code, what, why, how, and the names to blame")
    code, what, why, how, *culprits = texts
    return Feedback(Code(code), what, why, how, tuple(culprits))


READERS: Mapping[str, Callable[[syntax.Expr], Any]] = {
    "by": _steps,
    "values": _values,
    "proved": _constant(bool),
    "planner": _text,
    "bound": _constant(int),
    "left_out": lambda value: tuple(map(_feedback, _parts(value))),
}
