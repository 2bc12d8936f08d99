"""Writes a task as text for Fast Downward's search program (the format of its translator, version 3).

A variable holds a set of facts that exclude each other, often only one. Its last value means that none of them holds.
Each of several goals gets a final action of cost zero, so that no disjunction and no axiom is needed, which LM-cut does
not support.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeVar

from planning.task.grounding import GroundAction, SearchTask, Signed
from planning.task.schemas import Fact
from semantics.body.protocols import FoundPlan

Step = TypeVar("Step")

DONE = "done"  # the name of the action that ends a plan for one of several goals


def write_sas(task: SearchTask, costs: Sequence[int]) -> str:
    """Return `task` as text with `costs` for its steps; the step at index 7 is ``o7``, the end of goal 0 ``done0``."""
    variables = _Variables(task)
    sizes = [(-1, len(facts) + 1) for facts in variables.sets]
    steps = zip(task.steps, costs, strict=True)
    operators = [variables.operator(f"o{number}", step, cost) for number, (step, cost) in enumerate(steps)]
    goals = [variables.asked(literals) for literals in task.goals]
    return sas_text(sizes, variables.start(task.start), goals, operators, ends=len(goals) != 1)


def sas_text(
    variables: Sequence[tuple[int, int]],
    start: Iterable[str],
    goals: Sequence[list[str]],
    operators: Iterable[list[str]],
    rules: Sequence[list[str]] = (),
    *,
    ends: bool = True,
) -> str:
    """Return a task as text.

    Args:
        variables: The layer (-1 if it is not derived) and the number of values of each variable.
        start: The value of each variable.
        goals: The values that each goal asks for, as ``variable value``.
        operators: The lines of each action, see `operator_lines`.
        rules: The lines of each rule.
        ends: Whether each goal gets a final action; otherwise there is one goal.
    """
    count = len(variables)
    if ends:
        variables, start = [*variables, (-1, 2)], [*start, "1"]
        done = [operator_lines(f"{DONE}{number}", goal, [f"0 {count} -1 0"], 0) for number, goal in enumerate(goals)]
        operators, goals = [*operators, *done], [[f"{count} 0"]]
    lines = ["begin_version", "3", "end_version", "begin_metric", "1", "end_metric", str(len(variables))]
    for number, (layer, size) in enumerate(variables):
        lines += ["begin_variable", f"v{number}", str(layer), str(size)]
        lines += [f"Atom a{number}_{value}()" for value in range(size - 1)]
        lines += [f"NegatedAtom a{number}_0()" if size == 2 else "<none of those>", "end_variable"]
    lines += ["0", "begin_state", *start, "end_state", "begin_goal", str(len(goals[0])), *goals[0], "end_goal"]
    for parts in (list(operators), rules):
        lines.append(str(len(parts)))
        for part in parts:
            lines += part
    return "\n".join([*lines, ""])


def operator_lines(name: str, prevail: Sequence[str], effects: Sequence[str], cost: int) -> list[str]:
    """Return the lines of an action with the values that it requires and keeps, and the lines of its effects."""
    return [
        "begin_operator", name, str(len(prevail)), *prevail, str(len(effects)), *effects, str(cost), "end_operator"
    ]  # fmt: skip


def read_plan(plan: FoundPlan, steps: Sequence[Step], numbers: Sequence[int]) -> tuple[int, list[Step]]:
    """Return the number of the goal that a plan reaches, and its steps, from the names that the text gives them."""
    taken = [steps[int(action.name[1:])] for action in plan.actions if not action.name.startswith(DONE)]
    ends = [int(action.name.removeprefix(DONE)) for action in plan.actions if action.name.startswith(DONE)]
    return numbers[ends[0] if ends else 0], taken


class _Variables:
    """Variables and their values for the facts of a task; the last value of each means that no fact of it holds."""

    def __init__(self, task: SearchTask) -> None:
        joined = {fact for facts in task.exclusive for fact in facts}
        self.sets = [*task.exclusive, *((fact,) for fact in task.named if fact not in joined)]
        self.values = {
            fact: (number, value) for number, facts in enumerate(self.sets) for value, fact in enumerate(facts)
        }

    def start(self, facts: Collection[Fact]) -> Iterator[str]:
        for group in self.sets:
            yield str(next((value for value, fact in enumerate(group) if fact in facts), len(group)))

    def _dict(self, literals: Iterable[Signed]) -> dict[int, int]:
        """Return the value of each variable. A negative literal is possible only on a variable with a single fact."""
        values: dict[int, int] = {}
        for fact, positive in literals:
            number, value = self.values[fact]
            if positive or len(self.sets[number]) == 1:
                values[number] = value if positive else 1
        return values

    def asked(self, literals: Iterable[Signed]) -> list[str]:
        return [f"{number} {value}" for number, value in self._dict(literals).items()]

    def operator(self, name: str, step: GroundAction, cost: int) -> list[str]:
        before, after = self._dict(step.asked), self._dict(step.made)
        for fact, positive in step.made:
            number, value = self.values[fact]
            if not positive and number not in after and before.get(number) == value:
                after[number] = len(self.sets[number])
        prevail = [f"{number} {value}" for number, value in sorted(before.items()) if number not in after]
        effects = [f"0 {number} {before.get(number, -1)} {value}" for number, value in sorted(after.items())]
        return operator_lines(name, prevail, effects, cost)
