"""Plans of any cost for whole problems, as LAMA finds them, and the floor below a proof that goes wrong."""

import math
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from domains.problem import Problem
from domains.reader import available_domains, load_domain
from planning import FastDownward, faults, solve, validate
from planning.anytime import LAMA, Best, PlannerWay, decided
from planning.errors import out_of_memory, out_of_time
from planning.satisficing import floor_way, satisfice
from planning.service.in_process import InProcess
from planning.validation import Valid
from semantics.body.protocols import FoundPlan, NoPlan
from semantics.logic.atoms import Atom, Literal
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Plan, State
from tests.planning.adl_worlds import TooLargeError, adl_problem, every_operator, least_cost
from tests.planning.kitchen import DOMAIN, checked, shipped
from tests.planning.random_worlds import random_problem, world

SMALL = Problem(DOMAIN, *shipped("small"))
OPENED, MILK, NEVER = (
    SMALL.with_goal(*checked(goal).conjuncts)
    for goal in ("(opened fridge0)", "(inhand milk0 human0)", "(at human0 table0)")
)


def works(problem, plan):
    return any(isinstance(validate(plan.steps, problem.closed, goal), Valid) for goal in problem.goal)


@pytest.mark.parametrize("name", sorted(available_domains()))
@pytest.mark.parametrize("seed", range(3))
def test_whole_problems_of_shipped_worlds_have_plans_that_work(name, seed, planner):
    domain = world(name)
    things, state, goal = random_problem(name, seed)
    problem = Problem(domain, things, state, (goal,))
    answer = satisfice(problem, planner=planner, seconds=20.0)
    if isinstance(answer, Plan):
        assert works(problem, answer)
        assert not answer.optimal or not answer.steps
    elif domain.planned_numbers:
        assert answer.feedback.code is Code.UNSUPPORTED
    else:
        assert answer.proven or answer.feedback.code in (Code.PLANNER_TIMEOUT, Code.INVALID_PLAN)


def test_rich_worlds_have_plans_exactly_where_an_independent_search_finds_them(planner):
    answers = []
    for seed in range(25):
        domain, things, state, goal = adl_problem(seed)
        problem = Problem(domain, things, state, (goal,))
        try:
            least = least_cost(every_operator(domain, things, state), state, goal)
        except TooLargeError:
            continue
        answer = satisfice(problem, planner=planner, seconds=20.0)
        if isinstance(answer, NoPlan) and answer.feedback.code is Code.UNSUPPORTED:
            assert "numbers" in answer.feedback.why
            continue
        assert isinstance(answer, Plan) == (least is not None), seed
        if isinstance(answer, Plan):
            assert works(problem, answer)
            assert answer.cost >= least
        else:
            assert answer.proven
        answers.append(type(answer))
    assert set(answers) == {Plan, NoPlan}


def test_any_alternative_of_a_goal_will_do(planner):
    problem = SMALL.with_goal(*NEVER.goal, *OPENED.goal)
    answer = satisfice(problem, planner=planner)
    assert isinstance(answer, Plan)
    assert answer.goal == OPENED.goal[0]
    assert works(OPENED, answer)


def test_what_is_impossible_is_proved_with_its_reason(planner):
    answer = satisfice(NEVER, planner=planner)
    assert isinstance(answer, NoPlan)
    assert answer.proven
    assert "human0 cannot move" in str(answer.feedback)


def test_a_plan_below_a_cost_costs_less_or_there_is_none(planner):
    first = satisfice(MILK, planner=planner)
    cheaper = satisfice(MILK, planner=planner, below=first.cost + 1)
    assert isinstance(cheaper, Plan)
    assert cheaper.cost <= first.cost
    none = satisfice(OPENED, planner=planner, below=2, attempt=3)
    assert isinstance(none, NoPlan)
    assert none.feedback.code is Code.NO_PLAN


class Liar(FastDownward):
    """A planner whose searches for a proof leave out the first step of their plan."""

    def search(self, task, *, seconds, prove=True, share=0.4):
        answer = super().search(task, seconds=seconds, prove=prove, share=share)
        return replace(answer, actions=answer.actions[1:]) if isinstance(answer, FoundPlan) else answer


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(faults.platformdirs, "user_log_dir", lambda *_, **__: str(tmp_path))
    return tmp_path / "faults"


