"""The types of values that are known before a program runs, and the requirements of each call on its arguments."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

from bt.programs.language import ACTIONS, QUERIES, Language
from bt.programs.reader import identifier
from bt.programs.source import unfit
from bt.programs.writer import write_expression
from domains.capability import Capability
from semantics.attributes import Attribute
from semantics.errors import UsageError
from semantics.feedback import Code
from semantics.hints import choices, hint
from semantics.program import Call, Constant, Each, Expr, Items, Mistake, Name, Operation, TextPosition
from semantics.quantity import Quantity, ValueModel

__all__ = ["Known", "Typing", "ValueType", "agent_given", "quantity_of", "signature"]


class ValueType(StrEnum):
    """The type of a value."""

    NAME = "a thing or a text"
    NUMBER = "a number"
    TRUTH = "true or false"
    LIST = "a list"
    ANY = "anything"


Known = Mapping[str, ValueType]
TYPES: Mapping[type, ValueType] = {
    bool: ValueType.TRUTH,
    str: ValueType.NAME,
    int: ValueType.NUMBER,
    float: ValueType.NUMBER,
}


def signature(capability: Capability, name: str) -> str:
    """Return the signature of a capability in a program."""
    values = (f"{identifier(model.name)}=…" for model in capability.values)
    return f"{name}({', '.join((*(identifier(parameter.name) for parameter in capability.parameters), *values))})"


def quantity_of(model: ValueModel, value: float | str) -> Quantity:
    """Return a value of a capability: a number in the unit of the world, or a text with a unit such as "10 s".

    Raises:
        QuantityError: It is no quantity, has another dimension, or is out of range.
    """
    return model.fitting(Quantity.read(value) if isinstance(value, str) else Quantity(float(value), model.unit))


def agent_given(capability: Capability, first: str | None, count: int, language: Language) -> bool:
    """Return whether the first of `count` arguments by place is the agent; `first` is None while it is not known."""
    if capability.agentless or not capability.parameters:
        return True
    if first is None:
        return count >= len(capability.parameters)
    return first in language.agents(capability)


class Typing:
    """Finds mistakes in expressions and in actions, and the type of each expression.

    Attributes:
        mistakes: The mistakes, in the order in which they were found.
    """

    def __init__(self, language: Language) -> None:
        self.language = language
        self.mistakes: list[Mistake] = []

    def wrong(self, place: TextPosition, what: str, why: str, how: str, code: Code = Code.UNREADABLE) -> None:
        """Keep a mistake."""
        self.mistakes.append(unfit(place, what, why, how, code).mistake)

    def condition(self, test: Expr, known: Known) -> None:
        """Check the condition of ``if`` and ``while``."""
        self._needs(test, known, {ValueType.TRUTH, ValueType.LIST}, "a condition")

    def sort_of(self, expression: Expr, known: Known) -> ValueType:
        """Check an expression; return its type."""
        match expression:
            case Constant(value):
                return TYPES[type(value)]
            case Name(text):
                return self._name(text, expression.place, known)
            case Items(parts):
                for part in parts:
                    self.sort_of(part, known)
                return ValueType.LIST
            case Each():
                self._each(expression, known)
                return ValueType.LIST
            case Operation():
                return self._operation(expression, known)
            case Call():
                return self._query(expression, known)

    def _name(self, name: str, place: TextPosition, known: Known) -> ValueType:
        if name in known:
            return known[name]
        if name in self.language.names:
            return ValueType.NAME
        why, how = "nothing has this name here", hint(name, (*known, *self.language.names), "object")
        if name in (*self.language.capabilities, *self.language.queries, *ACTIONS):
            why, how = "it is no value", f"Call it, as in {name}(…)."
        self.wrong(place, f"'{name}'", why, how, Code.UNKNOWN_NAME)
        return ValueType.ANY

    def member_of(self, over: Expr, known: Known) -> ValueType:
        """Check the list of a loop; return the type of its members."""
        self._needs(over, known, {ValueType.LIST}, "what is gone through")
        if isinstance(over, Call):
            return {"objects": ValueType.NAME, "range": ValueType.NUMBER}.get(over.name, ValueType.ANY)
        if isinstance(over, Items):
            sorts = {Typing(self.language).sort_of(part, known) for part in over.parts}
            return sorts.pop() if len(sorts) == 1 else ValueType.ANY
        return ValueType.ANY

    def _each(self, each: Each, known: Known) -> ValueType:
        sort = self.member_of(each.over, known)
        for name in each.targets:
            if name in self.language.reserved or name in dir(builtins):
                how = f"Take another name, such as {name}_1 or my_{name}."
                self.wrong(each.place, f"the name '{name}'", "it has a meaning here already", how, Code.AMBIGUOUS)
        inner = {**known, **dict.fromkeys(each.targets, sort if len(each.targets) == 1 else ValueType.ANY)}
        if each.where is not None:
            self.condition(each.where, inner)
        return self.sort_of(each.element, inner)

    def _needs(self, part: Expr, known: Known, sorts: set[ValueType], what: str) -> None:
        sort = self.sort_of(part, known)
        if sort is not ValueType.ANY and sort not in sorts:
            wanted = " or ".join(sorted(sorts))
            how = f"Give {wanted}."
            self.wrong(part.place, f"{write_expression(part)}", f"{what} is {wanted}, and this is {sort}", how)

    def _operation(self, operation: Operation, known: Known) -> ValueType:
        operator, parts = operation.operator, operation.parts
        if operator in ("and", "or", "not"):
            for part in parts:
                self.condition(part, known)
            return ValueType.TRUTH
        if operator == "[]":
            self._needs(parts[0], known, {ValueType.LIST}, "what has members")
            self._needs(parts[1], known, {ValueType.NUMBER}, "which member")
            return ValueType.ANY
        if operator in ("in", "not in"):
            self.sort_of(parts[0], known)
            self._needs(parts[1], known, {ValueType.LIST}, "what is looked through")
            return ValueType.TRUTH
        if operator == "+":
            return self._sum(parts, known)
        return self._two(operator, parts, known)

    def _two(self, operator: str, parts: Sequence[Expr], known: Known) -> ValueType:
        if operator in ("==", "!="):
            for part, other in zip(parts, reversed(parts), strict=True):
                self.sort_of(part, known)
                attribute = self.language.attributes.get(part.name) if isinstance(part, Call) else None
                if attribute is not None and attribute.values and isinstance(other, Constant):
                    self._attribute_value(attribute, other, known)
            return ValueType.TRUTH
        for part in parts:
            self._needs(part, known, {ValueType.NUMBER}, "what is reckoned with or compared")
        return ValueType.TRUTH if operator in ("<", "<=", ">", ">=") else ValueType.NUMBER

    def _sum(self, parts: Sequence[Expr], known: Known) -> ValueType:
        """Check ``+``: numbers are added, lists are joined, a text is joined with anything."""
        sorts = {self.sort_of(part, known) for part in parts}
        if ValueType.ANY in sorts:
            return ValueType.ANY
        if ValueType.NAME in sorts:
            return ValueType.NAME
        if len(sorts) > 1 or ValueType.TRUTH in sorts:
            sort_names = " and ".join(sorted(sorts))
            self.wrong(parts[0].place, "this sum", f"it adds {sort_names}", "Add numbers, join lists, or join texts.")
            return ValueType.ANY
        return sorts.pop()

    def arguments(self, call: Call, known: Known) -> None:
        """Check every argument by itself."""
        names = [name for name, _ in call.keywords]
        for twice in {name for name in names if names.count(name) > 1}:
            self.wrong(call.place, f"'{twice}'", "it is given twice", "Give it once.", Code.WRONG_ARITY)
        for part in (*call.args, *(value for _, value in call.keywords)):
            self.sort_of(part, known)

    def _query(self, call: Call, known: Known) -> ValueType:
        name, language = call.name, self.language
        if name in QUERIES:
            return self._builtin(call, known)
        asked = language.predicates.get(name) or language.fluents.get(name)
        if asked is not None:
            self._arity(call, known, [identifier(affordance) for affordance in asked.parameters])
            self.fits(call.args, [(affordance,) for affordance in asked.parameters], known, name)
            return ValueType.TRUTH if name in language.predicates else ValueType.NUMBER
        if name in language.attributes:
            return self._attribute(call, language.attributes[name], known)
        self.arguments(call, known)
        if name in (*language.capabilities, *ACTIONS):
            how = "Put it on a line of its own; here a question is asked, such as on(apple0, table0)."
            self.wrong(call.place, f"'{name}'", "it is done and has no value", how, Code.UNKNOWN_PREDICATE)
        else:
            how = hint(name, language.queries, "predicate", "Ask one of", language.domain.reference)
            why = "no question of this name can be asked; a function stands on its own line, after = or after return"
            self.wrong(call.place, f"'{name}'", why, how, Code.UNKNOWN_PREDICATE)
        return ValueType.ANY

    def _attribute(self, call: Call, attribute: Attribute, known: Known) -> ValueType:
        """Check a question for a value, ``colour(x)``, or whether it is one, ``colour(x, "red")``."""
        of_value = len(call.args) == 2 and not attribute.is_number
        if of_value:
            self._attribute_value(attribute, call.args[1], known)
        if call.keywords or len(call.args) != 1 + of_value:
            self._arity(call, known, ["object"])
            return ValueType.ANY
        self.sort_of(call.args[0], known)
        self.fits(call.args, [("object",)], known, call.name)
        if of_value:
            return ValueType.TRUTH
        return ValueType.NUMBER if attribute.is_number else ValueType.NAME

    def _attribute_value(self, attribute: Attribute, value: Expr, known: Known) -> None:
        """Check what a value is compared with, as far as it is known."""
        text = value.value if isinstance(value, Constant) else value.text if isinstance(value, Name) else None
        if (isinstance(value, Name) and value.text in known) or not isinstance(text, str):
            self.sort_of(value, known)
        elif text not in {
            form for name in attribute.values for form in (name, identifier(name), attribute.said((name,)))
        }:
            how = hint(text, attribute.values, "value")
            self.wrong(value.place, f"'{text}'", f"{attribute.name} has no such value", how, Code.UNKNOWN_NAME)

    def _arity(self, call: Call, known: Known, parameters: Sequence[str]) -> None:
        self.arguments(call, known)
        if len(call.args) != len(parameters) or call.keywords:
            why = f"it takes {len(parameters)} arguments by place, here are {len(call.args) + len(call.keywords)}"
            how = f"Write it as {call.name}({', '.join(parameters)})."
            self.wrong(call.place, write_expression(call), why, how, Code.WRONG_ARITY)

    def fits(self, args: Iterable[Expr], affordances: Iterable[tuple[str, ...]], known: Known, name: str) -> None:
        """Check the affordances of each argument, as far as they are known."""
        for arg, needed in zip(args, affordances, strict=False):
            thing = self.thing(arg, known)
            if thing is None:
                continue
            if thing not in self.language.things:
                how = hint(thing, self.language.things, "object")
                self.wrong(arg.place, f"'{thing}'", "there is no such thing", how, Code.UNKNOWN_NAME)
            elif lacking := set(needed) - {"object"} - self.language.things[thing].affordances:
                able = self.language.able(needed)
                why = f"{thing} does not afford '{min(lacking)}', which {name} needs there"
                how = (
                    f"Take one of: {choices(able, 'object')}." if able else "Nothing here does; ask for something else."
                )
                self.wrong(arg.place, write_expression(arg), why, how, Code.WRONG_AFFORDANCE)

    def thing(self, arg: Expr, known: Known) -> str | None:
        """Return the object that an argument names; None if it is not known before the run."""
        if isinstance(arg, Constant) and isinstance(arg.value, str):
            return self.language.names.get(arg.value, arg.value)
        if isinstance(arg, Name) and arg.text not in known:
            return self.language.names.get(arg.text)
        if Typing(self.language).sort_of(arg, known) not in (ValueType.NAME, ValueType.ANY):
            how = "Name a thing, such as apple0."
            self.wrong(arg.place, write_expression(arg), "a thing is needed here", how, Code.WRONG_AFFORDANCE)
        return None

    def _builtin(self, call: Call, known: Known) -> ValueType:
        name, args = call.name, call.args
        if name in ("min", "max") and len(args) == 2 and not call.keywords:
            for arg in args:
                self._needs(arg, known, {ValueType.NUMBER}, "what is compared")
            return ValueType.NUMBER
        self._arity(call, known, [QUERIES[name].split("(")[1].split(")")[0]])
        if len(args) == 1:
            self._only_argument(name, args[0], known)
        return {
            "objects": ValueType.LIST,
            "range": ValueType.LIST,
            "every": ValueType.TRUTH,
            "any": ValueType.TRUTH,
        }.get(name, ValueType.NUMBER)

    def _only_argument(self, name: str, arg: Expr, known: Known) -> None:
        if name in ("range", "abs"):
            self._needs(arg, known, {ValueType.NUMBER}, f"what {name} takes")
        elif name == "objects":
            if isinstance(arg, Constant) and arg.value not in self.language.groups:
                how = hint(str(arg.value), self.language.groups, "class", "Ask for one of")
                self.wrong(
                    arg.place, repr(arg.value), "no class, kind or affordance has this name", how, Code.UNKNOWN_NAME
                )
        else:
            self._needs(arg, known, {ValueType.LIST}, f"what {name} takes")
        if name in ("every", "any") and isinstance(arg, Each):
            self.condition(arg.element, {**known, **dict.fromkeys(arg.targets, ValueType.ANY)})

    def action(self, call: Call, known: Known) -> None:
        """Check the call of a capability or of another action."""
        if call.name in self.language.capabilities:
            self._capability(call, self.language.capabilities[call.name], known)
        elif len(call.args) != 1 or call.keywords:
            self.arguments(call, known)
            how = f"Write it as {ACTIONS[call.name].split(':')[0]}."
            self.wrong(call.place, write_expression(call), "it takes 1 argument", how, Code.WRONG_ARITY)
        elif call.name == "achieve":
            self._goal(call.args[0], known)
        else:
            self.sort_of(call.args[0], known)

    def _goal(self, goal: Expr, known: Known) -> None:
        """Check the condition of ``achieve``: its facts have to be allowed in a goal."""
        self.condition(goal, known)
        for call in _facts(goal):
            predicate = self.language.predicates.get(call.name)
            if predicate is not None and not predicate.goal:
                usable = [name for name, model in self.language.predicates.items() if model.goal]
                listed = choices(usable, "predicate", self.language.domain.reference)
                how = f"Say what should hold with one of: {listed}."
                why = "it follows from other facts and cannot be asked for"
                self.wrong(call.place, f"'{call.name}'", why, how, Code.UNKNOWN_PREDICATE)

    def _wrong_agent(self, call: Call, capability: Capability) -> None:
        agents = self.language.agents(capability)
        how = f"Take one of: {', '.join(agents)}." if agents else "Nobody here can; ask for something else."
        why = f"it stands for who does it, and cannot {call.name}"
        self.wrong(call.args[0].place, write_expression(call.args[0]), why, how, Code.WRONG_AFFORDANCE)

    def _values(self, call: Call, capability: Capability, known: Known) -> Call:
        """Check the values of a call; return it without them."""
        models = {identifier(model.name): model for model in capability.values}
        for name, value in call.keywords:
            if name not in models:
                continue
            sort = self.sort_of(value, known)
            if isinstance(value, Constant) and not isinstance(value.value, bool):
                try:
                    quantity_of(models[name], value.value)
                except UsageError as error:
                    how = f"Say a number in {models[name].unit or 'no unit'}, or a text with a unit."
                    self.wrong(value.place, f"{name} of {call.name}", str(error), how)
            elif sort not in (ValueType.NUMBER, ValueType.NAME, ValueType.ANY):
                self.wrong(
                    value.place, f"{name} of {call.name}", f"it is {sort}", "Say a number, or a text with a unit."
                )
        return replace(call, keywords=tuple(pair for pair in call.keywords if pair[0] not in models))

    def _capability(self, call: Call, capability: Capability, known: Known) -> None:
        call = self._values(call, capability, known)
        self.arguments(call, known)
        first = self.thing(call.args[0], known) if call.args else None
        parameters = capability.parameters
        count = len(call.args) + len(call.keywords)
        if not agent_given(capability, first, count, self.language):
            if count == len(parameters):
                self._wrong_agent(call, capability)
                return
            parameters = parameters[1:]
        by_name = {identifier(parameter.name): parameter for parameter in capability.parameters}
        unknown = [name for name, _ in call.keywords if name not in by_name]
        taken = {identifier(parameter.name) for parameter in parameters[: len(call.args)]}
        both = [name for name, _ in call.keywords if name in taken]
        if len(call.args) > len(parameters) or unknown or both:
            why = f"it does not fit what {call.name} takes"
            how = f"Write it as {signature(capability, call.name)}; the agent and what the scene tells may be left out."
            self.wrong(call.place, write_expression(call), why, how, Code.WRONG_ARITY)
            return
        pairs = [*zip(call.args, parameters, strict=False), *((value, by_name[name]) for name, value in call.keywords)]
        self.fits([arg for arg, _ in pairs], [parameter.affordances for _, parameter in pairs], known, call.name)


def _facts(expression: Expr) -> Iterable[Call]:
    match expression:
        case Call(_, args):
            yield expression
            for arg in args:
                yield from _facts(arg)
        case Operation(_, parts) | Items(parts):
            for part in parts:
                yield from _facts(part)
        case Each(element):
            yield from _facts(element)
        case _:
            return
