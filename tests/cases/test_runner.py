"""Each way a case can come out, on a world of a few lines and on the kitchen."""

import pytest

from domains.reader import load_domain
from graftwork.cases import CaseRunner, CaseWorld, load_suites, read_cases
from graftwork.cases.model import told
from graftwork.cases.suites import domain_of
from semantics.body.protocols import NoPlan
from semantics.logic.feedback import Code, Feedback
from tests.cases.worlds import make_world


@pytest.fixture(scope="module")
def runner():
    with CaseRunner() as made:
        yield made


@pytest.fixture
def run(runner, tmp_path):
    def run_one(text):
        file = make_world(tmp_path, text)
        world = CaseWorld(load_domain(domain_of(file)))
        (case,) = read_cases(file, world)
        return runner.run(case, world)

    return run_one


PASSING = [
    "goal: (on cup0 floor0)\ncost: 4\noptimal: true",
    "instruction: put cup0 on the floor\nplan: [move, (grasp * cup0 table0), move, (place robot0 cup0 floor0)]",
    "goal: (on cup0 floor0)\nplan: {contains: [grasp], in-order: [grasp, place], not: [(grasp * cup1 *)], length: 4}",
    "goal: (inhand cup0 robot0)\nfacts: {add: (at robot0 table0), remove: (at robot0 floor0)}\ncost: 1",
    "goal: (on cup0 shelf0)\nrefused: unknown-name\nculprits: shelf0",
    "goal: (and (on cup0 floor0) (on cup0 table0))\nrefused: contradiction\nculprits: [cup0, floor0, table0]",
    "instruction: put the trombone on the table\nrefused: unknown-name",
    "instruction: put the cup on the floor\nquestion: {options: [cup0, cup1]}",
    "goal: (on cup0 table0)\nalready: true",
    "goal: (inhand cup0 robot0)\nfacts: {remove: [(on cup0 table0)]}\nno-plan: whereabouts-unknown\nculprits: cup0",
    "goal: (and (inhand cup0 robot0) (inhand cup1 robot0))\npart: {reached: (inhand cup0 robot0), "
    "left-out: [(inhand cup1 robot0)], weights: {(inhand cup0 robot0): 2}, value: 2, cost: 2}",
    'instruction: cups!\nanswers: [{goal: (on cup0 shelf0)}, \'{"goal": "(on cup0 floor0)"}\']\ncost: 4',
    "instruction: cups!\nanswers: {question: Which?}\nquestion: true",
    "instruction: cups!\nanswers: {refusal: no}\nrefused: not-understood",
]


@pytest.mark.parametrize("text", PASSING)
def test_a_case_passes_when_all_is_as_expected(run, text):
    result = run(f"name: a\n{text}")
    assert result.passed, result.problems
    assert result.seconds > 0


FAILING = [
    ("goal: (on cup0 floor0)\ncost: 3", "expected cost 3, got 4\n    (move robot0 floor0 table0)"),
    ("goal: (on cup0 floor0)\noptimal: false", "expected a plan without proof, got an optimal plan"),
    (
        "goal: (on cup0 floor0)\nplan: [move, grasp, (move * table0 table0)]",
        "expected another plan (- expected, + got)\n"
        "      (move robot0 floor0 table0)\n"
        "      (grasp robot0 cup0 table0)\n"
        "    - (move * table0 table0)\n"
        "    + (move robot0 table0 floor0)\n"
        "    + (place robot0 cup0 floor0)",
    ),
    (
        "goal: (on cup0 floor0)\nplan: {contains: (grasp * cup1 *)}",
        "expected (grasp * cup1 *) in the plan, which has no",
    ),
    ("goal: (on cup0 floor0)\nplan: {not: grasp}", "expected no grasp in the plan, got (grasp robot0 cup0 table0)"),
    ("goal: (on cup0 floor0)\nplan: {length: 1}", "expected 1 step, got 4"),
    (
        "goal: (on cup0 floor0)\nplan: {in-order: [place, grasp]}",
        "expected in order place grasp; grasp does not follow",
    ),
    ("goal: (on cup0 floor0)\nrefused: contradiction", "refused: contradiction, got the goal passes the check"),
    ("goal: (on cup0 table0)\nrefused: contradiction", "got the goal holds already"),
    (
        "goal: (on cup0 shelf0)\nrefused: wrong-arity",
        "expected refused: wrong-arity, got refused: unknown-name ('shelf0'",
    ),
    (
        "goal: (on cup0 shelf0)\nrefused: unknown-name\nculprits: cup0",
        "expected unknown-name to blame cup0, it blames shelf0",
    ),
    ("goal: (on cup0 floor0)\nno-plan: no-plan", "expected no plan: no-plan, got a plan of 4 steps, cost 4\n    (move"),
    ("goal: (on cup0 floor0)\nalready: true", "expected that the goal holds already, got the goal passes the check"),
    ("goal: (on cup0 table0)\ncost: 0", "expected a plan, got the goal holds already"),
    ("goal: (on cup0 floor0)\nquestion: true", "expected a question, got the goal passes the check"),
    ("instruction: put the cup on the floor\nquestion: {options: [cup2]}", "expected the options cup2, got cup0, cup1"),
    ("instruction: put the cup on the floor\ncost: 4", "expected a plan, got a question: "),
    ("goal: (on cup0 floor0)\npart: {cost: 3, value: 2}", "expected a part of cost 3, got 4"),
    ("goal: (on cup0 floor0)\npart: {left-out: [(on cup0 floor0)]}", "to be left out, it is reached"),
    (
        "goal: (and (inhand cup0 robot0) (inhand cup1 robot0))\n"
        "part: {reached: [(inhand cup0 robot0), (inhand cup1 robot0)]}",
        "to be reached, it is left out: ",
    ),
    ("goal: (or (on cup0 floor0) (on cup1 floor0))\npart: {value: 1}", "the goal has 2 alternatives"),
    ("goal: (on cup0 shelf0)\npart: {value: 1}", "expected a part of the goal, got refused: unknown-name"),
    (
        "instruction: cups!\nanswers: [{goal: (on cup0 floor0)}, more]\ncost: 4",
        "expected 2 answers to be asked for, 1 were not",
    ),
]


@pytest.mark.parametrize(("text", "told"), FAILING)
def test_a_case_that_comes_out_differently_says_how(run, text, told):
    result = run(f"name: a\n{text}")
    assert not result.passed
    assert any(told in problem for problem in result.problems), result.problems


def test_a_script_that_is_too_short_is_told(run):
    result = run("name: a\ninstruction: cups!\nanswers: [nonsense]\ncost: 4")
    assert any("request 2 came, and the script has 1 answer" in problem for problem in result.problems)


def test_a_refusal_starts_no_planner(tmp_path):
    file = make_world(tmp_path, "{name: a, goal: (on cup0 floor0), refused: contradiction}")
    world = CaseWorld(load_domain(domain_of(file)))
    with CaseRunner(planner_name="no such planner") as runner:
        assert not runner.run(read_cases(file, world)[0], world).passed


def test_what_came_of_a_case_is_told_in_a_line():
    assert told(NoPlan(Feedback(Code.NO_PLAN, "a", "b"))) == "no plan: no-plan (a: b.)"


def test_every_case_that_ships_passes(runner):
    suites = load_suites(["kitchen"])
    results = [runner.run(case, suite.world) for suite in suites for case in suite.cases]
    assert len(results) >= 25
    assert not [(str(result.case.place), result.problems) for result in results if not result.passed]
