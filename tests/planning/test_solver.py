import time

import pytest

from domains.problem import Problem
from planning import solve, solver, validate
from planning.cheapest import reach
from planning.relevance import relevant
from planning.validation import Valid
from semantics.body.protocols import FoundPlan, NoPlan, Planner
from semantics.errors import UsageError
from semantics.logic.atoms import Atom, Literal
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Action, Plan, State
from tests.planning.kitchen import DOMAIN, checked, complete, scene, shipped

# Costs reasoned by hand, from the floor: a robot has to go to each place (1), take (1), go (1) and put (1).
FULL = {
    "(inhand milk0 human0)": 5,  # move, open, take_out, move, handover
    "(opened fridge0)": 2,  # move, open
    "(on apple0 counter0)": 4,  # move, grasp, move, place
    "(and (in sponge0 sink0) (in cup0 sink0))": 8,  # twice move, grasp, move, putin
    "(and (on apple0 shelf0) (on banana0 shelf0) (on lemon0 shelf0) (on orange0 shelf0))": 16,  # four times four
    "(and (in juice0 fridge0) (closed fridge0))": 7,  # move, open, move, grasp, move, putin, close
    "(not (in milk0 fridge0))": 3,  # move, open, take_out
    "(or (inhand milk0 human0) (inhand juice0 human0))": 4,  # the juice is on the counter
    "(and (on apple0 plate0) (on plate0 shelf0))": 6,  # a plate is taken with its load: grasp, put, grasp, move, put
}
SMALL = {
    "(inhand milk0 human0)": 5,
    "(opened fridge0)": 2,
    "(and (in juice0 fridge0) (closed fridge0))": 7,
    "(at robot0 shelf0)": 1,
}


@pytest.mark.parametrize(
    ("name", "goal", "cost"), [("full", *row) for row in FULL.items()] + [("small", *row) for row in SMALL.items()]
)
def test_goals_are_reached_at_the_least_cost(planner, name, goal, cost):
    found, state = shipped(name)
    plan = solve(Problem(DOMAIN, found, state, checked(goal).conjuncts), planner=planner)
    assert isinstance(plan, Plan)
    assert (plan.cost, plan.optimal, plan.planner) == (cost, True, "fast-downward")
    assert isinstance(validate(plan.steps, state, plan.goal), Valid)


def test_the_milk_is_brought_in_five_steps(planner):
    found, state = shipped("full")
    plan = solve(Problem(DOMAIN, found, state, checked("(inhand milk0 human0)").conjuncts), planner=planner)
    assert str(plan).splitlines() == [
        "(move robot0 floor0 fridge0)",
        "(open robot0 fridge0 fridge0)",
        "(take_out robot0 milk0 fridge0 fridge0)",
        "(move robot0 fridge0 human0)",
        "(handover robot0 human0 milk0)",
    ]


def test_what_holds_already_needs_no_step(planner):
    found, state = shipped("full")
    plan = solve(
        Problem(DOMAIN, found, state, checked("(or (opened fridge0) (closed fridge0))").conjuncts), planner=planner
    )
    assert isinstance(plan, Plan)
    assert (plan.steps, plan.optimal) == ((), True)


def test_a_thing_in_the_hand_is_put_down_before_a_door_is_opened(planner):
    found, state = scene({"apple0": "robot0"}, at="fridge0")
    plan = solve(Problem(DOMAIN, found, state, checked("(opened fridge0)").conjuncts), planner=planner)
    assert isinstance(plan, Plan)
    assert (plan.cost, plan.optimal) == (4, True)  # move away, place, move back, open


def test_what_stands_on_a_thing_is_cleared_first(planner):
    found, state = scene({"towel0": "table0", "apple0": "towel0"}, at="table0")
    plan = solve(Problem(DOMAIN, found, state, checked("(inhand towel0 robot0)").conjuncts), planner=planner)
    assert isinstance(plan, Plan)
    assert [step.action.name for step in plan.steps] == ["grasp", "place", "grasp"]


def test_a_thing_that_is_nowhere_is_named(planner):
    found, state = scene({"milk0": "fridge0", "apple0": "table0"})
    lost = State(frozenset(atom for atom in state.atoms if "milk0" not in atom.args))
    answer = solve(
        Problem(DOMAIN, found, lost, checked("(and (on apple0 shelf0) (inhand milk0 human0))").conjuncts),
        planner=planner,
    )
    assert isinstance(answer, NoPlan)
    assert (answer.feedback.code, answer.feedback.culprits) == (Code.WHEREABOUTS_UNKNOWN, ("milk0",))
    assert not answer.proven


