"""Writes a task as text for Fast Downward's search program (the format of its translator, version 3).

A variable holds a set of facts that exclude each other, often only one. Its last value means that none of them holds.
Each of several goals gets a final action of cost zero, so that no disjunction and no axiom is needed, which LM-cut does
not support.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from planning.task.grounding import GroundAction, SearchTask, Signed
from planning.task.schemas import Fact

DONE = "done"
"""The name of the action that ends a plan for one of several goals."""


def write_sas(task: SearchTask, costs: Sequence[int]) -> str:
    """Return `task` as text with `costs` for its steps; the step at index 7 is ``o7``, the end of goal 0 ``done0``."""
    variables = _Variables(task)
    count = len(variables.sets)
    lines = ["begin_version", "3", "end_version", "begin_metric", "1", "end_metric"]
    several = len(task.goals) != 1
    sizes = [*(len(facts) + 1 for facts in variables.sets), *([2] if several else ())]
    lines.append(str(len(sizes)))
    for number, size in enumerate(sizes):
        lines += ["begin_variable", f"v{number}", "-1", str(size)]
        lines += [f"Atom a{number}_{value}()" for value in range(size - 1)]
        lines += [f"NegatedAtom a{number}_0()" if size == 2 else "<none of those>", "end_variable"]
    lines += ["0", "begin_state", *variables.start(task.start), *(["1"] if several else ()), "end_state", "begin_goal"]
    goal = [f"{count} 0"] if several else variables.asked(task.goals[0])
    lines += [str(len(goal)), *goal, "end_goal", str(len(task.steps) + (len(task.goals) if several else 0))]
    for number, (step, cost) in enumerate(zip(task.steps, costs, strict=True)):
        lines += variables.operator(f"o{number}", step, cost)
    for number, literals in enumerate(task.goals) if several else ():
        asked = variables.asked(literals)
        lines += ["begin_operator", f"{DONE}{number}", str(len(asked)), *asked]
        lines += ["1", f"0 {count} -1 0", "0", "end_operator"]
    lines += ["0", ""]
    return "\n".join(lines)


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
        return ["begin_operator", name, str(len(prevail)), *prevail, str(len(effects)), *effects, str(cost), _END]


_END = "end_operator"
