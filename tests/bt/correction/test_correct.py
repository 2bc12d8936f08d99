from functools import cache

import pytest

from bt.correction import Rehearsal, correct
from bt.programs import read_program
from domains.model import Domain, SceneFile
from domains.problem import Problem
from domains.reader import load_domain, load_scene
from planning import FastDownward, Valid, solve, validate
from semantics.body.protocols import NoPlan
from semantics.logic.atoms import Atom, Conjunct, Literal
from semantics.logic.correction import Correction, Edit, Insert, Move, Remove, Replace, StatementPlace, Wrap
from semantics.logic.feedback import Code
from semantics.logic.goal import CheckedGoal, Rejection
from semantics.logic.program import Program
from semantics.logic.state import Action, Plan, State
from tests.bt.correction.plans import correct_plan

TEXT = """\
unstack(blue_block, red_block)
put_down(blue_block)
pick_up(green_block)
stack(green_block, blue_block)
pick_up(red_block)
stack(red_block, green_block)
"""
GOAL: Conjunct = frozenset(
    Literal(Atom("on", pair)) for pair in (("red_block", "green_block"), ("green_block", "blue_block"))
)


@cache
def world() -> tuple[Domain, SceneFile]:
    domain = load_domain("blocks")
    return domain, load_scene(domain, "sussman")


def start() -> State:
    return State(world()[1].facts)


def program(text: str = TEXT) -> Program:
    read = read_program(text)
    assert isinstance(read, Program)
    return read


def corrected(*edits: Edit, text: str = TEXT, goal: Conjunct | None = GOAL, rehearsal: Rehearsal | None = None):
    domain, scene = world()
    problem = Problem(domain, scene.things, start(), (goal or frozenset(),))
    return correct(program(text), Correction(edits), problem, rehearsal=rehearsal)


@cache
def plan() -> Plan:
    domain, scene = world()
    steps = tuple(
        domain.ground(Action(call.call.name.replace("_", "-"), tuple(arg.text for arg in call.call.args)), scene.things)
        for call in program().body
    )
    assert isinstance(validate(steps, start(), GOAL), Valid)
    return Plan(steps, GOAL, True, "by hand")


def corrected_plan(*edits: Edit):
    domain, scene = world()
    return correct_plan(plan(), Correction(edits), Problem(domain, scene.things, start()))


def test_a_correction_that_works_is_kept_with_what_is_different():
    found = corrected(
        Insert(StatementPlace((6,)), "say('done')"), Wrap(StatementPlace((0,)), "if on(blue_block, red_block):", 2)
    )
    assert not isinstance(found, Rejection)
    assert found.difference[0] == "'if on(blue_block, red_block):' is added before 'unstack(blue_block, red_block)'."
    assert found.rehearsed.state.satisfies(GOAL)
    assert len(found.rehearsed.steps) == 6


def test_what_breaks_a_later_step_is_refused_with_the_fact_that_lacks():
    found = corrected(Remove(StatementPlace((0,))))
    assert isinstance(found, Rejection)
    assert found.feedback[0].code is Code.PRECONDITION
    assert "holding blue_block" in str(found)


def test_what_no_longer_reaches_the_goal_is_refused_with_what_would_not_hold():
    found = corrected(Remove(StatementPlace((4,))), Remove(StatementPlace((4,))))
    assert isinstance(found, Rejection)
    assert found.feedback[0].code is Code.INVALID_PLAN
    assert found.feedback[0].culprits == ("red_block", "green_block")


def test_without_a_goal_the_end_is_enough():
    assert not isinstance(corrected(Remove(StatementPlace((4,))), Remove(StatementPlace((4,))), goal=None), Rejection)


def test_a_name_that_nobody_knows_is_refused_with_the_nearest():
    found = corrected(Replace(StatementPlace((2,)), "green_block", "gren_block"))
    assert isinstance(found, Rejection)
    assert found.feedback[0].code is Code.UNKNOWN_NAME
    assert "green_block" in found.feedback[0].how


def test_a_loop_that_does_not_end_is_refused():
    found = corrected(Insert(StatementPlace((0,)), "while ontable(red_block):\n    pass"))
    assert isinstance(found, Rejection)


def test_what_is_wanted_achieved_is_planned_for_by_the_real_planner():
    domain, scene = world()
    planner = FastDownward()

    def planned(goal: CheckedGoal, state: State) -> Plan | NoPlan:
        return solve(Problem(domain, scene.things, state, goal.conjuncts), planner=planner)

    try:
        found = corrected(
            *(Remove(StatementPlace((0,))) for _ in range(6)),
            Insert(StatementPlace((0,)), "achieve(on(red_block, green_block) and on(green_block, blue_block))"),
            rehearsal=Rehearsal(planner=planned),
        )
    finally:
        planner.close()
    assert not isinstance(found, Rejection)
    assert len(found.rehearsed.steps) == 6


def test_a_corrected_plan_is_a_plan_again_and_validates():
    found = corrected_plan(
        Insert(StatementPlace((0,)), "pick_up(green_block)\nput_down(green_block)"),
        Wrap(StatementPlace((0,)), "for _ in range(2):", 2),
    )
    assert not isinstance(found, Rejection)
    changed, difference = found
    assert [step.action.name for step in changed.steps[:4]] == ["pick-up", "put-down", "pick-up", "put-down"]
    assert isinstance(validate(changed.steps, start(), changed.goal), Valid)
    assert not changed.optimal
    assert difference[0] == "'for _ in range(2):' is added before 'pick_up(green_block)'."


@pytest.mark.parametrize("edit", [Move(StatementPlace((5,)), StatementPlace((0,))), Remove(StatementPlace((5,)))])
def test_a_plan_is_not_corrected_into_one_that_does_not_work(edit: Edit):
    assert isinstance(corrected_plan(edit), Rejection)