def test_a_thing_that_is_nowhere_does_not_matter_to_another_alternative(planner):
    found, state = scene({"milk0": "fridge0", "apple0": "table0"})
    lost = State(frozenset(atom for atom in state.atoms if "milk0" not in atom.args))
    answer = solve(
        Problem(DOMAIN, found, lost, checked("(or (inhand milk0 human0) (on apple0 shelf0))").conjuncts),
        planner=planner,
    )
    assert isinstance(answer, Plan)
    assert (answer.cost, answer.optimal) == (4, False)  # bringing the milk might have been cheaper


IMPOSSIBLE = {
    "(on fridge0 table0)": "a fridge lacks `carry`, which place needs",
    "(inhand milk0 table0)": "a table lacks `actor`, which grasp needs",
    "(and (on apple0 table0) (on apple0 shelf0))": "each can be had, but not both together",
    "(at human0 table0)": "human0 cannot move",
}


@pytest.mark.parametrize(("goal", "why"), IMPOSSIBLE.items())
def test_the_impossible_is_proved_and_explained(planner, goal, why):
    found, state = shipped("full")
    answer = solve(Problem(DOMAIN, found, state, checked(goal).conjuncts), planner=planner)
    assert isinstance(answer, NoPlan)
    assert (answer.feedback.code, answer.feedback.why, answer.proven) == (Code.NO_PLAN, why, True)


def test_a_missing_robot_is_the_reason(planner):
    found, state = shipped("small")
    left = {name: thing for name, thing in found.items() if name != "robot0"}
    answer = solve(Problem(DOMAIN, left, state, checked("(opened fridge0)").conjuncts), planner=planner)
    assert isinstance(answer, NoPlan)
    assert answer.feedback.why == "nobody here can open"


def test_a_missing_step_on_the_way_is_the_reason(planner):
    found, state = scene({"milk0": "fridge0"})
    stuck = State(state.atoms - {Atom("reachable", ("fridge0", "fridge0"))})
    answer = solve(Problem(DOMAIN, found, stuck, checked("(inhand milk0 human0)").conjuncts), planner=planner)
    assert isinstance(answer, NoPlan)
    assert "fridge0" in answer.feedback.culprits
    assert answer.feedback.why.startswith("it needs that ")


class Stubborn:
    """A planner that always says the same."""

    name = "stubborn"

    def __init__(self, answer: FoundPlan | NoPlan) -> None:
        self.answer = answer

    def solve(self, domain: str, problem: str, *, seconds: float) -> FoundPlan | NoPlan:
        return self.answer

    def close(self) -> None:
        return None


class Slow(Stubborn):
    """A planner that takes its time."""

    def solve(self, domain: str, problem: str, *, seconds: float) -> FoundPlan | NoPlan:
        time.sleep(0.6)
        return super().solve(domain, problem, seconds=seconds)


def test_a_plan_that_does_not_work_is_not_handed_on():
    found, state = shipped("small")
    wrong = Stubborn(FoundPlan((Action("open", ("robot0", "fridge0", "fridge0")),), True))
    answer = solve(Problem(DOMAIN, found, state, checked("(opened fridge0)").conjuncts), planner=wrong)
    assert isinstance(answer, NoPlan)
    assert answer.feedback.code is Code.INVALID_PLAN
    assert "(at robot0 fridge0)" in answer.feedback.why


def test_a_plan_without_proof_is_not_called_optimal():
    found, state = shipped("small")
    right = Stubborn(FoundPlan((Action("move", ("robot0", "floor0", "shelf0")),), False))
    answer = solve(Problem(DOMAIN, found, state, checked("(at robot0 shelf0)").conjuncts), planner=right)
    assert isinstance(answer, Plan)
    assert not answer.optimal


def test_when_time_is_out_the_remaining_alternatives_are_left_and_nothing_is_called_optimal():
    found, state = shipped("small")
    slow = Slow(FoundPlan((Action("move", ("robot0", "floor0", "shelf0")),), True))
    answer = solve(
        Problem(DOMAIN, found, state, checked("(or (at robot0 shelf0) (opened fridge0))").conjuncts),
        planner=slow,
        seconds=0.5,
    )
    assert isinstance(answer, Plan)
    assert not answer.optimal


def test_a_goal_about_what_does_not_exist_is_a_mistake_of_the_caller(planner):
    found, state = shipped("small")
    with pytest.raises(UsageError, match="unicorn0"):
        solve(Problem(DOMAIN, found, state, checked("(at robot0 unicorn0)").conjuncts), planner=planner)


def test_beliefs_that_contradict_each_other_do_not_break_planning(planner):
    found, state = scene({"milk0": "fridge0", "cup0": "table0"})
    doubled = complete(found, set(state.atoms) | {Atom("on", ("milk0", "table0"))})
    answer = solve(Problem(DOMAIN, found, doubled, checked("(inhand milk0 human0)").conjuncts), planner=planner)
    assert isinstance(answer, Plan)


