"""What an expression comes to in a state: numbers, texts, truth values, and lists of them.

Each evaluation counts the parts that it looks at, and ends in a failure when they are too many; nothing is ever handed
to Python to evaluate.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bt.programs.language import Language
from bt.programs.writing import write_expression
from semantics.atoms import And, Atom, Formula, Not, Or
from semantics.feedback import Code, Feedback
from semantics.program import Call, Constant, Each, Expr, Items, Limits, Name, Operation, Place
from semantics.state import State

__all__ = ["Evaluation", "Trouble", "Value", "trouble"]

Value = bool | int | float | str | list[Any]
SHOWN = 60


class Trouble(Exception):  # noqa: N818 - never leaves a tick
    """A statement cannot go on; carries why, for the node that fails with it."""

    def __init__(self, feedback: Feedback) -> None:
        self.feedback = feedback
        super().__init__(str(feedback))


def trouble(place: Place, what: str, why: str, code: Code = Code.EXCEPTION, how: str = "") -> Trouble:
    """Return the error that tells why a statement fails, and where it stands."""
    return Trouble(Feedback(code, f"{place}: {what}", why, how, recoverable=code is not Code.BUDGET_SPENT))


ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}
ORDER: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Evaluation:
    """Evaluates expressions in one state, with the values of one frame.

    Args:
        language: What names mean.
        state: What is believed, derived facts included.
        values: By name.
        limits: What may be used up.
    """

    def __init__(self, language: Language, state: State, values: Mapping[str, Value], limits: Limits) -> None:
        self._language = language
        self._state = state
        self._values = dict(values)
        self._limits = limits
        self._work = 0

    def value(self, expression: Expr) -> Value:
        """Return what an expression comes to.

        Raises:
            Trouble: It comes to nothing: a name without a value, a division by zero, a limit.
        """
        self._work += 1
        if self._work > self._limits.work:
            why = f"it looks at more than {self._limits.work} parts"
            raise trouble(expression.place, _short(expression), why, Code.BUDGET_SPENT)
        match expression:
            case Constant(value):
                return value
            case Name(text):
                return self._name(expression)
            case Items(parts):
                return self._bounded(expression, [self.value(part) for part in parts])
            case Each():
                return self._bounded(expression, list(self._members(expression)))
            case Operation():
                return self._operation(expression)
            case Call():
                return self._call(expression)

    def truth(self, expression: Expr) -> bool:
        """Return whether a condition holds; a list does when it has members.

        Raises:
            Trouble: It is no condition, or comes to nothing.
        """
        found = self.value(expression)
        if isinstance(found, bool | list):
            return bool(found)
        raise self._odd(expression, f"a condition is needed, and this is {found!r:.{SHOWN}}")

    def members(self, expression: Expr) -> list[Any]:
        """Return the members of a list.

        Raises:
            Trouble: It is no list, or comes to nothing.
        """
        found = self.value(expression)
        if isinstance(found, list):
            return found
        raise self._odd(expression, f"a list is needed, and this is {found!r:.{SHOWN}}")

    def thing(self, expression: Expr) -> str:
        """Return the thing that an argument names.

        Raises:
            Trouble: It names none.
        """
        found = self.value(expression)
        name = self._language.names.get(found, found) if isinstance(found, str) else None
        if name not in self._language.things:
            why = f"a thing is needed, and {found!r:.{SHOWN}} names none"
            raise trouble(expression.place, _short(expression), why, Code.UNKNOWN_NAME)
        assert name is not None
        return name

    def formula(self, expression: Expr) -> Formula:
        """Return the condition that an expression stands for, about the things that it names now.

        Raises:
            Trouble: As `value`.
        """
        match expression:
            case Call(name, args) if name in self._language.predicates:
                self.value(expression)
                return Atom(self._language.predicates[name].name, tuple(map(self.thing, args)))
            case Call("every" | "any" as name, (Each() as each,)):
                parts = tuple(self._formulas(each))
                return And(parts) if name == "every" else Or(parts)
            case Operation("not", (part,)):
                return Not(self.formula(part))
            case Operation("and" | "or" as word, parts):
                made = tuple(map(self.formula, parts))
                return And(made) if word == "and" else Or(made)
            case _:
                return And(()) if self.truth(expression) else Or(())

    def _formulas(self, each: Each) -> Iterator[Formula]:
        for _ in self._bindings(each):
            yield self.formula(each.element)

    def _members(self, each: Each) -> Iterator[Value]:
        for _ in self._bindings(each):
            yield self.value(each.element)

    def _bindings(self, each: Each) -> Iterator[None]:
        """Bind the names of a list to each of its members in turn; they are forgotten afterwards."""
        before = dict(self._values)
        for member in self.members(each.over):
            self._values = before | self.bound(each.targets, member, each.place)
            if each.where is None or self.truth(each.where):
                yield
        self._values = before

    def bound(self, targets: tuple[str, ...], value: Value, place: Place) -> dict[str, Value]:
        """Return the values of names that a value is given to; several take the members of a list.

        Raises:
            Trouble: There are more or fewer members than names.
        """
        if len(targets) == 1:
            return {targets[0]: value}
        if not isinstance(value, list) or len(value) != len(targets):
            why = f"{len(targets)} values are needed, and this is {value!r:.{SHOWN}}"
            raise trouble(place, ", ".join(targets), why)
        return dict(zip(targets, value, strict=True))

    def _name(self, name: Name) -> Value:
        if name.text in self._values:
            return self._values[name.text]
        if name.text in self._language.names:
            return self._language.names[name.text]
        raise trouble(name.place, f"'{name.text}'", "it has no value yet", Code.UNKNOWN_NAME, "Give it one before.")

    def _call(self, call: Call) -> Value:
        language = self._language
        if call.name in QUERIES:
            return QUERIES[call.name](self, call)
        names = tuple(map(self.thing, call.args))
        if call.name in language.predicates:
            return Atom(language.predicates[call.name].name, names) in self._state.atoms
        fluent = Atom(language.fluents[call.name].name, names)
        if fluent not in self._state.numbers:
            raise self._odd(call, f"the number {fluent} is not known")
        return self._checked(call, self._state.numbers[fluent])

    def _objects(self, call: Call) -> Value:
        group = self.value(call.args[0])
        if not isinstance(group, str) or group not in self._language.groups:
            raise trouble(call.place, _short(call), "no group has this name", Code.UNKNOWN_NAME)
        return self._bounded(call, list(self._language.group(group)))

    def _every(self, call: Call) -> Value:
        each = call.args[0]
        if isinstance(each, Each):
            return all(self.truth(each.element) for _ in self._bindings(each))
        return all(found is True for found in self.members(each))

    def _any(self, call: Call) -> Value:
        each = call.args[0]
        if isinstance(each, Each):
            bindings = self._bindings(each)
            found = any(self.truth(each.element) for _ in bindings)
            for _ in bindings if found else ():  # lets go of the names
                pass
            return found
        return any(found is True for found in self.members(each))

    def _range(self, call: Call) -> Value:
        count = self.value(call.args[0])
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise self._odd(call, f"a whole number from 0 is needed, and this is {count!r:.{SHOWN}}")
        if count > self._limits.items:
            raise self._too_long(call)
        return list(range(count))

    def _extreme(self, call: Call) -> Value:
        found = [self.value(arg) for arg in call.args] if len(call.args) == 2 else self.members(call.args[0])
        if not found or not all(_is_number(one) for one in found):
            raise self._odd(call, "numbers are needed, at least one")
        return min(found) if call.name == "min" else max(found)

    def number(self, expression: Expr) -> int | float:
        """Return what a number comes to.

        Raises:
            Trouble: It is none.
        """
        found = self.value(expression)
        if _is_number(found):
            assert isinstance(found, int | float)
            return found
        raise self._odd(expression, f"a number is needed, and this is {found!r:.{SHOWN}}")

    def _operation(self, operation: Operation) -> Value:
        word, parts = operation.operator, operation.parts
        if word in ("and", "or"):
            found = (self.truth(part) for part in parts)
            return all(found) if word == "and" else any(found)
        if word == "not":
            return not self.truth(parts[0])
        if len(parts) == 1:
            return -self.number(parts[0])
        if word == "+":
            return self._sum(operation)
        if word in ARITHMETIC:
            return self._reckoned(operation, self.number(parts[0]), self.number(parts[1]))
        if word in ORDER:
            return ORDER[word](self.number(parts[0]), self.number(parts[1]))
        return self._comparison(operation)

    def _comparison(self, operation: Operation) -> Value:
        word, (one, other) = operation.operator, operation.parts
        if word == "[]":
            members, index = self.members(one), self.value(other)
            if not isinstance(index, int) or isinstance(index, bool) or not -len(members) <= index < len(members):
                raise self._odd(operation, f"the list has {len(members)} members and no number {index!r:.{SHOWN}}")
            found: Value = members[index]
            return found
        left = self.value(one)
        if word in ("==", "!="):
            return (left == self.value(other)) == (word == "==")
        return (left in self.members(other)) == (word == "in")

    def _sum(self, operation: Operation) -> Value:
        left, right = map(self.value, operation.parts)
        if isinstance(left, list) and isinstance(right, list):
            return self._bounded(operation, left + right)
        if isinstance(left, str) or isinstance(right, str):
            text = _spoken(left) + _spoken(right)
            if len(text) > self._limits.text:
                why = f"the text has more than {self._limits.text} characters"
                raise trouble(operation.place, _short(operation), why, Code.BUDGET_SPENT)
            return text
        if not (_is_number(left) and _is_number(right)):
            raise self._odd(operation, "numbers, lists or texts are needed")
        return self._reckoned(operation, left, right)

    def _reckoned(self, operation: Operation, left: Any, right: Any) -> Value:  # noqa: ANN401 - two numbers
        if operation.operator in ("/", "//", "%") and right == 0:
            raise self._odd(operation, "it divides by zero")
        return self._checked(operation, ARITHMETIC[operation.operator](left, right))

    def _checked(self, expression: Expr, found: float) -> Value:
        if not math.isfinite(found) or abs(found) >= 2**self._limits.bits:
            why = f"the number takes more than {self._limits.bits} bits"
            raise trouble(expression.place, _short(expression), why, Code.BUDGET_SPENT)
        return found

    def _bounded(self, expression: Expr, found: list[Any]) -> list[Any]:
        if len(found) > self._limits.items:
            raise self._too_long(expression)
        return found

    def _too_long(self, expression: Expr) -> Trouble:
        why = f"the list has more than {self._limits.items} members"
        return trouble(expression.place, _short(expression), why, Code.BUDGET_SPENT)

    def _odd(self, expression: Expr, why: str) -> Trouble:
        return trouble(expression.place, _short(expression), why)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _spoken(value: Value) -> str:
    if isinstance(value, list):
        return ", ".join(map(_spoken, value))
    return value if isinstance(value, str) else str(value)


def _short(expression: Expr) -> str:
    text = write_expression(expression)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


QUERIES: Mapping[str, Callable[[Evaluation, Call], Value]] = {
    "objects": Evaluation._objects,
    "every": Evaluation._every,
    "any": Evaluation._any,
    "len": lambda self, call: len(self.members(call.args[0])),
    "range": Evaluation._range,
    "min": Evaluation._extreme,
    "max": Evaluation._extreme,
    "abs": lambda self, call: abs(self.number(call.args[0])),
}
