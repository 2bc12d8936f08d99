"""Writes a compiled task as text for Fast Downward's search program; `planning.task.sas` writes plain tasks.

Each atom is a variable with two values, and 0 means true. An effect line begins with its conditions. A derived atom has
a layer, is false at the start, and follows from rules.
"""

from __future__ import annotations

from collections.abc import Iterator

from planning.adl.task import AdlAction, AdlTask
from planning.task.sas import DONE
from semantics.logic.atoms import Atom, Conjunct

__all__ = ["write_adl"]

Numbers = dict[Atom, int]


def write_adl(task: AdlTask) -> str:
    """Return `task` as text; the step at index 7 is called ``o7``, the end of goal 0 ``done0``."""
    layers = {rule.head: rule.layer for rule in task.rules}
    numbers = {atom: number for number, atom in enumerate(sorted(_named(task)))}
    count = len(numbers)
    values = ["0" if atom in task.start and atom not in layers else "1" for atom in numbers] + ["1"]
    lines = ["begin_version", "3", "end_version", "begin_metric", "1", "end_metric", str(count + 1)]
    for atom, number in numbers.items():
        lines += _variable(number, layers.get(atom, -1))
    lines += [*_variable(count, -1), "0", "begin_state", *values, "end_state"]
    lines += ["begin_goal", "1", f"{count} 0", "end_goal", str(len(task.steps) + len(task.goals))]
    for number, step in enumerate(task.steps):
        lines += _operator(f"o{number}", step, numbers)
    for number, goal in enumerate(task.goals):
        asked = _values(goal, numbers)
        lines += ["begin_operator", f"{DONE}{number}", str(len(asked)), *asked, "1", f"0 {count} -1 0", "0"]
        lines += ["end_operator"]
    lines.append(str(len(task.rules)))
    for rule in task.rules:
        body = _values(rule.body, numbers)
        lines += ["begin_rule", str(len(body)), *body, f"{numbers[rule.head]} 1 0", "end_rule"]
    return "\n".join([*lines, ""])


def _named(task: AdlTask) -> set[Atom]:
    atoms = {rule.head for rule in task.rules}
    conjuncts = [*task.goals, *(rule.body for rule in task.rules)]
    for step in task.steps:
        conjuncts.append(step.asked)
        for effect in step.effects:
            conjuncts.append(effect.condition)
            atoms.update(literal.atom for literal in effect.made)
    return atoms.union(literal.atom for conjunct in conjuncts for literal in conjunct)


def _variable(number: int, layer: int) -> list[str]:
    names = f"Atom a{number}()", f"NegatedAtom a{number}()"
    return ["begin_variable", f"v{number}", str(layer), "2", *names, "end_variable"]


def _values(literals: Conjunct, numbers: Numbers) -> list[str]:
    return [f"{numbers[atom]} {0 if positive else 1}" for atom, positive in sorted(literals)]


def _operator(name: str, step: AdlAction, numbers: Numbers) -> list[str]:
    changed = {literal.atom for effect in step.effects for literal in effect.made}
    prevail = _values(frozenset(literal for literal in step.asked if literal.atom not in changed), numbers)
    effects = list(_effects(step, numbers))
    cost = str(step.operator.cost)
    return ["begin_operator", name, str(len(prevail)), *prevail, str(len(effects)), *effects, cost, "end_operator"]


def _effects(step: AdlAction, numbers: Numbers) -> Iterator[str]:
    """Yield effect lines, deletions first. The first line of each variable contains the required value."""
    before = {literal.atom: 0 if literal.positive else 1 for literal in step.asked}
    pairs = [(literal, effect.condition) for effect in step.effects for literal in effect.made]
    for literal, condition in sorted(pairs, key=lambda pair: pair[0].positive):
        asked = before.pop(literal.atom, -1)
        conditions = "".join(f"{value} " for value in _values(condition, numbers))
        yield f"{len(condition)} {conditions}{numbers[literal.atom]} {asked} {0 if literal.positive else 1}"
