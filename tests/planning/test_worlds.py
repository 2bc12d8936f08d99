"""Random problems of each world that comes with the program: every answer is checked by somebody else."""

import os

import pytest

from domains.problem import Problem
from domains.reader import available_domains
from planning import FastDownward, pddl_text, solve, validate, validate_actions
from planning.reasons import impossible
from planning.validation import Valid
from semantics.body.protocols import FoundPlan, NoPlan
from semantics.logic.feedback import Code
from semantics.logic.state import Plan
from tests.planning.random_worlds import random_problem, world

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:unified_planning")
FEW = 5
MANY = int(os.environ.get("GRAFTWORK_EXAMPLES", "15"))
"""How many problems of a world are tried in all; GRAFTWORK_EXAMPLES=200 takes most of an hour."""
ALWAYS = {"kitchen": FEW + 100}
"""How many are tried in any case."""
ANSWERS = ("already", "optimal", "impossible", "numbers")
"""What may come out; ``numbers`` where a cheapest plan breaks at one that is not planned with."""


@pytest.fixture(scope="module")
def blind():
    """Search without any heuristic, over the whole problem: slow, and with little to get wrong."""
    made = FastDownward(optimal="astar(blind())", greedy=None)
    yield made
    made.close()


def check(name, seed, planner, blind, stock_verdict):
    """Check one problem, and return the kind of answer."""
    domain = world(name)
    found, state, goal = random_problem(name, seed)
    answer = solve(Problem(domain, found, state, (goal,)), planner=planner, seconds=20)
    refusal = impossible(Problem(domain, found, state, (goal,)))
    if isinstance(answer, Plan):
        assert refusal is None
        assert isinstance(validate(answer.steps, state, goal), Valid)
        assert stock_verdict(domain, answer.steps, found, state, goal)
    if state.satisfies(goal):
        assert isinstance(answer, Plan)
        assert (answer.steps, answer.optimal) == ((), True)
        return "already"
    text = pddl_text(Problem(domain, found, state, (goal,)))
    whole = blind.solve(text.domain, text.problem, seconds=60)
    if isinstance(whole, FoundPlan):
        theirs = [text.read(action) for action in whole.actions]
        least = sum(domain.ground(one, found, state.numbers).cost for one in theirs)
        obeyed = isinstance(validate_actions(theirs, Problem(domain, found, state, (goal,))), Valid)
        return judged(answer, least, obeyed=obeyed)
    assert whole.proven == isinstance(answer, NoPlan) or not whole.proven
    if isinstance(answer, NoPlan):
        assert answer.proven or answer.feedback.code in (Code.PLANNER_TIMEOUT, Code.WHEREABOUTS_UNKNOWN)
        return "impossible"
    return "unchecked"


def judged(answer, least, *, obeyed):
    """Hold `answer` against the least cost; `obeyed` says whether that is also had with all numbers minded."""
    if isinstance(answer, NoPlan):
        assert not obeyed, f"'{answer.feedback}' for what costs {least}"
        assert not answer.proven  # nobody searches with those numbers
        return "numbers"
    assert answer.cost >= least
    assert answer.cost == least or not answer.optimal
    if answer.cost == least:
        return "optimal"
    return "dearer" if obeyed else "numbers"


@pytest.mark.parametrize("seed", range(FEW))
@pytest.mark.parametrize("name", available_domains())
def test_each_answer_holds(planner, blind, stock_verdict, name, seed):
    assert check(name, seed, planner, blind, stock_verdict) in ANSWERS


@pytest.mark.slow
@pytest.mark.parametrize("name", available_domains())
def test_many_answers_hold(planner, blind, stock_verdict, name):
    many = max(MANY, ALWAYS.get(name, 0))
    answers = [check(name, seed, planner, blind, stock_verdict) for seed in range(FEW, many)]
    counts = {answer: answers.count(answer) for answer in sorted(set(answers))}
    assert not counts.keys() & {"dearer", "unchecked"}, counts
    if len(answers) >= 100:  # of fewer problems the mixture says nothing
        assert counts["optimal"] > len(answers) // 2, counts
        assert counts["impossible"] > len(answers) // 20, counts
