"""What every planning service must do, over the one that plans here and the one that has processes of its own."""

import threading
import time
from dataclasses import replace
from types import MappingProxyType

import pytest

from domains.problem import Problem
from domains.reader import load_domain, load_scene
from planning import CostModel, FastDownward, OwnProcess, PartialPlan, Replanned, UnplannableError, solve, validate
from planning.anytime import Best
from planning.mutexes import exclusions
from planning.service import InProcess, PlanningService
from planning.validation import Valid
from semantics.body.protocols import NoPlan
from semantics.errors import UsageError
from semantics.logic.atoms import Literal
from semantics.logic.feedback import Code
from semantics.logic.parsing import parse_formula
from semantics.logic.state import Plan, State
from tests.planning.kitchen import DOMAIN, checked, conjunct, shipped

SERVICES = {"in process": lambda: InProcess(FastDownward()), "own process": lambda: OwnProcess(spares=0)}
MILK = checked("(inhand milk0 human0)")
THINGS, STATE = shipped("small")
WORLD = Problem(DOMAIN, THINGS, STATE)
HARD = checked(
    "(and (on apple0 shelf0) (on banana0 shelf0) (on lemon0 shelf0) (in orange0 sink0) (in cup0 fridge0)"
    " (on plate0 shelf0) (on bowl0 shelf0) (on pan0 table0))"
)
FULL = Problem(DOMAIN, *shipped("full"))


@pytest.fixture(scope="module", params=SERVICES)
def service(request):
    made = SERVICES[request.param]()
    made.warm_up()
    yield made
    made.close()
    made.close()


def holds(answer, goal, state=STATE):
    return isinstance(answer, Plan) and isinstance(validate(answer.steps, state, goal), Valid)


def test_it_is_a_planning_service(service):
    assert isinstance(service, PlanningService)
    assert service.name == "fast-downward"


def test_it_solves_as_the_function_does(service, planner):
    answer = service.solve(WORLD.with_goal(*MILK.conjuncts))
    here = solve(WORLD.with_goal(*MILK.conjuncts), planner=planner)
    assert holds(answer, MILK.conjuncts[0])
    assert (answer.cost, answer.optimal, answer.goal) == (here.cost, True, MILK.conjuncts[0])
    assert answer.steps == tuple(DOMAIN.ground(step.action, THINGS) for step in answer.steps)


def test_an_answer_follows_the_state_and_the_costs_as_they_are_now(service):
    open_it = checked("(opened fridge0)")
    there = STATE.with_atoms([parse_formula("(opened fridge0)")], [parse_formula("(closed fridge0)")])
    costs = {"open": 7.0}
    model = CostModel(durations=costs, per_second=1.0, scale=1)
    assert len(service.solve(WORLD.with_goal(*open_it.conjuncts)).steps) == 2
    assert service.solve(Problem(DOMAIN, THINGS, there, open_it.conjuncts)).steps == ()
    dear = service.solve(replace(WORLD.with_goal(*open_it.conjuncts), costs=model)).cost
    costs["open"] = 9.0  # in the same model
    assert service.solve(replace(WORLD.with_goal(*open_it.conjuncts), costs=model)).cost == dear + 2
    assert len(service.solve(WORLD.with_goal(*open_it.conjuncts)).steps) == 2


def test_things_that_come_and_go_are_noticed_also_in_the_same_mapping(service):
    things = dict(THINGS)
    gone = things.pop("milk0")
    atoms = frozenset(one for one in STATE.atoms if "milk0" not in one.args)
    with pytest.raises(UnplannableError, match="milk0"):
        service.solve(Problem(DOMAIN, things, State(atoms), MILK.conjuncts))
    things["milk0"] = gone
    assert holds(service.solve(Problem(DOMAIN, MappingProxyType(things), STATE, MILK.conjuncts)), MILK.conjuncts[0])


def test_a_goal_that_nobody_reaches_is_a_value_with_its_reason(service):
    answer = service.solve(WORLD.with_goal(*checked("(at human0 table0)").conjuncts))
    assert isinstance(answer, NoPlan)
    assert (answer.feedback.code, answer.proven) == (Code.NO_PLAN, True)


