"""The log of failures: which rung was asked, which one answered, which one solved it, and how soon."""

from bt.recovery import mishaps
from robots.fake import InjectedFault
from semantics.logic.feedback import Code
from tests.bt.recovery.bodies import Rungs
from tests.bt.recovery.test_kitchen import kitchen, run


def told(journal):
    return [
        (one.feedback["code"], [(it.rung, it.answered, it.solved) for it in one.responses], one.solved_by)
        for one in mishaps(journal.events)
    ]


def test_a_slip_is_told_with_the_rung_that_mended_it_and_how_soon(planner):
    bar, plan, rungs = kitchen(planner, "(on apple0 shelf0)")
    bar.robot.add_fault(InjectedFault(Code.NOT_GRASPED, "pick"))
    run(bar, plan, rungs)
    assert told(bar.journal) == [("not-grasped", [("again", True, True)], "again")]
    (mishap,) = mishaps(bar.journal.events)
    assert mishap.step == "(grasp robot0 apple0 table0 table0)"
    assert 0.0 < mishap.responses[0].seconds < 0.5


def test_what_a_rung_did_in_vain_or_had_no_answer_to_is_told_of_the_failure_it_was_for(planner):
    bar, plan, rungs = kitchen(planner, "(on apple0 shelf0)")
    for _ in range(2):
        bar.robot.add_fault(InjectedFault(Code.NOT_GRASPED, "pick"))
    run(bar, plan, Rungs(None, rungs.replanner))
    assert told(bar.journal) == [
        ("not-grasped", [("again", True, False)], None),
        ("not-grasped", [("replan", True, True)], "replan"),
    ]
    run_again = [one.as_dict() for one in mishaps(bar.journal.events)]
    assert [one["solved_by"] for one in run_again] == [None, "replan"]


def test_a_damaged_record_gives_what_can_be_read():
    events = [{"e": "rung", "rung": "again"}, {"e": "failure", "t": "x"}, {"e": "rung", "rung": 3, "solved": True}]
    (mishap,) = mishaps(events)
    assert (mishap.t, mishap.step, mishap.solved_by) == (0.0, "", "3")