INVALID = NoPlan(Feedback(Code.INVALID_PLAN, "step 1", "the robot is not there"))


def test_the_floor_answers_for_a_refused_plan_and_the_problem_is_kept(folder, planner):
    refused = PlannerWay("refused", lambda: INVALID, lambda: None, thorough=True)
    answer = decided(MILK, Best([refused, floor_way(MILK, planner, 20.0)]), math.inf)
    assert isinstance(answer, Plan)
    assert (answer.planner, works(MILK, answer)) == (LAMA, True)
    (kept,) = folder.iterdir()
    assert sorted(file.name for file in kept.iterdir()) == ["domain.pddl", "problem.pddl", "reason.txt"]
    assert "the robot is not there" in (kept / "reason.txt").read_text()
    assert "milk0" in (kept / "problem.pddl").read_text()


def test_a_planner_that_lies_is_found_out_by_the_service(folder):
    service = InProcess(Liar())
    answer = service.solve(MILK, seconds=30.0)
    service.close()
    assert isinstance(answer, Plan)
    assert answer.planner == LAMA
    assert len(list(folder.iterdir())) == 1


def test_a_fault_is_kept_once_and_no_more_than_the_most(folder, monkeypatch, caplog):
    monkeypatch.setattr(faults, "MOST", 2)
    faults.keep_faults(OPENED, [INVALID])
    faults.keep_faults(OPENED, [INVALID])
    assert len(list(folder.iterdir())) == 1
    faults.keep_faults(MILK, [INVALID])
    caplog.clear()
    faults.keep_faults(NEVER, [INVALID])
    assert len(list(folder.iterdir())) == 2
    assert "could not be kept" in caplog.text


def test_other_failures_keep_nothing(folder):
    faults.keep_faults(OPENED, [NoPlan(Feedback(Code.PLANNER_TIMEOUT, "planning", "late"))])
    assert not folder.exists()


def test_a_problem_that_is_half_written_when_the_process_is_killed_is_not_kept(folder, monkeypatch):
    write, written = Path.write_text, []

    def killed(path, *arguments, **more):
        written.append(path)
        if len(written) == 2:
            raise KeyboardInterrupt
        return write(path, *arguments, **more)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", killed)
        with pytest.raises(KeyboardInterrupt):
            faults.keep_faults(OPENED, [INVALID])
    faults.keep_faults(OPENED, [INVALID])
    (kept,) = [place for place in folder.iterdir() if not place.name.startswith(".")]
    assert sorted(file.name for file in kept.iterdir()) == ["domain.pddl", "problem.pddl", "reason.txt"]


def test_what_a_killed_process_left_is_removed_and_does_not_count(folder, monkeypatch):
    monkeypatch.setattr(faults, "MOST", 1)
    for number in range(3):
        (folder / f".half-{number}").mkdir(parents=True)
        (folder / f".half-{number}" / "domain.pddl").write_text("(define", encoding="utf-8")
        os.utime(folder / f".half-{number}", (0, 0))
    faults.keep_faults(OPENED, [INVALID])
    (kept,) = folder.iterdir()
    assert len(list(kept.iterdir())) == 3


def test_two_processes_that_keep_the_same_problem_leave_it_once(folder, monkeypatch):
    rename = Path.rename

    def beaten(path, target):
        with monkeypatch.context() as patch:
            patch.setattr(Path, "rename", rename)
            faults.keep_faults(OPENED, [INVALID])  # the other process
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", beaten)
    faults.keep_faults(OPENED, [INVALID])
    assert [len(list(kept.iterdir())) for kept in folder.iterdir()] == [3]


HEAVY = """
name: lifting
affordances: {actor: it acts, thing: it is a thing}
classes:
  robot: {affordances: [actor]}
  box: {affordances: [thing]}
predicates:
  lifted: {parameters: [thing], say: "{0} is lifted"}
  light:
    parameters: {x: thing}
    say: "{0} is light"
    derived:
      - "<": [{mass: [x]}, 5]
fluents:
  mass: {parameters: [thing], unit: kg, default: 1}
agents: {robot: {capabilities: [lift]}}
capabilities:
  lift: {parameters: {a: actor, x: thing}, precondition: [light: [x]], effect: [lifted: [x]]}
"""


