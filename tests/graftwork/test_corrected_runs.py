"""A run that is told to do the rest otherwise: a plan and a program, under way."""

from _thread import interrupt_main
from threading import Event

import pytest

from benchmarks.faults.runs import shared
from graftwork import Outcome, Session
from graftwork.setup.plans import Plans
from graftwork.testing import ScriptedModel
from planning.anytime import CALLED_OFF
from semantics.logic.correction import Correction, Insert, Move, Remove, Replace, StatementPlace, Wrap
from semantics.logic.feedback import Code
from semantics.logic.goal import Rejection

AWAY = """
move(end=table0)
grasp(cup0)
move(end=counter0)
place(cup0)
"""


SERVED = "(and (on soda_bottle serving_tray) (on apple_bottle serving_tray))"


@pytest.fixture
def session():
    with Session(scene="small", robot="fake", memory=None) as opened:
        yield opened


def until(run, seconds):
    run.wait()
    clock = run.runner.robot.clock
    while clock.now() < seconds:
        assert run.tick()


def test_a_step_of_a_plan_that_is_still_to_come_is_done_with_another_thing(session):
    run = session.start("put the apple into the fridge")
    run.wait()
    shown = [str(step) for step in run.plan.steps]
    assert shown[0] == "(move robot0 floor0 fridge0)"
    until(run, 1.0)
    detour = "move(robot0, fridge0, shelf0)\nmove(robot0, shelf0, table0)"
    number = shown.index("(move robot0 fridge0 table0)")
    found = run.correct(Correction((Insert(StatementPlace((number,)), detour), Remove(StatementPlace((number + 2,))))))
    assert found.stopped == ()
    assert any("shelf0" in sentence for sentence in found.difference)
    episode = run.finish()
    assert episode.outcome is Outcome.ACHIEVED
    done = (
        {(one.action.name, *one.action.args) for one in episode.tried} if hasattr(episode.tried[0], "action") else None
    )
    assert done is None or ("move", "robot0", "fridge0", "shelf0") in done


def test_a_plan_that_would_not_reach_its_goal_is_refused_and_the_run_goes_on(session):
    run = session.start("put the apple into the fridge")
    until(run, 1.0)
    found = run.correct(Correction((Remove(StatementPlace((len(run.plan.steps) - 2,))),)))
    assert isinstance(found, Rejection)
    assert run.finish().outcome is Outcome.ACHIEVED


def test_what_was_done_already_cannot_be_corrected(session):
    run = session.start("put the apple into the fridge")
    until(run, 5.0)
    found = run.correct(Correction((Replace(StatementPlace((0,)), "fridge0", "table0"),)))
    assert found.feedback[0].code is Code.INVALID_PLAN
    assert "done already" in found.feedback[0].why


def test_of_two_hands_one_goes_on_while_the_other_is_told_to_leave_it():
    model = ScriptedModel([{"goal": SERVED}])
    with Session(
        "barman", "counter", model=model, robot="symbolic", planner=shared(), memory=None, unsaid="allow"
    ) as session:
        run = session.start("as scripted")
        until(run, 3.0)
        steps = [(number, step.action) for number, step in enumerate(run.plan.steps)]
        soda, apple = ([one for one in steps if thing in one[1].args] for thing in ("soda_bottle", "apple_bottle"))
        (hand, free), last = ([one[0][1].args[1] for one in (apple, soda)]), len(steps)
        others = [Replace(StatementPlace((number,)), hand, free) for number, _ in apple]
        after = [
            Move(StatementPlace((apple[0][0],)), StatementPlace((last,))),
            Move(StatementPlace((apple[1][0] - 1,)), StatementPlace((last,))),
        ]
        found = run.correct(Correction((*others, *after)))
        assert found.stopped == (str(run.plan.steps[apple[0][0]]),)
        assert [one.split()[0] for one in found.steps] == ["(get", "(put", "(get", "(put"]
        assert all(free in one for one in found.steps)
        assert run.finish().outcome is Outcome.ACHIEVED
        assert 39.0 < run.runner.robot.clock.now() < 42.0


def test_a_program_under_way_brings_the_cup_elsewhere(session):
    run = session.program(AWAY)
    until(run, 3.0)
    edits = (Replace(StatementPlace((2,)), "counter0", "shelf0"), Insert(StatementPlace((4,)), "say('There it is.')"))
    found = run.correct(Correction(edits))
    assert found.steps == ("(move robot0 table0 shelf0)", "(place robot0 cup0 shelf0)")
    assert found.stopped == ()
    episode = run.finish()
    assert episode.outcome is Outcome.ACHIEVED
    assert "move(end=shelf0)" in episode.program
    assert "(on cup0 shelf0)" in {str(atom) for atom in session.environment.watcher.state.atoms}


