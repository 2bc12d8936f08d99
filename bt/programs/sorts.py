"""The types of values that are known before a program runs, and the requirements of each call on its arguments."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bt.programs.action_values import (
    GivenModel,
    fixed_value,
    given_models,
    place_given,
    quantity_given,
    quantity_written,
    signature,
    types_given,
)
from bt.programs.language import ACTIONS, QUERIES, VIEWER, Language
from bt.programs.place_queries import MEMBER, PLACE_QUERIES, WHERE, Argument, PlaceQuery
from bt.programs.sensed_places import SensedPlaces
from bt.programs.source import unfit
from bt.programs.values import RULES, Odd, ValueType, outcomes_of, takes, type_of
from bt.programs.writer import identifier, write_expression
from domains.capability import Capability
from domains.conventions import VIEWPOINT
from semantics.body.observation import HAND
from semantics.errors import UsageError
from semantics.hints import choices, hint
from semantics.logic.feedback import Code
from semantics.logic.place_value import read_place
from semantics.logic.program import Call, Constant, Each, Expr, Items, Mistake, Name, Operation, TextPosition
from semantics.logic.quantity import Quantity, ValueModel
from semantics.logic.vocabulary import Attribute

Known = Mapping[str, ValueType]


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
        self._found: dict[tuple[int, int], tuple[Known, ValueType]] = {}
        self._depth = 0

    def wrong(self, place: TextPosition, what: str, why: str, how: str, code: Code = Code.UNREADABLE) -> None:
        """Keep a mistake."""
        self.mistakes.append(unfit(place, what, why, how, code).mistake)

    def condition(self, test: Expr, known: Known) -> None:
        """Check the condition of ``if`` and ``while``."""
        self._needs(test, known, {ValueType.TRUTH, ValueType.LIST}, "a condition")

    def sort_of(self, expression: Expr, known: Known) -> ValueType:
        """Check an expression; return its type. A part that is asked for again is not checked again."""
        key = id(expression), id(known)
        if key not in self._found:
            self._depth += 1
            try:
                sort = self._sort_of(expression, known)
            finally:
                self._depth -= 1
            self._found[key] = known, sort  # the names are kept as well, so that no others get their id
        sort = self._found[key][1]
        if not self._depth:
            self._found.clear()
        return sort

    def _sort_of(self, expression: Expr, known: Known) -> ValueType:
        match expression:
            case Constant(value):
                return type_of(value)
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
            query = self.language.place_query(over)
            found = {"objects": ValueType.NAME, "range": ValueType.NUMBER}.get(over.name, ValueType.ANY)
            return found if query is None else query.members
        if isinstance(over, Items):
            sorts = {self.sort_of(part, known) for part in over.parts}
            return sorts.pop() if len(sorts) == 1 else ValueType.ANY
        return ValueType.ANY

    def _each(self, each: Each, known: Known) -> ValueType:
        """Check a list of values for members; return the type of these values."""
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
        self._must_be(part, self.sort_of(part, known), sorts, what)

    def _must_be(self, part: Expr, sort: ValueType, sorts: set[ValueType], what: str) -> None:
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
            self._needs(parts[0], known, {ValueType.LIST, ValueType.POINT}, "what has members")
            self._needs(parts[1], known, {ValueType.NUMBER}, "which member")
            return ValueType.NUMBER if self.sort_of(parts[0], known) is ValueType.POINT else ValueType.ANY
        if operator in ("in", "not in"):
            self.sort_of(parts[0], known)
            self._needs(parts[1], known, {ValueType.LIST, ValueType.NAME}, "what is looked through")
            return ValueType.TRUTH
        if operator == "+":
            return self._sum(parts, known)
        return self._two(operator, parts, known)

    def _two(self, operator: str, parts: Sequence[Expr], known: Known) -> ValueType:
        sorts = [self.sort_of(part, known) for part in parts]
        if operator in ("==", "!="):
            for part, other in zip(parts, reversed(parts), strict=True):
                attribute = self.language.attributes.get(part.name) if isinstance(part, Call) else None
                if attribute is not None and attribute.values and isinstance(other, Constant):
                    self._attribute_value(attribute, other, known)
            return ValueType.TRUTH
        fitting = {sort for word, *both in RULES if word == operator for sort in both}
        for part in parts:
            self._needs(part, known, fitting, "what is reckoned with or compared")
        if len(parts) == 1:
            return sorts[0]
        outcomes = outcomes_of(operator, sorts)
        if not outcomes and fitting.issuperset(sorts):
            why = f"it takes {takes(operator)}, and these are {' and '.join(sorts)}"
            self.wrong(parts[0].place, f"'{operator}'", why, "Bring them to types that go together.")
        self._dimensions(operator, parts)
        return outcomes.pop() if len(outcomes) == 1 else ValueType.ANY

    def _dimensions(self, operator: str, parts: Sequence[Expr]) -> None:
        """Check that quantities that are known before the run measure the same, where they are put together."""
        left, right = map(fixed_value, parts)
        if isinstance(left, Quantity) and isinstance(right, Quantity) and left.dimension is not right.dimension:
            why = f"{left} is a {left.dimension} and {right} is a {right.dimension}"
            self.wrong(parts[0].place, f"'{operator}'", why, "Put together what measures the same.")

    def _sum(self, parts: Sequence[Expr], known: Known) -> ValueType:
        """Check ``+``: lists are joined, a text is joined with anything, and the rest as in `RULES`."""
        sorts = [self.sort_of(part, known) for part in parts]
        for sort in (ValueType.ANY, ValueType.NAME):
            if sort in sorts:
                return sort
        outcomes = {ValueType.LIST} if set(sorts) == {ValueType.LIST} else outcomes_of("+", sorts)
        if not outcomes:
            sort_names = " and ".join(sorted(sorts))
            how = "Add numbers, points or quantities, join lists, or join texts."
            self.wrong(parts[0].place, "this sum", f"it adds {sort_names}", how)
        self._dimensions("+", parts)
        return outcomes.pop() if outcomes else ValueType.ANY

    def arguments(self, call: Call, known: Known) -> None:
        """Check every argument by itself."""
        names = [name for name, _ in call.keywords]
        for twice in {name for name in names if names.count(name) > 1}:
            self.wrong(call.place, f"'{twice}'", "it is given twice", "Give it once.", Code.WRONG_ARITY)
        for part in (*call.args, *(value for _, value in call.keywords)):
            self.sort_of(part, known)

    def _query(self, call: Call, known: Known) -> ValueType:
        language, call = self.language, self.language.meant(call)
        name = call.name
        if name in QUERIES:
            return self._builtin(call, known)
        place_query = language.place_query(call)
        if place_query is not None:
            return self._place_query(call, place_query, known)
        asked = language.predicates.get(name) or language.fluents.get(name)
        if asked is not None:
            if not self._viewed_in_vain(call):
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

    def _place_query(self, call: Call, query: PlaceQuery, known: Known) -> ValueType:
        self.arguments(call, known)
        if query.directed:
            call = self._without_viewer(call, known)
        elif self._viewed_in_vain(call):
            return query.gives
        if not query.least <= len(call.args) <= len(query.takes) or call.keywords:
            why = f"it takes {query.how_many} by place, and here are {len(call.args) + len(call.keywords)}"
            self.wrong(
                call.place, write_expression(call), why, f"Write it as {query.usage(call.name)}.", Code.WRONG_ARITY
            )
            return query.gives
        before = len(self.mistakes)
        for arg, argument in zip(call.args, query.takes, strict=False):
            self._argument(arg, argument, known, call.name)
        if call.name == "quantity" and len(self.mistakes) == before:
            try:
                quantity_written(call)
            except Odd as error:
                self.wrong(call.place, write_expression(call), str(error), f"Write it as {query.usage(call.name)}.")
        return query.gives

    def _without_viewer(self, call: Call, known: Known) -> Call:
        """Check who sees the directions of a query; return the call without that."""
        viewers = [value for name, value in call.keywords if name == VIEWER]
        needed = VIEWPOINT if VIEWPOINT in self.language.domain.affordances else "object"
        self.fits(viewers, [(needed,)], known, VIEWER)
        return replace(call, keywords=tuple(pair for pair in call.keywords if pair[0] != VIEWER))

    def _viewed_in_vain(self, call: Call) -> bool:
        """Return whether a call says who sees its directions and has none, which is a mistake."""
        if not any(name == VIEWER for name, _ in call.keywords):
            return False
        named = [name.removesuffix(f"_{VIEWER}") for name in self.language.predicates if name.endswith(f"_{VIEWER}")]
        directed = [*named, *(name for name, query in PLACE_QUERIES.items() if query.directed)]
        why = f"{call.name} does not depend on who looks"
        how = f"Leave out {VIEWER}; it goes with {', '.join(directed)}."
        self.wrong(call.place, write_expression(call), why, how, Code.WRONG_ARITY)
        return True

    def _argument(self, arg: Expr, argument: Argument, known: Known, name: str) -> None:
        """Check an argument of a query about places: its type, its word, and whether there is such a thing."""
        self._needs(arg, known, set(argument.types), f"the {argument.name} of {name}")
        if argument.of_places and isinstance(arg, Items):
            for part in arg.parts:
                self._argument(part, MEMBER, known, name)
        fixed = fixed_value(arg)
        if fixed is None or type_of(fixed) not in argument.types:
            return
        try:
            fixed = argument.fitting(fixed)
        except Odd as error:
            self.wrong(arg.place, write_expression(arg), str(error), error.how)
        if argument.is_place and isinstance(fixed, str) and fixed not in (*argument.words, HAND):
            self._a_thing(fixed, arg, argument)

    def _a_thing(self, text: str, arg: Expr, argument: Argument) -> None:
        if text not in self.language.names and text not in self.language.things:
            how = hint(text, (*argument.words, *self.language.things), "object")
            self.wrong(arg.place, repr(text), f"no {argument.name} has this name", how, Code.UNKNOWN_NAME)

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
        if self.sort_of(arg, known) not in (ValueType.NAME, ValueType.ANY):
            how = "Name a thing, such as apple0."
            self.wrong(arg.place, write_expression(arg), "a thing is needed here", how, Code.WRONG_AFFORDANCE)
        return None

    def _builtin(self, call: Call, known: Known) -> ValueType:
        name, args = call.name, call.args
        if name in ("every", "any") and len(args) == 1 and isinstance(args[0], Each) and not call.keywords:
            element = args[0].element
            self._must_be(element, self._each(args[0], known), {ValueType.TRUTH, ValueType.LIST}, "a condition")
            return ValueType.TRUTH
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

    def action(self, call: Call, known: Known) -> None:
        """Check the call of a capability or of another action."""
        call = self.language.meant(call)
        if call.name in self.language.capabilities:
            self._capability(call, self.language.capabilities[call.name], known)
        elif len(call.args) != 1 or call.keywords:
            self.arguments(call, known)
            how = f"Write it as {ACTIONS[call.name].split(':')[0]}."
            self.wrong(call.place, write_expression(call), "it takes 1 argument", how, Code.WRONG_ARITY)
        else:
            self.sort_of(call.args[0], known)

    def goal(self, goal: Expr, known: Known) -> None:
        """Check the condition of ``achieve``: its facts have to be allowed in a goal."""
        if isinstance(goal, Constant) and isinstance(goal.value, str):
            return  # more than facts, which is checked when it is reached
        self.condition(goal, known)
        facts = [call for call in _facts(goal) if call.name in self.language.predicates]
        if not facts:  # whatever else holds or not would be called achieved
            how = 'Write a predicate, such as on(cup0, table0), or PDDL in one text: "(on cup0 table0)".'
            why = "it says no fact that could be reached"
            self.wrong(goal.place, write_expression(goal), why, how, Code.UNREADABLE)
        for call in facts:
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
        models = given_models(capability)
        for name, value in call.keywords:
            if name in models:
                self._given(value, models[name], f"{name} of {call.name}", known)
        return replace(call, keywords=tuple(pair for pair in call.keywords if pair[0] not in models))

    def _given(self, value: Expr, model: GivenModel, what: str, known: Known) -> None:
        """Check a value of a call: its type, and the value itself if it is written out."""
        fixed, sort = fixed_value(value), self.sort_of(value, known)
        is_number = isinstance(model, ValueModel)
        unit = f"a number in {model.unit or 'no unit'}" if isinstance(model, ValueModel) else ""
        how = f"Say {unit}, or a text with a unit." if is_number else "Say a place, such as point(0.4, 0.1)."
        if sort is not ValueType.ANY and sort not in types_given(model):
            self.wrong(value.place, what, f"it is {sort}", how)
        elif fixed is not None:
            try:
                if isinstance(model, ValueModel):
                    quantity_given(model, fixed)
                elif read_place(str(fixed)) is None:
                    self._a_thing(str(fixed), value, WHERE)
                else:
                    place_given(model, fixed, SensedPlaces({}, {}, 0))
            except UsageError as error:
                self.wrong(value.place, what, str(error), how)

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
        if any(parameter.name == VIEWER for parameter in parameters[len(call.args) :]) and VIEWER not in dict(
            call.keywords
        ):
            how = f"Write it as {signature(capability, call.name)}."
            self.wrong(call.place, write_expression(call), "it does not say who looks", how, Code.WRONG_ARITY)
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
