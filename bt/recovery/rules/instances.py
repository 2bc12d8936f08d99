"""For which things a repair rule applies to a step that cannot be taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from domains.model import RepairRule, RepairStep
from domains.problem import Problem
from semantics.atoms import And, Atom, Formula, Variable
from semantics.conditions import expanded
from semantics.errors import UsageError
from semantics.state import Action, Operator, State
from semantics.vocabulary import Thing

__all__ = ["Binding", "RuleInstance", "bound", "grounded", "late_bindings"]

Binding = Mapping[str, str]
"""Names of things, by ``?variable``."""


class RuleInstance(NamedTuple):
    """A rule and what its variables stand for; `free` are those that are chosen, since its condition tells nothing."""

    rule: RepairRule
    binding: Binding
    free: tuple[Variable, ...]


def bound(rule: RepairRule, step: Operator, culprits: Sequence[str], problem: Problem) -> Iterator[RuleInstance]:
    """Yield the ways in which `rule` applies to `step`.

    Args:
        rule: What mends.
        step: What cannot be taken.
        culprits: What the failure blames.
        problem: The world, in the state before the step.
    """
    things, state = problem.objects, problem.state
    start: dict[str, str] = {}
    if rule.capability:
        if rule.capability != step.action.name:
            return
        parameters = problem.domain.capabilities[rule.capability].parameters
        start = {f"?{one.name}": arg for one, arg in zip(parameters, step.action.args, strict=True)}
    wanted = {f"?{one.name}": one.affordance for one in rule.variables}
    asked = tuple(_asked(rule.when))
    told = {arg for atom in _atoms(rule.when) for arg in atom.args}
    open_ = tuple(one for one in rule.variables if f"?{one.name}" not in told and one.name not in rule.culprits)
    free = tuple(one for one in open_ if f"?{one.name}" in _named(rule.before, rule.instead))
    seen: set[tuple[tuple[str, str], ...]] = set()
    for blamed in _blamed(rule, culprits):
        for found in _joined(asked, {**start, **blamed}, state):
            for whole in _completed(rule, found, open_, things):
                key = tuple(sorted(whole.items()))
                if key not in seen and _fits(whole, wanted, things) and _holds(rule.when, whole, state, things):
                    seen.add(key)
                    yield RuleInstance(rule, whole, free)


def _named(*parts: Iterable[RepairStep]) -> set[str]:
    return {arg for steps in parts for step in steps for arg in step.args}


def late_bindings(rule: RepairRule, binding: Binding, things: Mapping[str, Thing]) -> Iterator[Binding]:
    """Yield `binding` with things for what only the restoring speaks of: where the robot is by then."""
    left = [one for one in rule.variables if f"?{one.name}" not in binding]
    for names in product(*([name for name, thing in things.items() if _affords(thing, one)] for one in left)):
        yield {**binding, **{f"?{one.name}": name for one, name in zip(left, names, strict=True)}}


def _asked(formula: Formula | None) -> Iterator[Atom]:
    """Yield the atoms that must hold, whatever else does."""
    match formula:
        case Atom():
            yield formula
        case And(parts):
            for part in parts:
                yield from _asked(part)


def _atoms(formula: Formula | None) -> Iterator[Atom]:
    if isinstance(formula, Atom):
        yield formula
        return
    inner = getattr(formula, "parts", None) or tuple(filter(None, (getattr(formula, "part", None),)))
    for part in inner:
        yield from _atoms(part)


def _blamed(rule: RepairRule, culprits: Sequence[str]) -> Iterator[dict[str, str]]:
    for names in product(culprits, repeat=len(rule.culprits)):
        if len(set(names)) == len(names):
            yield {f"?{name}": one for name, one in zip(rule.culprits, names, strict=True)}


def _joined(atoms: Sequence[Atom], binding: Binding, state: State) -> Iterator[dict[str, str]]:
    """Yield the bindings under which all `atoms` hold."""
    if not atoms:
        yield dict(binding)
        return
    first, *rest = atoms
    for fact in sorted(one for one in state.atoms if one.predicate == first.predicate):
        more = dict(binding)
        if len(fact.args) == len(first.args) and all(
            (more.setdefault(arg, name) if arg.startswith("?") else arg) == name
            for arg, name in zip(first.args, fact.args, strict=True)
        ):
            yield from _joined(rest, more, state)


def _completed(
    rule: RepairRule, binding: Binding, free: Iterable[Variable], things: Mapping[str, Thing]
) -> Iterator[dict[str, str]]:
    """Yield `binding` with a thing for every variable that only a denial or a choice speaks of."""
    left = [one for one in rule.variables if f"?{one.name}" not in binding and one not in free]
    for names in product(*([name for name, thing in things.items() if _affords(thing, one)] for one in left)):
        yield {**binding, **{f"?{one.name}": name for one, name in zip(left, names, strict=True)}}


def _affords(thing: Thing, variable: Variable) -> bool:
    return variable.affordance == "object" or variable.affordance in thing.affordances


def _fits(binding: Binding, wanted: Mapping[str, str], things: Mapping[str, Thing]) -> bool:
    return all(
        name in things and _affords(things[name], Variable(one, wanted.get(one, "object")))
        for one, name in binding.items()
    )


def _holds(when: Formula | None, binding: Binding, state: State, things: Mapping[str, Thing]) -> bool:
    try:
        return when is None or state.judge(expanded(when, things, binding))
    except UsageError:  # a number that nobody knows
        return False


def grounded(steps: Iterable[RepairStep], binding: Binding, problem: Problem) -> tuple[Operator, ...] | None:
    """Return the steps of a rule as operators; None when they make no sense with these things."""
    actions = [Action(one.capability, tuple(binding.get(arg, arg) for arg in one.args)) for one in steps]
    try:
        return tuple(map(problem.ground, actions))
    except UsageError:
        return None
