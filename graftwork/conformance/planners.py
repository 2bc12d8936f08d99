"""What every planner has to do, see docs/planning.md#a-planner-of-your-own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import pairwise

from domains.pddl import PROFILES, WrittenProblem
from domains.problem import Problem
from domains.reader import load_domain, load_scene
from graftwork.conformance.suite import Requirement, Unmet, met, requirement
from planning import pddl_text
from semantics.body.protocols import Cancellable, FoundPlan, NoPlan, Planner, ProfiledPlanner
from semantics.logic.atoms import Atom, dnf
from semantics.logic.feedback import Feedback
from semantics.logic.parsing import parse_formula
from semantics.logic.state import Action, Operator, State, first_failure

SECONDS = 20.0
LATE = 20.0  # how much longer than its time limit a planner may take, in seconds; it may have to start a process
SOON = 1.0
TOWER = "(and (on red_block green_block) (on green_block blue_block))"
LEAST = 6  # the cost of the cheapest plan for `TOWER`
RING = "(and (on red_block green_block) (on green_block red_block))"
MANY = 14


MakePlanner = Callable[[], Planner]
"""Makes what is under test anew."""

PLANNER: list[Requirement[MakePlanner]] = []
_must = partial(requirement, PLANNER, "docs/planning.md#a-planner-of-your-own")


@_must("It has the attributes and methods of a planner, a name, and a profile of PDDL that exists.")
def _protocol(make: MakePlanner) -> None:
    made = make()
    met(isinstance(made, Planner), "it lacks one of name, solve and close")
    met(isinstance(made.name, str) and made.name, f"its name is {made.name!r}")
    profile = made.profile if isinstance(made, ProfiledPlanner) else ""
    met(not profile or profile in PROFILES, f"its profile is {profile!r}; it is one of {', '.join(PROFILES)}")
    made.close()


@_must("It finds a plan, in the names of the text, that reaches the goal.")
def _plan(make: MakePlanner) -> None:
    with closing(make()) as planner:
        _steps(planner, _tower(TOWER))


@_must("A plan that it calls optimal is a cheapest one.")
def _optimal(make: MakePlanner) -> str | None:
    with closing(make()) as planner:
        problem = _tower(TOWER)
        answer, steps = _steps(planner, problem)
        if not answer.optimal:
            return "it does not call its plan optimal"
        cost = sum(step.cost for step in steps)
        met(cost == LEAST, f"it calls a plan of cost {cost} optimal; there is one of cost {LEAST}")
    return None


@_must("Where there is no plan it says so, and says why.")
def _no_plan(make: MakePlanner) -> None:
    with closing(make()) as planner:
        answer = _asked(planner, _written(planner, _tower(RING)), SECONDS)
        met(isinstance(answer, NoPlan), "it answers a goal that nothing reaches with a plan")
        met(isinstance(answer, NoPlan) and isinstance(answer.feedback, Feedback), "its NoPlan has no Feedback")


@_must("It answers when its time is over, with a plan or without one.")
def _in_time(make: MakePlanner) -> None:
    with closing(make()) as planner:
        written, began = _written(planner, _many()), time.monotonic()
        _asked(planner, written, SOON)
        taken = time.monotonic() - began
        met(taken <= SOON + LATE, f"with {SOON:g} s it takes {taken:.0f} s")


@_must("It can be asked again, and closed twice.")
def _again(make: MakePlanner) -> None:
    planner = make()
    problem = _tower(TOWER)
    for _ in range(2):
        _steps(planner, problem)
    planner.close()
    planner.close()


@_must("If it can be called off, it answers at once, and can be asked again.")
def _called_off(make: MakePlanner) -> str | None:
    with closing(make()) as planner:
        if not isinstance(planner, Cancellable):
            return "it has no method cancel, so it is closed instead"
        written = _written(planner, _many())
        answers: list[FoundPlan | NoPlan] = []
        thread = threading.Thread(target=lambda: answers.append(_asked(planner, written, SECONDS * 3)), daemon=True)
        thread.start()
        thread.join(SOON)
        planner.cancel()
        thread.join(SECONDS)
        met(not thread.is_alive(), f"{SECONDS:g} s after cancel() it still searches")
        _steps(planner, _tower(TOWER))
    return None


def _tower(goal: str) -> Problem:
    blocks = load_domain("blocks")
    scene = load_scene(blocks, "sussman")
    return Problem(blocks, scene.things, State(scene.facts), dnf(parse_formula(goal)))


def _many() -> Problem:
    """Return a problem with many blocks on the table, which are to be one tower."""
    blocks = load_domain("blocks")
    names = [f"block{number}" for number in range(MANY)]
    things = {name: blocks.thing(name, "block") for name in names}
    facts = {Atom(fact, (name,)) for name in names for fact in ("ontable", "clear")} | {Atom("handempty")}
    goal = " ".join(f"(on {above} {below})" for above, below in pairwise(names))
    return Problem(blocks, things, State(frozenset(facts)), dnf(parse_formula(f"(and {goal})")))


def _written(planner: Planner, problem: Problem) -> WrittenProblem:
    return pddl_text(problem, planner.profile if isinstance(planner, ProfiledPlanner) else "")


def _asked(planner: Planner, written: WrittenProblem, seconds: float) -> FoundPlan | NoPlan:
    answer = planner.solve(written.domain, written.problem, seconds=seconds)
    met(isinstance(answer, FoundPlan | NoPlan), f"solve returns {type(answer).__name__}, no FoundPlan or NoPlan")
    return answer


def _steps(planner: Planner, problem: Problem) -> tuple[FoundPlan, list[Operator]]:
    """Return the answer to a problem, and its steps in the world."""
    written = _written(planner, problem)
    answer = _asked(planner, written, SECONDS)
    if isinstance(answer, NoPlan):
        raise Unmet(f"it finds no plan: {answer.feedback}")
    met(all(isinstance(action, Action) for action in answer.actions), "its plan has steps that are no Action")
    try:
        steps = [problem.ground(written.read(action)) for action in answer.actions]
    except KeyError as error:
        raise Unmet(f"its plan has the name {error}, which is not in the text") from error
    failed = first_failure(steps, problem.state, problem.conjunct)
    if failed is not None:
        at, missing = failed
        step = f"step {at + 1}" if at < len(steps) else "the goal"
        raise Unmet(f"its plan does not work: before {step}, {' '.join(map(str, missing))} does not hold")
    return answer, steps
