"""The features of a problem that a planner must support, read from its PDDL text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from semantics.errors import FormulaError
from semantics.logic.parsing import Group, Node, Word, parse_sexpr


class Feature(StrEnum):
    """A feature of problems that some planner does not support, or for which it is not sound."""

    DERIVED = "derived predicates"
    DISJUNCTIVE_GOAL = "a goal with alternatives"
    UNIVERSAL_CONDITIONS = "conditions on all things"
    DISJUNCTIVE_CONDITIONS = "conditions with alternatives"
    CONDITIONAL_EFFECTS = "conditional effects"
    NEGATIVE_CONDITIONS = "negative conditions"
    NUMERIC = "numbers that change or are compared"
    DURATIVE = "actions that last"
    COSTS = "action costs"
    UNREADABLE = "text that is no PDDL"


@dataclass(frozen=True, slots=True)
class Features:
    """The features of a problem, and its size."""

    present: frozenset[Feature]
    actions: int = 0
    objects: int = 0


COMPARISONS = frozenset({"<", ">", "<=", ">="})
CHANGES = frozenset({"increase", "decrease", "assign", "scale-up", "scale-down"})
CONDITION, EFFECT, GOAL = "condition", "effect", "goal"
KEYS = {":precondition": CONDITION, ":condition": CONDITION, ":effect": EFFECT}
NOT_FACTS = frozenset({"=", "and", "or", "not", "forall", "exists", "imply", "when"})


def features(domain: str, problem: str) -> Features:
    """Return the features of a problem.

    In doubt, a feature is reported: then a suitable planner may be skipped, but one that is not sound is never chosen.
    """
    try:
        files = [parse_sexpr(text) for text in (domain, _without_facts(problem))]
    except FormulaError:
        files = []
    groups = [file for file in files if isinstance(file, Group)]
    if len(groups) < 2:
        return Features(frozenset({Feature.UNREADABLE}))
    sections = [part for group in groups for part in group.items if isinstance(part, Group)]
    present = {feature for section in sections for feature in _section(section)}
    actions = sum(section.head in (":action", ":durative-action") for section in sections)
    objects = sum(_names(section) for section in sections if section.head in (":objects", ":constants"))
    return Features(frozenset(present), actions, objects)


def features_of_task(task: str) -> Features:
    """Return the features of a ground task, as `planning.task.sas` and `planning.adl` write it.

    Such a task contains no numbers, durations or alternatives any more: only rules, conditional effects and costs.
    """
    lines = task.splitlines()
    present = {Feature.COSTS}
    if "begin_rule" in lines:
        present.add(Feature.DERIVED)
    starts = [number for number, line in enumerate(lines) if line == "begin_operator"]
    if any(_conditional(lines, start) for start in starts):
        present.add(Feature.CONDITIONAL_EFFECTS)
    return Features(frozenset(present), len(starts))


def _conditional(lines: list[str], start: int) -> bool:
    """Return whether the operator at line `start` has an effect with conditions; their number begins its line."""
    first = start + 3 + int(lines[start + 2])
    return any(line[0] != "0" for line in lines[first + 1 : first + 1 + int(lines[first])])


def _without_facts(problem: str) -> str:
    """Remove the initial state, if it is easy to find: it is most of a large problem and contains no features."""
    start, goal = problem.find("(:init"), problem.find("(:goal")
    plain = 0 <= start < goal and ";" not in problem and problem.find("(:", start + 1) == goal
    return problem[:start] + problem[goal:] if plain else problem


def _names(section: Group) -> int:
    words = [item.text for item in section.items[1:] if isinstance(item, Word)]
    return len(words) - 2 * words.count("-")


def _section(section: Group) -> Iterator[Feature]:
    kind = section.head
    if kind == ":derived":
        yield Feature.DERIVED
        yield from _walk(section.items[-1], CONDITION)
    elif kind == ":goal":
        yield from _walk(section.items[-1], GOAL)
    elif kind == ":metric":
        yield Feature.COSTS
    elif kind == ":durative-action":
        yield Feature.DURATIVE
    if kind in (":action", ":durative-action"):
        for key, value in pairwise(section.items):
            if isinstance(key, Word) and key.text in KEYS:
                yield from _walk(value, KEYS[key.text])


def _walk(root: Node, where: str) -> Iterator[Feature]:
    """Yield the features of a formula; `where` says whether it belongs to a goal, a condition or an effect."""
    stack: list[tuple[Node, str, bool]] = [(root, where, True)]
    while stack:
        part, where, positive = stack.pop()
        if isinstance(part, Word) or not part.items:
            continue
        head, rest = part.head, part.items[1:]
        yield from _traits(part, where, positive)
        if head == "when":
            stack += [(rest[0], CONDITION, True), *((effect, EFFECT, True) for effect in rest[1:])]
        elif head in ("forall", "exists"):
            stack += [(inner, where, positive) for inner in rest[1:]]
        elif head in ("not", "imply"):
            stack += [(inner, where, not positive) for inner in rest]
        elif head not in CHANGES:
            stack += [(inner, where, positive) for inner in part.items]


def _traits(part: Group, where: str, positive: bool) -> Iterator[Feature]:
    head, rest = part.head, part.items[1:]
    if head in CHANGES:
        changed = rest[0]
        if (changed.head if isinstance(changed, Group) else changed.text) != "total-cost":
            yield Feature.NUMERIC
    elif head in COMPARISONS or (head == "=" and any(isinstance(arg, Group) for arg in rest)):
        yield Feature.NUMERIC
    elif head == "when":
        yield Feature.CONDITIONAL_EFFECTS
    elif where != EFFECT:
        yield from _logic(head, where, positive)


def _logic(head: str, where: str, positive: bool) -> Iterator[Feature]:
    if (head in ("or", "imply") and positive) or (head == "and" and not positive):
        yield Feature.DISJUNCTIVE_GOAL if where == GOAL else Feature.DISJUNCTIVE_CONDITIONS
    elif (head == "exists") != positive and head in ("forall", "exists"):
        yield Feature.UNIVERSAL_CONDITIONS
    elif head in ("forall", "exists"):
        yield Feature.DISJUNCTIVE_GOAL if where == GOAL else Feature.DISJUNCTIVE_CONDITIONS
    elif head and not positive and head not in NOT_FACTS:
        yield Feature.NEGATIVE_CONDITIONS
