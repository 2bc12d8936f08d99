"""A task as text for Fast Downward's search program (its translator's output, version 3).

Each fact is a variable with two values; 0 stands for true. Several goals are joined by a last action of no cost each,
so that nothing needs a disjunction or an axiom, which LM-cut does not take.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from planning.task.grounding import Signed, Task

__all__ = ["DONE", "write_sas"]

DONE = "done"
"""Name of the action that ends a plan for one of several goals."""


def write_sas(task: Task, costs: Sequence[int]) -> str:
    """Write `task` with `costs` for its steps; the step at index 7 is called ``o7``, the end of goal 0 ``done0``."""
    numbers = {fact: number for number, fact in enumerate(task.named)}
    count = len(numbers)
    values = ["0" if fact in task.start else "1" for fact in task.named]
    several = len(task.goals) != 1
    if several:
        values.append("1")
    lines = ["begin_version", "3", "end_version", "begin_metric", "1", "end_metric", str(len(values))]
    for number in range(len(values)):
        lines += [
            "begin_variable",
            f"v{number}",
            "-1",
            "2",
            f"Atom a{number}()",
            f"NegatedAtom a{number}()",
            "end_variable",
        ]
    lines += ["0", "begin_state", *values, "end_state", "begin_goal"]
    goal = [f"{count} 0"] if several else _values(task.goals[0], numbers)
    lines += [str(len(goal)), *goal, "end_goal", str(len(task.steps) + (len(task.goals) if several else 0))]
    for number, (step, cost) in enumerate(zip(task.steps, costs, strict=True)):
        lines += _operator(f"o{number}", step.asked, step.made, numbers, cost)
    if several:
        for number, literals in enumerate(task.goals):
            asked = _values(literals, numbers)
            lines += [
                "begin_operator",
                f"{DONE}{number}",
                str(len(asked)),
                *asked,
                "1",
                f"0 {count} -1 0",
                "0",
                "end_operator",
            ]
    lines += ["0", ""]
    return "\n".join(lines)


def _values(literals: Iterable[Signed], numbers: dict[tuple[str, tuple[str, ...]], int]) -> list[str]:
    return [f"{numbers[fact]} {0 if positive else 1}" for fact, positive in literals]


def _operator(
    name: str, asked: list[Signed], made: list[Signed], numbers: dict[tuple[str, tuple[str, ...]], int], cost: int
) -> list[str]:
    before = {numbers[fact]: 0 if positive else 1 for fact, positive in asked}
    after = {numbers[fact]: 0 if positive else 1 for fact, positive in made}
    prevail = [f"{number} {value}" for number, value in sorted(before.items()) if number not in after]
    effects = [f"0 {number} {before.get(number, -1)} {value}" for number, value in sorted(after.items())]
    return ["begin_operator", name, str(len(prevail)), *prevail, str(len(effects)), *effects, str(cost), "end_operator"]