@pytest.fixture
def heavy(tmp_path):
    (tmp_path / "domain.yaml").write_text(HEAVY, encoding="utf-8")
    domain = load_domain(tmp_path)
    things = {"robot0": domain.thing("robot0", "robot"), "box0": domain.thing("box0", "box")}
    state = State(frozenset(), {Atom("mass", ("box0",)): 2.0})
    return Problem(domain, things, state, (frozenset({Literal(Atom("lifted", ("box0",)))}),))


def test_a_derived_predicate_with_numbers_is_refused_by_name_and_the_other_path_answers(heavy, planner):
    answer = satisfice(heavy, planner=planner)
    assert isinstance(answer, NoPlan)
    assert answer.feedback.code is Code.UNSUPPORTED
    assert "predicate light" in answer.feedback.why
    plan = solve(heavy, planner=planner, seconds=20.0)
    assert isinstance(plan, Plan)
    assert plan.optimal
    service = InProcess(FastDownward())
    assert isinstance(service.solve(heavy, seconds=20.0), Plan)
    service.close()


def test_a_world_with_numbers_that_never_change_is_kept(folder, heavy, caplog):
    faults.keep_faults(heavy, [INVALID])
    (kept,) = folder.iterdir()
    assert "mass" in (kept / "domain.pddl").read_text()
    assert "could not be kept" not in caplog.text


KILLED = """
import os, signal, sys
from pathlib import Path
from planning import faults
from tests.planning.test_satisficing import INVALID, OPENED

faults.platformdirs.user_log_dir = lambda *_, **__: sys.argv[1]
write = Path.write_text

def half(path, text, **given):
    write(path, text[: len(text) // 2], **given)
    if path.name == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)

Path.write_text = half
faults.keep_faults(OPENED, [INVALID])
"""


@pytest.mark.parametrize("file", ["domain.pddl", "reason.txt"])
def test_what_a_process_has_written_that_the_kernel_kills_is_not_kept(folder, file):
    done = subprocess.run([sys.executable, "-c", KILLED, str(folder.parent), file], check=False)
    assert done.returncode == -signal.SIGKILL
    (left,) = folder.iterdir()
    faults.keep_faults(OPENED, [INVALID])
    (kept,) = (place for place in folder.iterdir() if place != left)
    assert (kept / "problem.pddl").read_text().endswith(")\n")
    assert "the robot is not there" in (kept / "reason.txt").read_text()


def test_a_half_that_an_older_version_wrote_in_place_is_replaced_and_does_not_count(folder, monkeypatch):
    faults.keep_faults(OPENED, [INVALID])
    (kept,) = folder.iterdir()
    (kept / "reason.txt").unlink()
    (kept / "problem.pddl").write_text("(define", encoding="utf-8")
    monkeypatch.setattr(faults, "MOST", 1)
    faults.keep_faults(OPENED, [INVALID])
    assert list(folder.iterdir()) == [kept]
    assert (kept / "problem.pddl").read_text().endswith(")\n")
    assert "the robot is not there" in (kept / "reason.txt").read_text()


def test_when_both_paths_fail_the_failure_of_the_search_that_proves_is_told():
    """The one without a proof may have refused the world, which is no reason for the goal."""
    refused = NoPlan(Feedback(Code.UNSUPPORTED, f"the planner {LAMA}", "it takes no numbers"))
    late = NoPlan(Feedback(Code.PLANNER_TIMEOUT, "planning", "late"))

    def prove():
        begun.wait()
        while not search.failures:
            time.sleep(0.01)
        return late

    begun = threading.Event()
    ways = [
        PlannerWay("floor", lambda: refused, lambda: None),
        PlannerWay("solve", prove, lambda: None, thorough=True),
    ]
    search = Best(ways)
    begun.set()
    assert search.wait() == late
    assert search.failures == [late, refused]


def test_time_that_is_over_and_memory_that_is_spent_are_both_told():
    late, spent = (NoPlan(feedback) for feedback in (out_of_time(3.0), out_of_memory("the memory was spent")))
    ways = [
        PlannerWay("floor", lambda: spent, lambda: None),
        PlannerWay("solve", lambda: late, lambda: None, thorough=True),
    ]
    answer = Best(ways).wait()
    assert str(answer.feedback) == (
        "planning: no plan within 3.0 s; the memory was spent. Give it more time, or more memory."
    )
