"""The blocks world of PlanBench, whole: ``graftwork bench blocks --data DIR``.

Every instance is read from its PDDL, planned by `planning.solve`, and judged by others: unified-planning's own
validator runs the plan on the files as they were given, and A* with LM-cut, on the problem that Fast Downward's own
translator makes of them, says what an optimal plan costs. The shipped world `blocks` has to take each plan too. DIR
holds a folder ``planbench_blocksworld`` with ``domain.pddl`` and folders of instances (PlanBench, Valmeekam et al.
2023), which are not part of this project. Exit code 1 when an instance fails.
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.progress import track
from rich.table import Table

from domains.model import Domain
from domains.pddl import read_pddl_domain, read_pddl_problem
from domains.problem import Problem
from domains.reader import load_domain
from planning import FastDownward, Valid, solve, validate_actions
from semantics.body.protocols import FoundPlan, NoPlan
from semantics.errors import UsageError
from semantics.logic.atoms import dnf
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.state import Plan, State

__all__ = ["main"]

FOLDER = "planbench_blocksworld"
SECONDS = 60.0
"""What one instance may take, for each of the two planners."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one instance.

    Attributes:
        path: Its file.
        blocks: How many blocks it has.
        seconds: How long ours took, from the state to the plan.
        reference: How long the reference took on the PDDL text, its translator included.
        cost: Of the plan; None when there is none.
        wrong: What is wrong with the answer, in words; empty when nothing is.
    """

    path: Path
    blocks: int
    seconds: float
    reference: float
    cost: int | None
    wrong: str = ""


class Judge:
    """Unified-planning's reader and validator over the files as they were given."""

    def __init__(self, domain: Path) -> None:
        from unified_planning.engines import SequentialPlanValidator
        from unified_planning.environment import get_environment
        from unified_planning.io import PDDLReader

        get_environment().credits_stream = None
        self._domain = str(domain)
        self._reader = PDDLReader()
        self._validator = SequentialPlanValidator()

    def accepts(self, instance: Path, plan: Plan) -> bool:
        """Return whether the plan reaches the instance's goal."""
        problem = self._reader.parse_problem(self._domain, str(instance))
        written = self._reader.parse_plan_string(problem, str(plan))
        return bool(self._validator.validate(problem, written))


def outcomes(data: Path, instances: Sequence[Path]) -> Iterator[Outcome]:
    """Plan and judge each instance."""
    given = data / "domain.pddl"
    domain, shipped = read_pddl_domain(given), load_domain("blocks")
    judge = Judge(given)
    planner, reference = FastDownward(), FastDownward()
    try:
        planner.warm_up()
        reference.warm_up()
        for path in instances:
            yield _outcome(path, domain, shipped, judge, planner, reference, given.read_text())
    finally:
        planner.close()
        reference.close()


def _outcome(
    path: Path,
    domain: Domain,
    shipped: Domain,
    judge: Judge,
    planner: FastDownward,
    reference: FastDownward,
    given: str,
) -> Outcome:
    problem = read_pddl_problem(domain, path)
    things, state = problem.scene.things, State(problem.scene.facts, problem.scene.numbers)
    conjuncts = dnf(problem.goal)
    goal = CheckedGoal(Goal(problem.goal), conjuncts, any(map(state.satisfies, conjuncts)))
    started = time.perf_counter()
    plan = solve(Problem(domain, things, state, goal.conjuncts), planner=planner, seconds=SECONDS)
    seconds = time.perf_counter() - started
    best = reference.solve(given, path.read_text(), seconds=SECONDS)
    if isinstance(plan, NoPlan):
        return Outcome(path, len(things), seconds, best.seconds, None, str(plan.feedback))
    wrong = "" if judge.accepts(path, plan) else "unified-planning's validator refuses the plan"
    things = {name: shipped.thing(name, "block") for name in things}
    actions = [step.action for step in plan.steps]
    if not wrong and not isinstance(validate_actions(actions, Problem(shipped, things, state, (plan.goal,))), Valid):
        wrong = "the shipped world does not take the plan"
    wrong = wrong or _against(plan, best)
    return Outcome(path, len(things), seconds, best.seconds, plan.cost, wrong)


def _against(plan: Plan, best: FoundPlan | NoPlan) -> str:
    if not plan.optimal:
        return "not proved optimal"
    if isinstance(best, NoPlan) or not best.optimal:
        return "the reference found no optimal plan"
    return "" if plan.cost == len(best.actions) else f"costs {plan.cost}, the reference {len(best.actions)}"


def _table(found: Sequence[Outcome]) -> Table:
    table = Table("blocks", "instances", "solved", "right", "steps", "ours, ms", "worst, ms", "reference, ms", "ratio")
    for blocks in sorted({one.blocks for one in found}):
        group = [one for one in found if one.blocks == blocks]
        costs = [one.cost for one in group if one.cost is not None]
        ours = median(one.seconds for one in group)
        reference = median(one.reference for one in group)
        table.add_row(
            str(blocks),
            str(len(group)),
            str(len(costs)),
            str(sum(not one.wrong for one in group)),
            f"{min(costs)}-{max(costs)}" if costs else "-",
            f"{ours * 1000:.0f}",
            f"{max(one.seconds for one in group) * 1000:.0f}",
            f"{reference * 1000:.0f}",
            f"{reference / ours:.1f}",
        )
    return table


def _instances(data: Path) -> list[Path]:
    if not (data / "domain.pddl").is_file():
        raise UsageError(f"{data}: no such benchmark; expected a folder with domain.pddl and instances")
    return sorted(data.glob("*/*.pddl"), key=lambda path: (path.parent.name, len(path.stem), path.stem))


def main(words: Sequence[str] | None = None) -> int:
    """Run the suite and print its table; return 1 when an instance fails."""
    parser = argparse.ArgumentParser(prog="graftwork bench blocks", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help=f"folder that holds {FOLDER}")
    parser.add_argument("--limit", type=int, help="only that many instances, evenly spread")
    options = parser.parse_args(words)
    console = Console()
    data = options.data / FOLDER
    instances = _instances(data)
    if options.limit:
        instances = instances[:: max(1, len(instances) // options.limit)][: options.limit]
    found: list[Outcome] = []
    try:
        for one in track(
            outcomes(data, instances), "blocks", len(instances), console=Console(stderr=True), transient=True
        ):
            found.append(one)
    except KeyboardInterrupt:
        console.print(f"stopped after {len(found)} of {len(instances)}")
        return 4
    console.print(f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, Python {platform.python_version()}")
    console.print(_table(found))
    failed = [one for one in found if one.wrong]
    for one in failed:
        console.print(f"{one.path.parent.name}/{one.path.name}: {one.wrong}")
    console.print(f"{len(found) - len(failed)} of {len(found)} solved optimally and validated")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