def test_a_motion_that_was_edited_away_comes_to_rest_before_the_next_begins(session):
    run = session.program(AWAY)
    until(run, 0.5)
    detour = (
        Insert(StatementPlace((1,)), "move(end=shelf0)"),
        Remove(StatementPlace((0,))),
        Insert(StatementPlace((1,)), "move(end=table0)"),
    )
    found = run.correct(Correction(detour))
    assert found.stopped == ("move(end=table0)",)
    assert found.steps[0] == "(move robot0 floor0 shelf0)"
    assert run.finish().outcome is Outcome.ACHIEVED


def test_what_is_being_done_is_put_under_a_try(session):
    run = session.program("move(end=table0)\ngrasp(cup0)\nfail('no')\n")
    until(run, 1.0)
    found = run.correct(Correction((Wrap(StatementPlace((0,)), "try:\nexcept:\n    say('Never mind.')", 3),)))
    assert not isinstance(found, Rejection), found
    assert run.finish().outcome is Outcome.ACHIEVED


def test_nothing_is_corrected_before_and_after(session):
    run = session.program("nonsense(")
    run.wait()
    assert run.episode.outcome is Outcome.REFUSED
    found = run.correct(Correction((Remove(StatementPlace((0,))),)))
    assert "nothing is under way" in found.feedback[0].why


PLANNED = Correction((Insert(StatementPlace((1,)), "achieve(at(robot0, shelf0))\nachieve(at(robot0, fridge0))"),))


def test_while_a_correction_is_tried_the_run_goes_on(session, monkeypatch):
    run = session.start("put the apple into the fridge")
    until(run, 1.0)
    asked, may_answer = Event(), Event()
    plan = Plans.found

    def slowly(*given):
        asked.set()
        assert may_answer.wait(60)
        return plan(*given)

    monkeypatch.setattr(Plans, "found", slowly)
    correcting = run.correct_meanwhile(PLANNED)
    assert asked.wait(60)
    before = run.runner.ticks
    assert run.tick()
    assert (run.runner.ticks, correcting.result) == (before + 1, None)
    assert "still being tried" in run.correct_meanwhile(PLANNED).result.feedback[0].why
    may_answer.set()
    until(run, 2.0)
    assert correcting.result.steps[1:3] == ("(move robot0 fridge0 shelf0)", "(move robot0 shelf0 fridge0)")
    assert run.finish().outcome is Outcome.ACHIEVED


def test_an_interrupt_ends_the_trial_of_a_correction_and_the_run_can_go_on(session, monkeypatch):
    run = session.start("put the apple into the fridge")
    until(run, 1.0)
    called_off = Event()

    def interrupted(*given):
        interrupt_main()
        assert called_off.wait(60)
        return CALLED_OFF

    with monkeypatch.context() as patched:
        patched.setattr(Plans, "found", interrupted)
        patched.setattr(run._services.planning.service, "cancel", called_off.set)
        with pytest.raises(KeyboardInterrupt):
            run.correct(PLANNED)
        assert called_off.is_set()
    assert run.finish().outcome is Outcome.ACHIEVED


@pytest.mark.parametrize("kind", ["plan", "program"])
def test_what_was_corrected_otherwise_meanwhile_is_not_corrected_again(session, kind):
    run = session.start("put the apple into the fridge") if kind == "plan" else session.program(AWAY)
    until(run, 1.0)
    note = Correction((Insert(StatementPlace((2,)), "if at(robot0, shelf0):\n    fail('no')"),))
    correcting = run.correct_meanwhile(note)
    assert not isinstance(run.correct(note), Rejection)
    until(run, 1.5)
    assert "meanwhile" in correcting.result.feedback[0].why
    assert run.finish().outcome is Outcome.ACHIEVED


def test_a_correction_that_is_tried_when_the_run_ends_is_of_nothing(session):
    run = session.program(AWAY)
    until(run, 1.0)
    correcting = run.correct_meanwhile(Correction((Replace(StatementPlace((2,)), "counter0", "shelf0"),)))
    run.cancel()
    run.finish()
    assert "nothing is under way" in correcting.result.feedback[0].why
