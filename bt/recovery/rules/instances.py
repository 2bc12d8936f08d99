"""Finds the bindings under which a repair rule applies to a step that is not applicable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from domains.model import RepairRule, RepairStep
from domains.problem import Problem
from semantics.atoms import And, Atom, Formula, Variable, literals
from semantics.conditions import expanded
from semantics.errors import UsageError
from semantics.state import Action, Operator, State
from semantics.vocabulary import Thing

__all__ = ["Binding", "RuleInstance", "bound", "grounded", "late_bindings"]

Binding = Mapping[str, str]
"""Names of objects, by ``?variable``."""


class RuleInstance(NamedTuple):
    """A rule with a binding; `free` are the variables that the condition does not determine."""

    rule: RepairRule
    binding: Binding
    free: tuple[Variable, ...]


def bound(rule: RepairRule, step: Operator, culprits: Sequence[str], problem: Problem) -> Iterator[RuleInstance]:
    """Yield the ways in which `rule` applies to `step`.

    Args:
        rule: The rule.
        step: The step that is not applicable.
        culprits: The objects that the failure names.
        problem: The problem, in the state before the step.
    """
    things, state = problem.objects, problem.state
    # Four sources of a binding, in turn: the failed step, the culprits, the facts of the condition, free choice.
    start: dict[str, str] = {}
    if rule.capability:
        if rule.capability != step.action.name:
            return
        parameters = problem.domain.capabilities[rule.capability].parameters
        start = {f"?{parameter.name}": arg for parameter, arg in zip(parameters, step.action.args, strict=True)}
    wanted = {f"?{variable.name}": variable.affordance for variable in rule.variables}
    asked = tuple(_asked(rule.when))
    named = {arg for literal in literals(rule.when or And(())) for arg in literal.atom.args}
    open_ = tuple(
        variable
        for variable in rule.variables
        if f"?{variable.name}" not in named and variable.name not in rule.culprits
    )
    free = tuple(variable for variable in open_ if f"?{variable.name}" in _named(rule.before, rule.instead))
    seen: set[tuple[tuple[str, str], ...]] = set()
    for blamed in _blamed(rule, culprits):
        for match in _joined(asked, {**start, **blamed}, state):
            for binding in _completed(rule, match, open_, things):
                key = tuple(sorted(binding.items()))
                if key not in seen and _fits(binding, wanted, things) and _holds(rule.when, binding, state, things):
                    seen.add(key)
                    yield RuleInstance(rule, binding, free)


def _named(*parts: Iterable[RepairStep]) -> set[str]:
    return {arg for steps in parts for step in steps for arg in step.args}


def late_bindings(rule: RepairRule, binding: Binding, things: Mapping[str, Thing]) -> Iterator[Binding]:
    """Yield `binding` with objects for the variables that only the restoring steps use, such as a later place."""
    left = [variable for variable in rule.variables if f"?{variable.name}" not in binding]
    for names in product(*([name for name, thing in things.items() if _affords(thing, variable)] for variable in left)):
        yield {**binding, **{f"?{variable.name}": name for variable, name in zip(left, names, strict=True)}}


def _asked(formula: Formula | None) -> Iterator[Atom]:
    """Yield the atoms that hold in every state that satisfies `formula`."""
    match formula:
        case Atom():
            yield formula
        case And(parts):
            for part in parts:
                yield from _asked(part)


def _blamed(rule: RepairRule, culprits: Sequence[str]) -> Iterator[dict[str, str]]:
    for names in product(culprits, repeat=len(rule.culprits)):
        if len(set(names)) == len(names):
            yield {f"?{name}": culprit for name, culprit in zip(rule.culprits, names, strict=True)}


def _joined(atoms: Sequence[Atom], binding: Binding, state: State) -> Iterator[dict[str, str]]:
    """Yield the bindings under which all `atoms` hold."""
    if not atoms:
        yield dict(binding)
        return
    first, *rest = atoms
    for fact in sorted(atom for atom in state.atoms if atom.predicate == first.predicate):
        more = dict(binding)
        if len(fact.args) == len(first.args) and all(
            (more.setdefault(arg, name) if arg.startswith("?") else arg) == name
            for arg, name in zip(first.args, fact.args, strict=True)
        ):
            yield from _joined(rest, more, state)


def _completed(
    rule: RepairRule, binding: Binding, free: Iterable[Variable], things: Mapping[str, Thing]
) -> Iterator[dict[str, str]]:
    """Yield `binding` with an object for every variable that occurs only under a negation or a disjunction."""
    left = [variable for variable in rule.variables if f"?{variable.name}" not in binding and variable not in free]
    for names in product(*([name for name, thing in things.items() if _affords(thing, variable)] for variable in left)):
        yield {**binding, **{f"?{variable.name}": name for variable, name in zip(left, names, strict=True)}}


def _affords(thing: Thing, variable: Variable) -> bool:
    return variable.affordance == "object" or variable.affordance in thing.affordances


def _fits(binding: Binding, wanted: Mapping[str, str], things: Mapping[str, Thing]) -> bool:
    return all(
        name in things and _affords(things[name], Variable(variable, wanted.get(variable, "object")))
        for variable, name in binding.items()
    )


def _holds(when: Formula | None, binding: Binding, state: State, things: Mapping[str, Thing]) -> bool:
    try:
        return when is None or state.judge(expanded(when, things, binding))
    except UsageError:  # the value of a number is unknown
        return False


def grounded(steps: Iterable[RepairStep], binding: Binding, problem: Problem) -> tuple[Operator, ...] | None:
    """Return the steps of a rule as operators; None when they cannot be grounded with these objects."""
    actions = [Action(step.capability, tuple(binding.get(arg, arg) for arg in step.args)) for step in steps]
    try:
        return tuple(map(problem.ground, actions))
    except UsageError:
        return None