class Text:
    """A planner as everybody knows it: PDDL in, plan out."""

    name = "text"

    def __init__(self, planner: Planner) -> None:
        self.planner = planner

    def solve(self, domain: str, problem: str, *, seconds: float) -> FoundPlan | NoPlan:
        return self.planner.solve(domain, problem, seconds=seconds)

    def close(self) -> None:
        return None


@pytest.fixture
def careless(monkeypatch):
    """Let relevance leave out a thing that every plan needs."""

    def without(problem, *rest, **more):
        left = {name: thing for name, thing in problem.objects.items() if name != "fridge0"}
        kept = State(frozenset(atom for atom in problem.state.atoms if "fridge0" not in atom.args))
        return relevant(Problem(problem.domain, left, kept, problem.goal, problem.costs), *rest, **more)

    monkeypatch.setattr(solver, "relevant", without)
    monkeypatch.setattr(reach, "relevant", without)


@pytest.mark.usefixtures("careless")
@pytest.mark.parametrize("wrapped", [False, True])
def test_what_is_wrongly_left_out_never_makes_a_goal_impossible(planner, wrapped):
    found, state = scene({"milk0": "fridge0", "cup0": "table0"})
    asked = Text(planner) if wrapped else planner
    answer = solve(Problem(DOMAIN, found, state, checked("(inhand milk0 human0)").conjuncts), planner=asked)
    assert isinstance(answer, Plan)
    assert answer.cost == 5
    assert isinstance(validate(answer.steps, state, answer.goal), Valid)


@pytest.mark.usefixtures("careless")
@pytest.mark.parametrize("wrapped", [False, True])
def test_without_time_for_the_whole_nothing_is_called_proven(planner, wrapped, monkeypatch):
    found, state = scene({"milk0": "fridge0", "apple0": "table0"})
    late = NoPlan(Feedback(Code.PLANNER_TIMEOUT, "planning", "too late"))
    monkeypatch.setattr(solver, "solve_adl", lambda *_: [late])
    monkeypatch.setattr(solver.ByText, "_ask", first_only(solver.ByText._ask, late))
    asked = Text(planner) if wrapped else planner
    problem = Problem(DOMAIN, found, state, checked("(inhand milk0 human0)").conjuncts)
    answer = solver.solve_optimally(problem, planner=asked)
    assert isinstance(answer, NoPlan)
    assert (answer.feedback.code, answer.proven) == (Code.NO_PLAN, False)


def first_only(ask, late):
    """Return what asks once, and after that is too late."""
    asked = []

    def once(case, things):
        asked.append(things)
        return ask(case, things) if len(asked) == 1 else late

    return once


def test_of_several_alternatives_one_that_is_known_to_be_impossible_is_told(planner):
    found, state = shipped("full")
    answer = solve(
        Problem(DOMAIN, found, state, checked("(or (at human0 table0) (in apple0 table0))").conjuncts), planner=planner
    )
    assert isinstance(answer, NoPlan)
    assert answer.proven
    assert answer.feedback.why in ("human0 cannot move", "a table lacks `contain`, which putin needs")


def test_an_alternative_without_a_plan_is_told_with_the_plan_for_another(planner):
    found, state = shipped("full")
    goal = checked("(or (at human0 table0) (opened fridge0))").conjuncts
    answer = solve(Problem(DOMAIN, found, state, goal), planner=planner)
    assert isinstance(answer, Plan)
    assert [reason.why for reason in answer.dropped] == ["human0 cannot move"]
    alone = solve(Problem(DOMAIN, found, state, goal[1:]), planner=planner)
    assert isinstance(alone, Plan)
    assert alone.dropped == ()


def test_a_denial_of_what_no_action_makes_does_not_hinder_a_plan(planner):
    found, state = shipped("full")
    goal = frozenset({Literal(Atom("opened", ("fridge0",))), Literal(Atom("on", ("fridge0", "milk0")), False)})
    answer = solve(Problem(DOMAIN, found, state, (goal,)), planner=planner)
    assert isinstance(answer, Plan)
    assert answer.steps[-1].action.name == "open"


def test_a_planner_of_others_is_given_only_the_capabilities_that_a_goal_needs(planner):
    given = []

    class Counting(Text):
        def solve(self, domain: str, problem: str, *, seconds: float) -> FoundPlan | NoPlan:
            given.append(domain.count("(:action "))
            return super().solve(domain, problem, seconds=seconds)

    found, state = shipped("full")
    goal = checked("(opened fridge0)")
    answer = solve(Problem(DOMAIN, found, state, goal.conjuncts), planner=Counting(planner))
    assert (answer.cost, answer.optimal) == (2, True)
    assert 0 < max(given) < len(DOMAIN.capabilities) / 2
