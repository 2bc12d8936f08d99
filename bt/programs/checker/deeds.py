"""Checks of actions in a program: calls of capabilities, and ``achieve``, ``say`` and ``ask``."""

from __future__ import annotations

from collections.abc import Iterable

from bt.programs.checker.sorts import Known, Typing
from bt.programs.language import ACTIONS, Language
from bt.programs.reader.expressions import identifier
from bt.programs.writer import write_expression
from domains.capability import Capability
from semantics.feedback import Code
from semantics.program import Call, Each, Expr, Items, Operation

__all__ = ["Deeds", "agent_given", "signature"]

LISTED = 8


def signature(capability: Capability, name: str) -> str:
    """Return the signature of a capability in a program."""
    return f"{name}({', '.join(identifier(parameter.name) for parameter in capability.parameters)})"


def agent_given(capability: Capability, first: str | None, count: int, language: Language) -> bool:
    """Return whether the first of `count` arguments by place is the agent; `first` is None while it is not known."""
    if capability.agentless or not capability.parameters:
        return True
    if first is None:
        return count >= len(capability.parameters)
    return first in language.agents(capability)


class Deeds:
    """Finds mistakes in actions; `typing` collects them."""

    def __init__(self, typing: Typing) -> None:
        self.typing = typing

    def action(self, call: Call, known: Known) -> None:
        """Check the call of a capability or of another action."""
        if call.name in self.typing.language.capabilities:
            self._capability(call, self.typing.language.capabilities[call.name], known)
        elif len(call.args) != 1 or call.keywords:
            self.typing.arguments(call, known)
            how = f"Write it as {ACTIONS[call.name].split(':')[0]}."
            self.typing.wrong(call.place, write_expression(call), "it takes 1 argument", how, Code.WRONG_ARITY)
        elif call.name == "achieve":
            self._goal(call.args[0], known)
        else:
            self.typing.sort_of(call.args[0], known)

    def _goal(self, goal: Expr, known: Known) -> None:
        """Check the condition of ``achieve``: its facts have to be allowed in a goal."""
        self.typing.condition(goal, known)
        for call in _facts(goal):
            predicate = self.typing.language.predicates.get(call.name)
            if predicate is not None and not predicate.goal:
                usable = [name for name, model in self.typing.language.predicates.items() if model.goal]
                how = f"Say what should hold with one of: {', '.join(usable[:LISTED])}."
                why = "it follows from other facts and cannot be asked for"
                self.typing.wrong(call.place, f"'{call.name}'", why, how, Code.UNKNOWN_PREDICATE)

    def _wrong_agent(self, call: Call, capability: Capability) -> None:
        agents = self.typing.language.agents(capability)
        how = f"Take one of: {', '.join(agents)}." if agents else "Nobody here can; ask for something else."
        why = f"it stands for who does it, and cannot {call.name}"
        self.typing.wrong(call.args[0].place, write_expression(call.args[0]), why, how, Code.WRONG_AFFORDANCE)

    def _capability(self, call: Call, capability: Capability, known: Known) -> None:
        self.typing.arguments(call, known)
        first = self.typing.thing(call.args[0], known) if call.args else None
        parameters = capability.parameters
        count = len(call.args) + len(call.keywords)
        if not agent_given(capability, first, count, self.typing.language):
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
            self.typing.wrong(call.place, write_expression(call), why, how, Code.WRONG_ARITY)
            return
        pairs = [*zip(call.args, parameters, strict=False), *((value, by_name[name]) for name, value in call.keywords)]
        self.typing.fits([arg for arg, _ in pairs], [parameter.affordances for _, parameter in pairs], known, call.name)


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
