"""The sorts of values that show before a program runs, and what each call asks of its arguments."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from bt.programs.language import ACTIONS, QUERIES, Language
from bt.programs.reading.expressing import identifier
from bt.programs.reading.source import unfit
from bt.programs.writing import write_expression
from semantics.errors import nearest
from semantics.feedback import Code
from semantics.program import Call, Constant, Each, Expr, Items, Mistake, Name, Operation, Place

__all__ = ["Known", "Sort", "Typing"]

LISTED = 8


class Sort(StrEnum):
    """What a value is."""

    NAME = "a thing or a text"
    NUMBER = "a number"
    TRUTH = "true or false"
    LIST = "a list"
    ANY = "anything"


Known = Mapping[str, Sort]


class Typing:
    """Finds mistakes in expressions, and the sort of each.

    Attributes:
        mistakes: What was found, in the order of finding.
    """

    def __init__(self, language: Language) -> None:
        self.language = language
        self.mistakes: list[Mistake] = []

    def wrong(self, place: Place, what: str, why: str, how: str, code: Code = Code.UNREADABLE) -> None:
        """Keep a mistake."""
        self.mistakes.append(unfit(place, what, why, how, code).mistake)

    def condition(self, test: Expr, known: Known) -> None:
        """Check what is asked by ``if`` and ``while``."""
        self._needs(test, known, {Sort.TRUTH, Sort.LIST}, "a condition")

    def sort_of(self, expression: Expr, known: Known) -> Sort:
        """Check an expression; return its sort."""
        match expression:
            case Constant(value):
                return Sort.TRUTH if isinstance(value, bool) else Sort.NAME if isinstance(value, str) else Sort.NUMBER
            case Name(text):
                return self._name(text, expression.place, known)
            case Items(parts):
                for part in parts:
                    self.sort_of(part, known)
                return Sort.LIST
            case Each():
                self._each(expression, known)
                return Sort.LIST
            case Operation():
                return self._operation(expression, known)
            case Call():
                return self._query(expression, known)

    def _name(self, name: str, place: Place, known: Known) -> Sort:
        if name in known:
            return known[name]
        if name in self.language.names:
            return Sort.NAME
        why, how = "nothing has this name here", ""
        close = nearest(name, (*known, *self.language.names))
        if name in (*self.language.capabilities, *self.language.queries, *ACTIONS):
            why, how = "it is no value", f"Call it, as in {name}(…)."
        elif close:
            how = f"Did you mean {' or '.join(close)}?"
        else:
            how = f"There are: {', '.join(list(self.language.names)[:LISTED])}."
        self.wrong(place, f"'{name}'", why, how, Code.UNKNOWN_NAME)
        return Sort.ANY

    def member_of(self, over: Expr, known: Known) -> Sort:
        """Check what a loop goes over; return the sort of its members."""
        self._needs(over, known, {Sort.LIST}, "what is gone through")
        if isinstance(over, Call):
            return {"objects": Sort.NAME, "range": Sort.NUMBER}.get(over.name, Sort.ANY)
        if isinstance(over, Items):
            sorts = {Typing(self.language).sort_of(part, known) for part in over.parts}
            return sorts.pop() if len(sorts) == 1 else Sort.ANY
        return Sort.ANY

    def _each(self, each: Each, known: Known) -> Sort:
        sort = self.member_of(each.over, known)
        for name in each.targets:
            if name in self.language.reserved or name in dir(builtins):
                how = f"Take another name, such as {name}_1 or my_{name}."
                self.wrong(each.place, f"the name '{name}'", "it has a meaning here already", how, Code.AMBIGUOUS)
        inner = {**known, **dict.fromkeys(each.targets, sort if len(each.targets) == 1 else Sort.ANY)}
        if each.where is not None:
            self.condition(each.where, inner)
        return self.sort_of(each.element, inner)

    def _needs(self, part: Expr, known: Known, sorts: set[Sort], what: str) -> None:
        sort = self.sort_of(part, known)
        if sort is not Sort.ANY and sort not in sorts:
            wanted = " or ".join(sorted(sorts))
            how = f"Give {wanted}."
            self.wrong(part.place, f"{write_expression(part)}", f"{what} is {wanted}, and this is {sort}", how)

    def _operation(self, operation: Operation, known: Known) -> Sort:
        operator, parts = operation.operator, operation.parts
        if operator in ("and", "or", "not"):
            for part in parts:
                self.condition(part, known)
            return Sort.TRUTH
        if operator == "[]":
            self._needs(parts[0], known, {Sort.LIST}, "what has members")
            self._needs(parts[1], known, {Sort.NUMBER}, "which member")
            return Sort.ANY
        if operator in ("in", "not in"):
            self.sort_of(parts[0], known)
            self._needs(parts[1], known, {Sort.LIST}, "what is looked through")
            return Sort.TRUTH
        if operator == "+":
            return self._sum(parts, known)
        return self._two(operator, parts, known)

    def _two(self, operator: str, parts: Sequence[Expr], known: Known) -> Sort:
        if operator in ("==", "!="):
            for part in parts:
                self.sort_of(part, known)
            return Sort.TRUTH
        for part in parts:
            self._needs(part, known, {Sort.NUMBER}, "what is reckoned with or compared")
        return Sort.TRUTH if operator in ("<", "<=", ">", ">=") else Sort.NUMBER

    def _sum(self, parts: Sequence[Expr], known: Known) -> Sort:
        """Check ``+``: numbers are added, lists are joined, a text is joined with anything."""
        sorts = {self.sort_of(part, known) for part in parts}
        if Sort.ANY in sorts:
            return Sort.ANY
        if Sort.NAME in sorts:
            return Sort.NAME
        if len(sorts) > 1 or Sort.TRUTH in sorts:
            told = " and ".join(sorted(sorts))
            self.wrong(parts[0].place, "this sum", f"it adds {told}", "Add numbers, join lists, or join texts.")
            return Sort.ANY
        return sorts.pop()

    def arguments(self, call: Call, known: Known) -> None:
        """Check every argument by itself."""
        names = [name for name, _ in call.keywords]
        for twice in {name for name in names if names.count(name) > 1}:
            self.wrong(call.place, f"'{twice}'", "it is given twice", "Give it once.", Code.WRONG_ARITY)
        for part in (*call.args, *(value for _, value in call.keywords)):
            self.sort_of(part, known)

    def _query(self, call: Call, known: Known) -> Sort:
        name, language = call.name, self.language
        if name in QUERIES:
            return self._builtin(call, known)
        if name in language.predicates:
            self._arity(call, known, [identifier(one) for one in language.predicates[name].parameters])
            self.fits(call.args, [(one,) for one in language.predicates[name].parameters], known, name)
            return Sort.TRUTH
        if name in language.fluents:
            self._arity(call, known, [identifier(one) for one in language.fluents[name].parameters])
            self.fits(call.args, [(one,) for one in language.fluents[name].parameters], known, name)
            return Sort.NUMBER
        self.arguments(call, known)
        close = nearest(name, language.queries)
        if name in (*language.capabilities, *ACTIONS):
            how = "Put it on a line of its own; here a question is asked, such as on(apple0, table0)."
            self.wrong(call.place, f"'{name}'", "it is done and has no value", how, Code.UNKNOWN_PREDICATE)
        else:
            listed = ", ".join([*list(language.predicates)[:LISTED], *QUERIES])
            how = f"Did you mean {' or '.join(close)}?" if close else f"Ask one of: {listed}."
            why = "no question of this name can be asked; a function stands on its own line, after = or after return"
            self.wrong(call.place, f"'{name}'", why, how, Code.UNKNOWN_PREDICATE)
        return Sort.ANY

    def _arity(self, call: Call, known: Known, parameters: Sequence[str]) -> None:
        self.arguments(call, known)
        if len(call.args) != len(parameters) or call.keywords:
            why = f"it takes {len(parameters)} arguments by place, here are {len(call.args) + len(call.keywords)}"
            how = f"Write it as {call.name}({', '.join(parameters)})."
            self.wrong(call.place, write_expression(call), why, how, Code.WRONG_ARITY)

    def fits(self, args: Iterable[Expr], affordances: Iterable[tuple[str, ...]], known: Known, name: str) -> None:
        """Check what each argument affords, as far as it shows."""
        for arg, needed in zip(args, affordances, strict=False):
            thing = self.thing(arg, known)
            if thing is None:
                continue
            if thing not in self.language.things:
                known_ones = nearest(thing, self.language.things) or list(self.language.things)[:LISTED]
                how = f"There are: {', '.join(known_ones)}."
                self.wrong(arg.place, f"'{thing}'", "there is no such thing", how, Code.UNKNOWN_NAME)
            elif lacking := set(needed) - {"object"} - self.language.things[thing].affordances:
                able = self.language.able(needed)[:LISTED]
                why = f"{thing} does not afford '{min(lacking)}', which {name} needs there"
                how = f"Take one of: {', '.join(able)}." if able else "Nothing here does; ask for something else."
                self.wrong(arg.place, write_expression(arg), why, how, Code.WRONG_AFFORDANCE)

    def thing(self, arg: Expr, known: Known) -> str | None:
        """Return the thing that an argument surely is; None while that is open."""
        if isinstance(arg, Constant) and isinstance(arg.value, str):
            return self.language.names.get(arg.value, arg.value)
        if isinstance(arg, Name) and arg.text not in known:
            return self.language.names.get(arg.text)
        if Typing(self.language).sort_of(arg, known) not in (Sort.NAME, Sort.ANY):
            how = "Name a thing, such as apple0."
            self.wrong(arg.place, write_expression(arg), "a thing is needed here", how, Code.WRONG_AFFORDANCE)
        return None

    def _builtin(self, call: Call, known: Known) -> Sort:
        name, args = call.name, call.args
        if name in ("min", "max") and len(args) == 2 and not call.keywords:
            for arg in args:
                self._needs(arg, known, {Sort.NUMBER}, "what is compared")
            return Sort.NUMBER
        self._arity(call, known, [QUERIES[name].split("(")[1].split(")")[0]])
        if len(args) == 1:
            self._only_argument(name, args[0], known)
        return {"objects": Sort.LIST, "range": Sort.LIST, "every": Sort.TRUTH, "any": Sort.TRUTH}.get(name, Sort.NUMBER)

    def _only_argument(self, name: str, arg: Expr, known: Known) -> None:
        if name in ("range", "abs"):
            self._needs(arg, known, {Sort.NUMBER}, f"what {name} takes")
        elif name == "objects":
            if isinstance(arg, Constant) and arg.value not in self.language.groups:
                close = nearest(str(arg.value), self.language.groups) or self.language.groups[:LISTED]
                how = f"Ask for one of: {', '.join(close)}."
                self.wrong(
                    arg.place, repr(arg.value), "no class, kind or affordance has this name", how, Code.UNKNOWN_NAME
                )
        else:
            self._needs(arg, known, {Sort.LIST}, f"what {name} takes")
        if name in ("every", "any") and isinstance(arg, Each):
            self.condition(arg.element, {**known, **dict.fromkeys(arg.targets, Sort.ANY)})
