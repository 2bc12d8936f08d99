"""What counts as getting further, and that counting from there still comes to an end."""

from random import Random

import pytest

from bt import Entries, Replan, Runner, compile_plan, pursue
from bt.execution import Execute
from bt.node import walk
from bt.recovery.budget import OFTEN, Budget, ProgressAccount, ProgressMonitor
from bt.runner import Ending
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Plan
from tests.bt.toy import MILK, START, ToyBeliefs, ToyRobot, atom, conjunct, operator

LETTERS = "abcdef"


def stuck(number: int) -> Feedback:
    """Return a failure that is like no other."""
    return Feedback(Code.STUCK, f"try {number}", "no progress")


def run(robot: ToyRobot, budget: Budget):
    beliefs, journal = ToyBeliefs(robot), Entries()

    root = pursue(
        MILK, [Replan(lambda request: MILK)], {"replan": budget}, beliefs=beliefs, robot=robot, journal=journal
    )
    return Runner(root, robot, beliefs).run(3000)


def rough() -> ToyRobot:
    """Return a body of which each step fails twice in a row, five steps one after the other."""
    robot = ToyRobot(MILK.steps)
    for number, name in enumerate(("move", "open", "take_out", "handover")):
        robot.failures[name] = [stuck(2 * number), stuck(2 * number + 1)]
    return robot


def test_a_run_that_gets_further_has_its_tries_again():
    assert run(rough(), Budget(tries=2)).status is Ending.SUCCESS
    assert run(rough(), Budget(tries=1)).reason.code is Code.BUDGET_SPENT


def test_the_whole_run_is_bounded_however_far_it_gets():
    end = run(rough(), Budget(tries=2, most=5))
    assert end.reason.code is Code.BUDGET_SPENT
    assert "it failed 6 times, 2 of them since it last got further: try 4" in end.reason.why


def test_the_same_physical_failure_counts_from_there_too():
    robot = ToyRobot(MILK.steps)
    for name in ("open", "take_out", "handover"):
        robot.failures[name] = [Feedback(Code.STUCK, "the arm", "no progress")] * 2
    assert run(robot, Budget(tries=9, same=2)).status is Ending.SUCCESS


def test_a_step_that_always_fails_ends_it_as_it_did_without_any_progress():
    robot = ToyRobot(MILK.steps)
    robot.failures["take_out"] = [stuck(number) for number in range(99)]
    assert run(robot, Budget(tries=6)).reason.code is Code.BUDGET_SPENT
    assert robot.done.count("take_out") == 7


def test_work_that_is_undone_and_redone_for_ever_is_given_up_soon():
    robot = ToyRobot(MILK.steps)
    robot.failures["handover"] = [stuck(number) for number in range(99)]
    start = robot.start

    def spoiled(command):
        if command.primitive == "handover":
            robot.clock.events.append((robot.clock.now() + 0.5, lambda: robot.change(START, robot.atoms)))
        return start(command)

    robot.start = spoiled
    end = run(robot, Budget(tries=6, most=1000))
    assert end.reason.code is Code.BUDGET_SPENT
    assert robot.done.count("handover") <= OFTEN + 6 + 1


def flip(random: Random) -> str:
    return random.choice(("", "!")) + random.choice(LETTERS)


def drawn_plan(random: Random) -> Plan:
    steps = tuple(operator(f"do robot0 {number}", flip(random), flip(random)) for number in range(random.randint(1, 5)))
    return Plan(steps, conjunct(flip(random)))


@pytest.mark.parametrize("seed", range(5))
def test_progress_ends_whatever_the_world_and_the_planner_do(seed: int):
    random = Random(seed)
    robot = ToyRobot(())
    beliefs = ToyBeliefs(robot)
    progress = ProgressMonitor(beliefs)
    roots = [compile_plan(drawn_plan(random), beliefs=beliefs, robot=robot) for _ in range(30)]
    made = []
    for number in range(2000):
        robot.change(map(atom, random.sample(LETTERS, 2)), map(atom, random.sample(LETTERS, 2)))
        beliefs.refresh()
        root = random.choice(roots)
        (work,) = (node for node in walk(root) if isinstance(node, Execute))
        work.point = random.choice((None, *range(len(work.plan.steps) + 1)))
        made += [number] if progress.is_made(root) else []
        if random.random() < 0.2:
            progress.take_in()
    assert 2 <= len(made) <= 2 * len(LETTERS) * OFTEN + 6
    assert made[-1] < 1000


def test_new_plans_that_cost_money_are_bounded_by_it():
    account, failure = ProgressAccount(Budget(tries=9, same=9, money=5.0)), stuck(1)
    for _ in range(2):
        assert account.affords(failure, 0.0, price=2.0)
        account.pay(2.0)
    account.got_further()
    assert not account.affords(failure, 0.0, price=2.0)
    assert account.affords(failure, 0.0)
