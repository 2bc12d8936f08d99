"""Translates ground tasks, as `planning.task.sas` writes them, into PDDL without parameters.

A variable with two values becomes an atom, which is true at value 0. A variable with more values becomes one atom for
each value, of which exactly one holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def pddl(task: str) -> tuple[str, str]:
    """Return the domain and the problem; actions keep their names."""
    return _Task(task.splitlines()).pddl()


class _Task:
    """A task, line by line."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = list(lines)
        self.sizes = [int(lines[number + 3]) for number, line in enumerate(lines) if line == "begin_variable"]

    def pddl(self) -> tuple[str, str]:
        lines = self.lines
        values = lines[lines.index("begin_state") + 1 : lines.index("end_state")]
        goal = lines[lines.index("begin_goal") + 2 : lines.index("end_goal")]
        domain = (
            "(define (domain ground) (:requirements :strips :negative-preconditions :action-costs)\n"
            f" (:predicates {' '.join(self.atoms())}) (:functions (total-cost) - number)\n"
            + "\n".join((*self.rules(), *self.actions()))
            + ")"
        )
        held = (self.literal(number, value) for number, value in enumerate(values))
        start = " ".join(literal for literal in held if not literal.startswith("(not"))
        problem = (
            f"(define (problem one) (:domain ground) (:init {start} (= (total-cost) 0))\n"
            f" (:goal (and {' '.join(self.literal(*line.split()) for line in goal)})) (:metric minimize (total-cost)))"
        )
        return domain, problem

    def atoms(self) -> Iterator[str]:
        for number, size in enumerate(self.sizes):
            yield from (self.literal(number, value) for value in range(size if size > 2 else 1))

    def literal(self, variable: int | str, value: int | str) -> str:
        if self.sizes[int(variable)] > 2:
            return f"(v{variable}-{value})"
        return f"(v{variable})" if int(value) == 0 else f"(not (v{variable}))"

    def change(self, variable: str, before: str, after: str) -> str:
        """Return the effect that sets `variable` to `after`, from `before` or (if that is -1) from any value."""
        made = self.literal(variable, after)
        if (size := self.sizes[int(variable)]) == 2:
            return made
        gone = range(size) if before == "-1" else (int(before),)
        return " ".join((made, *(f"(not {self.literal(variable, value)})" for value in gone if value != int(after))))

    def actions(self) -> Iterator[str]:
        lines, place = self.lines, 0
        for _ in range(lines.count("begin_operator")):
            place = lines.index("begin_operator", place) + 1
            name, end = lines[place], lines.index("end_operator", place)
            prevails = int(lines[place + 1])
            asked = [self.literal(*line.split()) for line in lines[place + 2 : place + 2 + prevails]]
            made = []
            for line in lines[place + 3 + prevails : end - 1]:
                _, *conditions, variable, before, after = line.split()
                asked += [] if before == "-1" else [self.literal(variable, before)]
                effect = self.change(variable, before, after)
                when = " ".join(map(self.literal, conditions[::2], conditions[1::2]))
                made.append(f"(when (and {when}) (and {effect}))" if conditions else effect)
            effect = f"(and {' '.join(made)} (increase (total-cost) {lines[end - 1]}))"
            yield f" (:action {name} :parameters () :precondition (and {' '.join(asked)}) :effect {effect})"

    def rules(self) -> Iterator[str]:
        lines, place = self.lines, 0
        for _ in range(lines.count("begin_rule")):
            place = lines.index("begin_rule", place) + 1
            body = lines[place + 1 : place + 1 + int(lines[place])]
            head = lines[place + 1 + len(body)].split()[0]
            yield f" (:derived (v{head}) (and {' '.join(self.literal(*line.split()) for line in body)}))"
