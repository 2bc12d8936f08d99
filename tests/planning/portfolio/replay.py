"""Replays a plan on the PDDL text itself, as a check that is independent of the model.

It supports conjunctions, disjunctions, quantifiers, conditional effects and numbers. It does not support derived
predicates and durative actions; such plans pass unchecked.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from semantics.logic.state import Action
from tests.planning.portfolio.expressions import Expression, read

__all__ = ["replay"]

Fact = tuple[Expression, ...]
Binding = Mapping[str, str]

COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "=": operator.eq,
}
COMPUTE: Mapping[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "increase": operator.add,
    "decrease": operator.sub,
    "scale-up": operator.mul,
    "scale-down": operator.truediv,
    "assign": lambda _, new: new,
}
UNKNOWN = (":derived", ":durative-action", ":constraints", ":process", ":event")


def replay(domain: str, problem: str, actions: Sequence[Action]) -> str:
    """Return where the plan breaks, half a sentence; empty if it is valid or cannot be checked here.

    Raises:
        FormulaError: The text is not PDDL.
    """
    (world,), (task,) = read(domain), read(problem)
    sections = [part for part in (*world, *task) if isinstance(part, tuple) and part]
    if any(section[0] in UNKNOWN for section in sections):
        return ""
    return _Replay(sections).run(actions)


class _Replay:
    """The state of a replay."""

    def __init__(self, sections: Sequence[Fact]) -> None:
        named = {section[0]: section for section in sections if section[0] != ":action"}
        self.actions = {section[1]: _fields(section) for section in sections if section[0] == ":action"}
        self.parents = dict(_typed(named.get(":types", ())[1:]))
        objects = (*named.get(":constants", ())[1:], *named.get(":objects", ())[1:])
        self.objects = dict(_typed(objects))
        self.facts: set[Fact] = set()
        self.numbers: dict[Fact, float] = {}
        for fact in named.get(":init", ())[1:]:
            if fact[0] == "=":
                self.numbers[_term(fact[1])] = float(str(fact[2]))
            else:
                self.facts.add(_term(fact))
        self.goal = named[":goal"][1]

    def run(self, actions: Sequence[Action]) -> str:
        for number, action in enumerate(actions, start=1):
            fields, args = self.actions.get(action.name.lower()), tuple(arg.lower() for arg in action.args)
            if fields is None:
                return f"step {number} is no action: {action}"
            parameters = list(_typed(fields.get(":parameters", ())))
            if len(parameters) != len(args) or not all(map(self._fits, args, (kind for _, kind in parameters))):
                return f"step {number} has the wrong arguments: {action}"
            binding = {name: arg for (name, _), arg in zip(parameters, args, strict=True)}
            if not self._holds(fields.get(":precondition", ()), binding):
                return f"the condition of step {number}, {action}, does not hold"
            self._apply(list(self._effects(fields.get(":effect", ()), binding)))
        return "" if self._holds(self.goal, {}) else "the goal does not hold at the end"

    def _fits(self, name: str, kind: Expression) -> bool:
        if name not in self.objects:
            return False
        kinds = kind[1:] if isinstance(kind, tuple) else (kind,)
        own: Expression | None = self.objects[name]
        while own is not None:
            if "object" in kinds or own in kinds:
                return True
            own = self.parents.get(str(own))
        return False

    def _bindings(self, parameters: Expression, binding: Binding) -> Iterator[Binding]:
        typed = list(_typed(parameters))
        choices = [[name for name in self.objects if self._fits(name, kind)] for _, kind in typed]
        for args in product(*choices):
            yield {**binding, **{name: arg for (name, _), arg in zip(typed, args, strict=True)}}

    def _holds(self, part: Expression, binding: Binding) -> bool:
        if not part:
            return True
        head = part[0]
        if head in ("and", "or"):
            return (all if head == "and" else any)(self._holds(operand, binding) for operand in part[1:])
        if head == "not":
            return not self._holds(part[1], binding)
        if head == "imply":
            return not self._holds(part[1], binding) or self._holds(part[2], binding)
        if head in ("forall", "exists"):
            return (all if head == "forall" else any)(self._holds(part[2], b) for b in self._bindings(part[1], binding))
        if head in COMPARE:
            return self._compares(part, binding)
        return _bound(part, binding) in self.facts

    def _compares(self, part: Expression, binding: Binding) -> bool:
        left, right = part[1], part[2]
        if part[0] == "=" and all(isinstance(side, str) and not _is_number(side) for side in (left, right)):
            return binding.get(str(left), left) == binding.get(str(right), right)
        return COMPARE[str(part[0])](self._value(left, binding), self._value(right, binding))

    def _value(self, part: Expression, binding: Binding) -> float:
        if isinstance(part, str) and _is_number(part):
            return float(part)
        if part[0] in COMPUTE and isinstance(part, tuple):
            values = [self._value(operand, binding) for operand in part[1:]]
            return COMPUTE[str(part[0])](*values) if len(values) > 1 else -values[0]
        return self.numbers.get(_bound(_term(part), binding), 0.0)

    def _effects(self, part: Expression, binding: Binding) -> Iterator[tuple[str, Fact, float]]:
        """Yield the changes, computed on the state before: the kind, the fact, and the amount."""
        head = part[0] if part else "and"
        if head == "and":
            for effect in part[1:]:
                yield from self._effects(effect, binding)
        elif head in ("forall", "when"):
            inner = self._bindings(part[1], binding) if head == "forall" else iter([binding])
            for bound in inner:
                if head == "forall" or self._holds(part[1], bound):
                    yield from self._effects(part[2], bound)
        elif head in COMPUTE:
            yield str(head), _bound(_term(part[1]), binding), self._value(part[2], binding)
        elif head == "not":
            yield "not", _bound(part[1], binding), 0.0
        else:
            yield "add", _bound(part, binding), 0.0

    def _apply(self, changes: Sequence[tuple[str, Fact, float]]) -> None:
        self.facts -= {fact for how, fact, _ in changes if how == "not"}
        self.facts |= {fact for how, fact, _ in changes if how == "add"}
        for how, fact, amount in changes:
            if how in COMPUTE:
                self.numbers[fact] = COMPUTE[how](self.numbers.get(fact, 0.0), amount)


def _fields(section: Fact) -> dict[Expression, Expression]:
    return dict(zip(section[2::2], section[3::2], strict=True))


def _typed(words: Expression) -> Iterator[tuple[str, Expression]]:
    """Yield names with their type, ``object`` by default, of a list such as ``a b - c d``."""
    names: list[str] = []
    parts = iter(words)
    for word in parts:
        if word == "-":
            kind = next(parts)
            yield from ((name, kind) for name in names)
            names = []
        else:
            names.append(str(word))
    yield from ((name, "object") for name in names if name != "object")


def _term(part: Expression) -> Fact:
    return part if isinstance(part, tuple) else (part,)


def _bound(part: Expression, binding: Binding) -> Fact:
    return tuple(binding.get(str(arg), arg) for arg in _term(part))


def _is_number(word: str) -> bool:
    return word.replace(".", "", 1).lstrip("-+").isdigit()
