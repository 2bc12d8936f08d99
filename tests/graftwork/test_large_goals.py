"""Of a goal with more alternatives than can be listed, the alternative that the plan reaches is pursued."""

import json
from itertools import product

import pytest
from typer.testing import CliRunner

from bt.record import read_record
from graftwork import Outcome, Session
from graftwork.cli.app import app
from graftwork.decision.large_goal import alternative_in
from planning import FastDownward
from planning.service.in_process import InProcess
from semantics.errors import FormulaError
from semantics.logic.atoms import And, Atom, Literal, Not, Or, dnf
from semantics.logic.feedback import Code
from semantics.logic.goal import Goal
from semantics.logic.parsing import parse_formula
from semantics.logic.rules import RuleBook
from semantics.logic.state import State

PLACES = ("table0", "shelf0", "counter0", "floor0")
THINGS = ("apple0", "banana0", "milk0", "cup0", "kettle0", "glass0", "can0")


def large(things: tuple[str, ...]) -> str:
    """Return a goal of which each thing has four alternatives."""
    each = [f"(or {' '.join(f'(on {thing} {place})' for place in PLACES)})" for thing in things]
    return f"(and {' '.join(each)} (opened fridge0))"


GOAL = large(THINGS)


@pytest.fixture
def session(tmp_path):
    with Session("kitchen", "full", robot="fake", memory=None, planner=FastDownward(), record=tmp_path / "one") as made:
        yield made


def test_the_goal_is_too_large_to_be_listed():
    with pytest.raises(FormulaError, match="16384 alternatives; at most 4096"):
        dnf(parse_formula(GOAL))


def test_the_command_plan_answers(tmp_path):
    done = CliRunner().invoke(app, ["plan", "--scene", "full", "--goal", GOAL, "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["outcome"] == "planned"
    assert any("(open robot0 fridge0" in step for step in told["plan"])
    shown = CliRunner().invoke(app, ["plan", "--scene", "full", "--goal", GOAL]).stdout
    assert "note   of its more than 4096 alternatives, the one that the plan reaches is pursued: " in shown


def test_a_session_pursues_the_alternative_of_its_plan(session, tmp_path):
    run = session.start(Goal(parse_formula(GOAL)))
    run.wait()
    (conjunct,) = run.goal.conjuncts
    assert sum(literal.positive for literal in conjunct) == len(THINGS) + 1
    assert run.plan.goal == conjunct
    episode = run.finish()
    assert episode.outcome is Outcome.ACHIEVED
    assert episode.goal == GOAL
    (goal,) = [event for event in read_record(tmp_path / "one") if event["e"] == "goal"]
    assert goal["formula"] == GOAL
    assert [note for note in episode.notes if "more than 4096" in note] == list(episode.notes) == goal["notes"]


def test_a_run_that_goes_on_from_the_record_decides_anew_with_one_note(session, tmp_path):
    session.start(Goal(parse_formula(GOAL))).wait()
    session.close()
    with Session("kitchen", "full", robot="fake", memory=None, planner=FastDownward()) as other:
        run = other.resume(tmp_path / "one")
        run.wait()
        assert len(run.goal.conjuncts) == 1
        assert len(run.goal.goal.notes) == 1
        assert str(run.goal.goal) == GOAL


def test_what_holds_already_is_said(session):
    episode = session.start(Goal(parse_formula(large(THINGS).replace(" (opened fridge0))", ")")))).finish()
    assert episode.outcome in (Outcome.ALREADY, Outcome.ACHIEVED, Outcome.REFUSED)
    assert "alternatives; at most" not in episode.message


def test_an_impossible_part_is_the_reason_of_a_refusal(session):
    goal = f"(and {GOAL} (at human0 table0))"
    episode = session.start(Goal(parse_formula(goal))).finish()
    assert episode.outcome is Outcome.REFUSED
    assert "human0" in episode.message
    assert [record.code for record in episode.feedback] == [Code.NO_PLAN]


def test_the_reason_of_a_refusal_says_which_part_in_words(session):
    goal = f"(and {GOAL} (or (at human0 table0) (at human0 shelf0)))"
    episode = session.start(Goal(parse_formula(goal))).finish()
    assert episode.outcome is Outcome.REFUSED
    assert "(1) human0 is at table0, (2) human0 is at shelf0: " in episode.message


def test_alternatives_without_the_affordance_do_not_count(session):
    goal = parse_formula(GOAL.replace("(on apple0 table0)", "(on table0 apple0)"))
    run = session.start(Goal(goal))
    run.wait()
    assert Atom("on", ("table0", "apple0")) not in {literal.atom for literal in run.goal.conjuncts[0]}


def test_an_unknown_name_is_told_first(session):
    episode = session.start(Goal(parse_formula(GOAL.replace("apple0", "aple0")))).finish()
    assert {record.code for record in episode.feedback} == {Code.UNKNOWN_NAME}


def test_an_alternative_in_a_state_is_one_of_the_formula_that_holds():
    a, b, c = (Atom(name) for name in "abc")
    formula = And((Or((a, And((b, c)))), Not(And((a, Not(b))))))
    for held in product((False, True), repeat=3):
        state = State(frozenset(atom for atom, is_held in zip((a, b, c), held, strict=True) if is_held))
        found = alternative_in(formula, state)
        assert (found is None) == (not state.judge(formula))
        assert found is None or (state.satisfies(found) and any(found >= conjunct for conjunct in dnf(formula)))


def test_a_goal_that_multiplies_out_is_checked_once_and_planned_for_as_written(monkeypatch):
    atoms = [f"(on {thing} {place})" for thing in THINGS for place in PLACES]
    goal = Goal(parse_formula(f"(and {' '.join(f'(or {atom} (opened fridge0))' for atom in atoms[:12])})"))
    checked, planned = [], []
    violations, solve = RuleBook.violations, InProcess.solve

    def counted(self, conjuncts, things):
        checked.append(len(conjuncts))
        return violations(self, conjuncts, things)

    def seen(self, problem, **limits):
        planned.append(len(problem.goal))
        return solve(self, problem, **limits)

    monkeypatch.setattr(RuleBook, "violations", counted)
    monkeypatch.setattr(InProcess, "solve", seen)
    with Session("kitchen", "full", robot="fake", memory=None, planner=FastDownward()) as session:
        run = session.start(goal)
        run.wait()
        assert checked == [4096]
        assert planned == [1]
        assert run.plan.goal in run.goal.conjuncts
        assert run.plan.goal == {Literal(Atom("opened", ("fridge0",)))}
