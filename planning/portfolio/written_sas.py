"""Ground tasks of two-valued variables, as `planning.task.sas` writes them, told again as PDDL without parameters."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["pddl"]


def pddl(task: str) -> tuple[str, str]:
    """Return domain and problem; the variable at index 7 is ``v7``, true at value 0, and actions keep their names."""
    lines = task.splitlines()
    count = lines.count("begin_variable")
    values = lines[lines.index("begin_state") + 1 : lines.index("end_state")]
    goal = lines[lines.index("begin_goal") + 2 : lines.index("end_goal")]
    facts = " ".join(f"(v{number})" for number in range(count))
    domain = (
        "(define (domain ground) (:requirements :strips :negative-preconditions :action-costs)\n"
        f" (:predicates {facts}) (:functions (total-cost) - number)\n"
        + "\n".join((*_rules(lines), *_actions(lines)))
        + ")"
    )
    start = " ".join(f"(v{number})" for number, value in enumerate(values) if value == "0")
    problem = (
        f"(define (problem one) (:domain ground) (:init {start} (= (total-cost) 0))\n"
        f" (:goal (and {' '.join(_literal(*line.split()) for line in goal)})) (:metric minimize (total-cost)))"
    )
    return domain, problem


def _actions(lines: list[str]) -> Iterator[str]:
    place = 0
    for _ in range(lines.count("begin_operator")):
        place = lines.index("begin_operator", place) + 1
        name, end = lines[place], lines.index("end_operator", place)
        prevails = int(lines[place + 1])
        asked = [_literal(*line.split()) for line in lines[place + 2 : place + 2 + prevails]]
        made = []
        for line in lines[place + 3 + prevails : end - 1]:
            _, *conditions, variable, before, after = line.split()
            asked += [] if before == "-1" else [_literal(variable, before)]
            effect, when = _literal(variable, after), map(_literal, conditions[::2], conditions[1::2])
            made.append(f"(when (and {' '.join(when)}) {effect})" if conditions else effect)
        effect = f"(and {' '.join(made)} (increase (total-cost) {lines[end - 1]}))"
        yield f" (:action {name} :parameters () :precondition (and {' '.join(asked)}) :effect {effect})"


def _rules(lines: list[str]) -> Iterator[str]:
    place = 0
    for _ in range(lines.count("begin_rule")):
        place = lines.index("begin_rule", place) + 1
        body = lines[place + 1 : place + 1 + int(lines[place])]
        head = lines[place + 1 + len(body)].split()[0]
        yield f" (:derived (v{head}) (and {' '.join(_literal(*line.split()) for line in body)}))"


def _literal(variable: str, value: str) -> str:
    return f"(v{variable})" if value == "0" else f"(not (v{variable}))"
