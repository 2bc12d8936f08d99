"""Evaluates expressions in a state to numbers, texts, truth values, and lists of them.

Each evaluation counts the parts that it visits, and fails when there are too many; Python never evaluates any part of a
program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bt.programs.action_values import GivenModel, action_value
from bt.programs.language import VIEWER, Language
from bt.programs.place_queries import PlaceQuery
from bt.programs.sensed_places import SensedPlaces
from bt.programs.values import (
    Odd,
    TooMuch,
    Value,
    added,
    bounded,
    is_number,
    opposite,
    reckoned,
    same,
    shortened_value,
    shown,
    size,
    within,
)
from bt.programs.writer import identifier, write_expression
from semantics.body.observation import Sighting
from semantics.geometry.geometry import Vector
from semantics.geometry.points import NORTH, MapPoint
from semantics.logic.atoms import And, Atom, Formula, Not, Or
from semantics.logic.attribute_goals import known_values
from semantics.logic.feedback import Code, Feedback
from semantics.logic.parsing import parse_formula
from semantics.logic.place_value import ActionValue
from semantics.logic.program import Call, Constant, Each, Expr, Items, Name, Operation, ProgramLimits, TextPosition
from semantics.logic.state import State
from semantics.logic.vocabulary import Attribute


@dataclass(slots=True)
class Spent:
    """The resources that a run has used: statements in total and in this tick, and evaluation work in this tick."""

    steps: int = 0
    in_tick: int = 0
    work: int = 0


@dataclass(eq=False)
class ExpressionEvaluator:
    """Evaluates expressions in one state, with the values of one frame."""

    language: Language  # the meaning of names
    state: State  # the believed state, including derived facts
    values: Mapping[str, Value]  # the values by name
    limits: ProgramLimits  # the limits of the work
    spent: Spent = field(default_factory=Spent)  # the counter of the work of all evaluations
    sightings: Callable[[], Mapping[str, Sighting]] = dict  # returns where things are, as far as that is known
    heading: Callable[[], float] = lambda: NORTH
    """Returns where the viewer looks from whom left and right are said, in radians."""
    holds: Callable[[Atom], bool] | None = None
    """Returns whether a fact holds that is sensed only on demand; None: as the state says."""
    views: Callable[[], Mapping[str, float]] = dict
    """Returns where each viewer looks whom a direction can name, in radians."""
    reaches: Callable[[Vector], bool] | None = None
    """Returns whether the hand can work at a point in space; None where the body does not tell."""
    _work: int = field(default=0, init=False)

    def value(self, expression: Expr) -> Value:
        """Return the value of an expression.

        Raises:
            Trouble: The expression has no value: a name without a value, a division by zero, a limit.
        """
        self._spend(expression, 1)
        try:
            return self._found(expression)
        except Odd as error:
            raise trouble(expression.place, _short(expression), str(error), error.code, error.how) from None

    def _spend(self, expression: Expr, work: int) -> None:
        self._work += work
        self.spent.work += work
        if self._work > self.limits.work:
            why = f"it looks at more than {self.limits.work} parts"
            raise trouble(expression.place, _short(expression), why, Code.BUDGET_SPENT, "Ask for less at a time.")

    def _found(self, expression: Expr) -> Value:
        match expression:
            case Constant(value):
                return value
            case Name():
                return self._name(expression)
            case Items(parts):
                return bounded([self.value(part) for part in parts], self.limits)
            case Each():
                return bounded([self.value(expression.element) for _ in self._bindings(expression)], self.limits)
            case Operation():
                return self._operation(expression)
            case Call():
                return self._call(expression)

    def truth(self, expression: Expr) -> bool:
        """Return whether a condition holds; a list holds when it is not empty.

        Raises:
            Trouble: The expression is no condition, or has no value.
        """
        value = self.value(expression)
        if isinstance(value, bool | list):
            return bool(value)
        raise trouble(expression.place, _short(expression), f"a condition is needed, and this is {shown(value)}")

    def _holds_member(self, whole: Expr, part: object) -> bool:
        """Return whether a list has a member, or a text holds another one, in capitals or not."""
        held = self.value(whole)
        return str(part).lower() in held.lower() if isinstance(held, str) else part in self._members(whole, held)

    def members(self, expression: Expr) -> list[Any]:
        """Return the members of a list.

        Raises:
            Trouble: The expression is no list, or has no value.
        """
        return self._members(expression, self.value(expression))

    def _members(self, expression: Expr, members: Value) -> list[Any]:
        if isinstance(members, list):
            self._spend(expression, len(members))
            return members
        raise trouble(expression.place, _short(expression), f"a list is needed, and this is {shown(members)}")

    def thing(self, expression: Expr) -> str:
        """Return the object that an argument names.

        Raises:
            Trouble: The argument names no object.
        """
        value = self.value(expression)
        name = self.language.names.get(value, value) if isinstance(value, str) else None
        if name is None or name not in self.language.things:
            why = f"a thing is needed, and {shown(value)} names none"
            raise trouble(expression.place, _short(expression), why, Code.UNKNOWN_NAME)
        return name

    def formula(self, expression: Expr) -> Formula:
        """Return an expression as a formula about the objects that it names now.

        Raises:
            Trouble: As `value`.
        """
        match self.language.meant(expression) if isinstance(expression, Call) else expression:
            case Call(name, args) if name in self.language.predicates:
                self._spend(expression, 1)
                return Atom(self.language.predicates[name].name, tuple(map(self.thing, args)))
            case Call("every" | "any" as name, (Each() as each,)):
                parts = tuple(self.formula(each.element) for _ in self._bindings(each))
                return And(parts) if name == "every" else Or(parts)
            case Items(parts):
                return And(tuple(map(self.formula, parts)))
            case Operation("not", (part,)):
                return Not(self.formula(part))
            case Operation("and" | "or" as word, parts):
                made = tuple(map(self.formula, parts))
                return And(made) if word == "and" else Or(made)
            case Constant(str() as text):
                return parse_formula(text, adl=True)
            case _:
                return And(()) if self.truth(expression) else Or(())

    def _bindings(self, each: Each) -> Iterator[None]:
        """Bind the names of a list to each of its members in turn; they are forgotten afterwards."""
        before = self.values
        try:
            for member in self.members(each.over):
                self.values = {**before, **self.bound(each.targets, member, each.place)}
                if each.where is None or self.truth(each.where):
                    yield
        finally:
            self.values = before

    def bound(self, targets: tuple[str, ...], value: Value, place: TextPosition) -> dict[str, Value]:
        """Return the values of names that a value is given to; several take the members of a list.

        Raises:
            Trouble: There are more or fewer members than names.
        """
        if len(targets) == 1:
            return {targets[0]: value}
        if isinstance(value, MapPoint):
            value = list(value.coordinates)
        if not isinstance(value, list) or len(value) != len(targets):
            raise trouble(place, ", ".join(targets), f"{len(targets)} values are needed, and this is {shown(value)}")
        return dict(zip(targets, value, strict=True))

    def _name(self, name: Name) -> Value:
        if name.text in self.values:
            return self.values[name.text]
        if name.text in self.language.names:
            return self.language.names[name.text]
        raise trouble(name.place, f"'{name.text}'", "it has no value yet", Code.UNKNOWN_NAME, "Give it one before.")

    def _call(self, call: Call) -> Value:
        language, call = self.language, self.language.meant(call)
        if call.name in QUERIES:
            return QUERIES[call.name](self, call)
        if call.name in language.attributes:
            return self._attribute(call, language.attributes[call.name])
        place_query = language.place_query(call)
        if place_query is not None:
            return self._of_places(call, place_query)
        names = tuple(map(self.thing, call.args))
        if call.name in language.predicates:
            atom = Atom(language.predicates[call.name].name, names)
            if self.holds is not None and language.domain.predicates[atom.predicate].predicate.on_demand:
                return self.holds(atom)
            return atom in self.state.atoms
        fluent = Atom(language.fluents[call.name].name, names)
        if fluent not in self.state.numbers:
            raise Odd(f"the number {fluent} is not known")
        return self.state.numbers[fluent]

    @property
    def places(self) -> SensedPlaces:
        """Where things are."""
        return SensedPlaces(self.sightings(), self.language.names, self.limits.items, self.heading(), self.reaches)

    def action_value(self, model: GivenModel, expression: Expr) -> ActionValue:
        """Return an expression as a value of an action.

        Raises:
            Trouble: It has no value, or is a thing whose place is not known.
            QuantityError: It does not fit the model.
        """
        value = self.value(expression)
        try:
            return action_value(model, value, self.places)
        except Odd as error:
            raise trouble(expression.place, _short(expression), str(error), error.code, error.how) from None

    def _of_places(self, call: Call, query: PlaceQuery) -> Value:
        args = [self.value(arg) for arg in call.args]
        self._spend(call, sum(size(arg) for arg in args if isinstance(arg, list)))
        places = self.places
        for viewer in (value for name, value in call.keywords if name == VIEWER):
            places = places.seen_from(self.thing(viewer), self.views())
        return within(query.value(places, args), self.limits)

    def _attribute(self, call: Call, attribute: Attribute) -> Value:
        """Return the value of a thing, or whether it has the value that is asked for; an unknown text is empty."""
        name = self.thing(call.args[0])
        values = known_values(attribute, name, self.language.things, self.state)
        if len(call.args) == 2:
            asked = call.args[1]
            is_value = isinstance(asked, Name) and asked.text not in self.values
            text = asked.text if isinstance(asked, Name) and is_value else self.value(asked)
            return text in {form for value in map(str, values) for form in (value, identifier(value))}
        if not attribute.is_number:
            return attribute.said(values)
        if not values:
            raise Odd(f"the {attribute.name} of {name} is not known")
        return float(values[0])

    def _objects(self, call: Call) -> Value:
        group = self.value(call.args[0])
        if not isinstance(group, str) or group not in self.language.groups:
            raise trouble(call.place, _short(call), f"no group is called {shown(group)}", Code.UNKNOWN_NAME)
        return bounded(self.language.group(group), self.limits)

    def _judged(self, call: Call) -> Iterator[bool]:
        """Yield whether a condition holds of each member of a list."""
        (argument,) = call.args
        if isinstance(argument, Each):
            yield from (self.truth(argument.element) for _ in self._bindings(argument))
        else:
            yield from (result is True for result in self.members(argument))

    def _quantified(self, call: Call) -> Value:
        before = self.values
        result = all(self._judged(call)) if call.name == "every" else any(self._judged(call))
        self.values = before
        return result

    def _range(self, call: Call) -> Value:
        count = self.value(call.args[0])
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise Odd(f"a whole number from 0 is needed, and this is {shown(count)}")
        if count > self.limits.items:
            raise TooMuch(f"the list has more than {self.limits.items} members")
        return list(range(count))

    def _extreme(self, call: Call) -> Value:
        numbers: list[Any] = (
            [self.value(arg) for arg in call.args] if len(call.args) == 2 else self.members(call.args[0])
        )
        if not numbers or not all(map(is_number, numbers)):
            raise Odd("numbers are needed, at least one")
        number: Value = min(numbers) if call.name == "min" else max(numbers)
        return number

    def _size(self, call: Call) -> Value:
        number = self.value(call.args[0])
        if not isinstance(number, int | float) or isinstance(number, bool):
            raise Odd(f"numbers are needed, and this is {shown(number)}")
        return within(abs(number), self.limits)

    def _operation(self, operation: Operation) -> Value:
        word, parts = operation.operator, operation.parts
        if word in ("and", "or"):
            truths = (self.truth(part) for part in parts)
            return all(truths) if word == "and" else any(truths)
        if word == "not":
            return not self.truth(parts[0])
        if word in ("in", "not in"):
            return self._holds_member(parts[1], self.value(parts[0])) == (word == "in")
        if word == "[]":
            whole = self.value(parts[0])
            members = list(whole.coordinates) if isinstance(whole, MapPoint) else self._members(parts[0], whole)
            return self._member(members, self.value(parts[1]))
        return self._reckoned(word, [self.value(part) for part in parts])

    def _reckoned(self, word: str, values: list[Value]) -> Value:
        if len(values) == 1:
            return opposite(values[0], self.limits)
        left, right = values
        if word == "+":
            return added(left, right, self.limits)
        if word in ("==", "!="):
            return same(left, right) == (word == "==")
        return reckoned(word, left, right, self.limits)

    def _member(self, members: list[Any], index: Value) -> Value:
        if not isinstance(index, int) or isinstance(index, bool) or not -len(members) <= index < len(members):
            raise Odd(f"the list has {len(members)} members and no number {shown(index)}")
        member: Value = members[index]
        return member


def _short(expression: Expr) -> str:
    return shortened_value(write_expression(expression))


QUERIES: Mapping[str, Callable[[ExpressionEvaluator, Call], Value]] = {
    "objects": ExpressionEvaluator._objects,
    "every": ExpressionEvaluator._quantified,
    "any": ExpressionEvaluator._quantified,
    "len": lambda self, call: len(self.members(call.args[0])),
    "range": ExpressionEvaluator._range,
    "min": ExpressionEvaluator._extreme,
    "max": ExpressionEvaluator._extreme,
    "abs": ExpressionEvaluator._size,
}


class Trouble(Exception):  # noqa: N818 - never leaves a tick
    """A statement cannot go on; holds the reason for the node that fails."""

    def __init__(self, feedback: Feedback) -> None:
        self.feedback = feedback
        super().__init__(str(feedback))


def trouble(place: TextPosition, what: str, why: str, code: Code = Code.EXCEPTION, how: str = "") -> Trouble:
    """Return the error with the reason why a statement fails, and its place."""
    return Trouble(
        Feedback(code, f"{place}: {what.removesuffix(':')}", why, how, recoverable=code is not Code.BUDGET_SPENT)
    )
