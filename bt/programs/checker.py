"""Checks a program against a world: every name, every argument, and every type that is known before the run.

Each mistake is reported with its place and the correct form. Functions that are called and not defined are listed by
name as well, so that they can be asked for.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bt.programs.action_values import signature
from bt.programs.language import ACTIONS, INSTEAD, Language
from bt.programs.place_queries import PLACE_QUERIES
from bt.programs.reader import read_program
from bt.programs.sorts import Typing
from bt.programs.values import ANSWERS, ValueType
from bt.programs.writer import blocks_of, write_expression
from domains.model import Domain
from semantics.hints import choices, did_you_mean
from semantics.logic import program as syntax
from semantics.logic.feedback import Code
from semantics.logic.vocabulary import Thing

OF_PYTHON = frozenset(name for name in dir(builtins) if not name.startswith("_"))
"""Names that Python gives a meaning; a program may not take them, so that no reader is misled."""


@dataclass(frozen=True)
class CheckedProgram:
    """A program whose names are all known; only such a program is compiled.

    Attributes:
        program: The program.
        language: The meaning of its names.
        limits: The limits of its run.
    """

    program: syntax.Program
    language: Language
    limits: syntax.ProgramLimits


def check_program(
    program: str | syntax.Program,
    domain: Domain,
    things: Mapping[str, Thing],
    *,
    limits: syntax.ProgramLimits | None = None,
    bound: Mapping[str, str] | None = None,
) -> CheckedProgram | syntax.RefusedProgram:
    """Read a program, and check it against a world.

    Args:
        program: The text, or the program that was read from it.
        domain: The domain of the world.
        things: All objects, by name.
        limits: The limits of its size and its run.
        bound: The object for each name that means one already, as in the program before a correction.
    """
    bounds = limits or syntax.ProgramLimits()
    read = read_program(program, bounds) if isinstance(program, str) else program
    if isinstance(read, syntax.RefusedProgram):
        return read
    checker = _NameChecker(read, Language(domain, things, bound or {}))
    checker.check()
    if checker.typing.mistakes or checker.unresolved:
        mistakes = sorted(checker.typing.mistakes, key=lambda mistake: mistake.place)
        return syntax.RefusedProgram(tuple(dict.fromkeys(mistakes)), tuple(checker.unresolved.values()))
    return CheckedProgram(read, checker.language, bounds)


def is_done(value: syntax.Expr | None, functions: Iterable[str]) -> bool:
    """Return whether a value is what something that is done gives back: a function, or a person."""
    return isinstance(value, syntax.Call) and (value.name == "ask" or value.name in functions)


@dataclass
class _NameChecker:
    program: syntax.Program
    language: Language
    functions: dict[str, syntax.Function] = field(default_factory=dict)
    unresolved: dict[str, syntax.Unresolved] = field(default_factory=dict)
    typing: Typing = field(init=False)
    _loops: int = 0
    _inside: bool = False

    def __post_init__(self) -> None:
        self.typing = Typing(self.language)

    def check(self) -> None:
        for function in self.program.functions:
            self._name(function.name, function.place, "function")
            if function.name in self.functions:
                self.typing.wrong(function.place, f"def {function.name}", "it is defined twice", "Keep one of the two.")
            self.functions[function.name] = function
        for function in self.program.functions:
            for name in function.parameters:
                self._name(name, function.place, "parameter")
            self._inside = True
            self._block(function.body, dict.fromkeys(function.parameters, ValueType.ANY))
        self._inside = False
        self._block(self.program.body, {})

    def _name(self, name: str, place: syntax.TextPosition, kind: str) -> None:
        """Check a name that the program gives: values may be called like a query about places, functions not."""
        taken = name in (*PLACE_QUERIES, *self.language.attributes) if kind == "function" else name in self.functions
        if taken or name in self.language.reserved or name in OF_PYTHON:
            why = "this name has a meaning here already"
            how = f"Take another name, such as {name}_1 or my_{name}."
            self.typing.wrong(place, f"the {kind} '{name}'", why, how, Code.AMBIGUOUS)

    def _block(self, statements: tuple[syntax.Statement, ...], known: dict[str, ValueType]) -> None:
        for at, statement in enumerate(statements):
            CHECKS[type(statement)](self, statement, known)
            if isinstance(statement, syntax.Return | syntax.Break | syntax.Continue) and at + 1 < len(statements):
                after = statements[at + 1].place
                self.typing.wrong(after, "this line", "it is never reached", "Leave it out, or put it before.")

    def _do(self, statement: syntax.Do, known: dict[str, ValueType]) -> None:
        call = statement.call
        if call.name in self.functions:
            self._function_call(call, known)
        elif call.name in self.language.capabilities or call.name in ACTIONS:
            self.typing.action(call, known)
        elif call.name in self.language.queries:
            how = f"Keep it, as in found = {write_expression(call)}, or ask for it in if or while."
            self.typing.wrong(call.place, f"{call.name} on a line of its own", "it is a question and does nothing", how)
        else:
            self._unknown(call, known)

    def _achieve(self, statement: syntax.Achieve, known: dict[str, ValueType]) -> None:
        self.typing.goal(statement.goal, known)
        for step in statement.by:
            capability = self.language.capabilities.get(step.call.name)
            if capability is None:
                how = did_you_mean(step.call.name, self.language.capabilities) or "Name a capability."
                why = "no capability has this name, and the steps of a plan are capabilities"
                self.typing.wrong(step.place, f"'{step.call.name}'", why, how, Code.UNKNOWN_NAME)
                continue
            self.typing.action(step.call, known)
            if len(step.call.args) != len(capability.parameters):
                why, how = "a step of a plan names all its things", f"Write {signature(capability, step.call.name)}."
                self.typing.wrong(step.place, write_expression(step.call), why, how, Code.WRONG_ARITY)

    def _unknown(self, call: syntax.Call, known: dict[str, ValueType]) -> None:
        """Report an unknown call, and list it as a function that could be written."""
        how = did_you_mean(call.name, (*self.language.actions, *self.functions, *self.language.queries))
        listed = choices(self.language.actions, "capability", self.language.domain.reference)
        how = how or f"Define it, or call one of: {listed}."
        why = "there is no capability and no function of this name"
        self.typing.wrong(call.place, f"'{call.name}'", why, INSTEAD.get(call.name, how), Code.UNKNOWN_NAME)
        self.typing.arguments(call, known)
        if call.name in OF_PYTHON:
            return
        before = self.unresolved.get(call.name)
        places = (*before.places, call.place) if before else (call.place,)
        self.unresolved[call.name] = syntax.Unresolved(
            call.name, before.call if before else write_expression(call), places
        )

    def _function_call(self, call: syntax.Call, known: dict[str, ValueType]) -> None:
        function = self.functions[call.name]
        self.typing.arguments(call, known)
        wanted = f"{function.name}({', '.join(function.parameters)})"
        named = [name for name, _ in call.keywords]
        named_parameters = [*function.parameters[: len(call.args)], *named]
        if len(call.args) > len(function.parameters) or sorted(named_parameters) != sorted(function.parameters):
            why = f"it takes {len(function.parameters)} arguments, each once"
            self.typing.wrong(call.place, write_expression(call), why, f"Write it as {wanted}.", Code.WRONG_ARITY)

    def _value(self, value: syntax.Expr, known: dict[str, ValueType]) -> ValueType:
        """Check a value that may be what something that is done gives back."""
        if isinstance(value, syntax.Call) and value.name in self.functions:
            self._function_call(value, known)
            return ValueType.ANY
        if isinstance(value, syntax.Call) and value.name == "ask":
            self.typing.action(value, known)
            return ValueType.NAME
        if isinstance(value, syntax.Call) and value.name in (*self.language.capabilities, *ACTIONS):
            if value.name not in self.language.queries:
                how = f"Write {write_expression(value)} on a line of its own, and ask afterwards what holds."
                self.typing.wrong(value.place, f"the value of {value.name}", "it is done and gives nothing back", how)
                return ValueType.ANY
        elif isinstance(value, syntax.Call) and value.name not in self.language.queries:
            self._unknown(value, known)
            return ValueType.ANY
        return self.typing.sort_of(value, known)

    def _assign(self, statement: syntax.Assign, known: dict[str, ValueType]) -> None:
        self._bind(statement, known, self._value(statement.value, known))

    def _bind(self, statement: syntax.Assign | syntax.For, known: dict[str, ValueType], sort: ValueType) -> None:
        """Keep the type of what is given to the names of a statement; several names take a list apart."""
        for name in statement.targets:
            self._name(name, statement.place, "name")
            given = sort if len(statement.targets) == 1 else ValueType.ANY
            known[name] = given if known.get(name, given) == given else ValueType.ANY

    def _branching(self, statement: syntax.If | syntax.Fall, known: dict[str, ValueType]) -> None:
        if isinstance(statement, syntax.If):
            self.typing.condition(statement.test, known)
        branches = [(block, dict(known)) for block in blocks_of(statement)]
        for block, names in branches:
            self._block(block, names)
        for _, names in branches:
            for name, sort in names.items():
                known[name] = sort if known.get(name, sort) == sort else ValueType.ANY

    def _loop(self, statement: syntax.For | syntax.While, known: dict[str, ValueType]) -> None:
        if isinstance(statement, syntax.For):
            sort = self.typing.member_of(statement.over, known)
            self._bind(statement, known, sort)
        else:
            self.typing.condition(statement.test, known)
        self._loops += 1
        self._block(statement.body, known)
        self._loops -= 1

    def _return(self, statement: syntax.Return, known: dict[str, ValueType]) -> None:
        """Check a result; outside of functions it is the answer of the program."""
        if statement.value is None:
            return
        sort = self._value(statement.value, known)
        if sort is ValueType.BOX and not self._inside:
            how = "Return a part of it, such as its middle."
            self.typing.wrong(statement.value.place, "the answer", f"it is {ANSWERS}, and this is {sort}", how)

    def _jump(self, statement: syntax.Break | syntax.Continue, _: dict[str, ValueType]) -> None:
        if not self._loops:
            word = type(statement).__name__.lower()
            self.typing.wrong(statement.place, word, "it stands outside of a loop", "Leave it out.")


CHECKS: Mapping[type[syntax.Statement], Any] = {
    syntax.Do: _NameChecker._do,
    syntax.Achieve: _NameChecker._achieve,
    syntax.Assign: _NameChecker._assign,
    syntax.If: _NameChecker._branching,
    syntax.For: _NameChecker._loop,
    syntax.While: _NameChecker._loop,
    syntax.Fall: _NameChecker._branching,
    syntax.Return: _NameChecker._return,
    syntax.Break: _NameChecker._jump,
    syntax.Continue: _NameChecker._jump,
    syntax.Pass: lambda *_: None,
}