def test_a_mistake_is_raised_as_what_it_is(service):
    with pytest.raises(UnplannableError) as caught:
        service.solve(WORLD.with_goal(*checked("(on unicorn0 table0)").conjuncts))
    assert caught.value.culprit == "unicorn0"
    with pytest.raises(UsageError, match="weight"):
        service.best_part(WORLD.with_goal(conjunct("(opened fridge0)")), weights={Literal(parse_formula("(p a)")): 1.0})


def test_it_replans(service):
    old = service.solve(WORLD.with_goal(*MILK.conjuncts))
    after = old.steps[0].apply(STATE)
    again = service.replan(Problem(DOMAIN, THINGS, after, MILK.conjuncts), old, STATE)
    assert isinstance(again, Replanned)
    assert again.answer.steps == old.steps[1:]


def test_it_finds_the_best_part(service):
    goal = conjunct("(and (opened fridge0) (at human0 table0))")
    part = service.best_part(WORLD.with_goal(goal), weights=dict.fromkeys(goal, 2.0))
    assert isinstance(part, PartialPlan)
    assert {str(one) for one in part.reached} == {"(opened fridge0)"}
    assert part.value == 2.0


def test_it_knows_what_excludes_each_other(service, planner):
    assert set(service.exclusions(DOMAIN, THINGS)) == set(exclusions(DOMAIN, THINGS, planner)) != set()


def test_it_improves_until_the_proof(service):
    search = service.improve(WORLD.with_goal(*MILK.conjuncts))
    assert isinstance(search, Best)
    first = search.wait(30, first=True)
    last = search.wait(30)
    assert search.done
    assert holds(first, MILK.conjuncts[0])
    assert last.optimal
    assert last.cost <= first.cost
    assert search.best() == last


def test_an_improvement_is_called_off_by_itself(service):
    search = service.improve(FULL.with_goal(*HARD.conjuncts), seconds=60)
    search.cancel()
    search.wait(30)
    assert search.done
    assert holds(service.solve(WORLD.with_goal(*MILK.conjuncts)), MILK.conjuncts[0])


def test_calling_off_answers_whoever_waits_and_the_next_question_is_answered(service):
    answers = []

    def work():
        answers.append(service.solve(FULL.with_goal(*HARD.conjuncts), seconds=60.0))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    service.cancel()
    for thread in threads:
        thread.join(30)
    assert [answer.feedback.code for answer in answers] == [Code.CANCELLED] * 2
    service.cancel()  # of nothing
    assert holds(service.solve(WORLD.with_goal(*MILK.conjuncts)), MILK.conjuncts[0])


def test_a_question_that_is_too_hard_ends_with_its_time(service):
    answer = service.solve(FULL.with_goal(*HARD.conjuncts), seconds=0.4)
    assert isinstance(answer, Plan) or answer.feedback.code is Code.PLANNER_TIMEOUT
    assert holds(service.solve(WORLD.with_goal(*MILK.conjuncts)), MILK.conjuncts[0])


@pytest.mark.parametrize("name", ["barman", "blocks", "pizza", "tabletop"])
def test_it_takes_every_shipped_world(service, name):
    domain = load_domain(name)
    scene = next(iter(sorted(SCENES[name])))
    found = load_scene(domain, scene)
    state = State(frozenset(found.facts) | frozenset(found.beliefs), dict(found.numbers))
    goal = next(iter(sorted(state.atoms)))
    answer = service.solve(Problem(domain, found.things, state, checked(f"(not {goal})").conjuncts), seconds=5.0)
    assert isinstance(answer, Plan | NoPlan)


SCENES = {"barman": ["shot"], "blocks": ["sussman"], "pizza": ["corner"], "tabletop": ["tower"]}


def test_a_closed_service_starts_again(service):
    service.close()
    assert holds(service.solve(WORLD.with_goal(*MILK.conjuncts)), MILK.conjuncts[0])
