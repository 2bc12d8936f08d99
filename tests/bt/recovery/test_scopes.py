"""How far the answers of strategies reach: debts, detours, restarts, and children that only have plans in them."""

from py_trees.composites import Sequence

from bt import Recover, Retry, Runner, Strategy, compile_plan, pursue
from bt.background import Cancellation, Pending
from bt.recovery import Budget, Detour, NewPlan
from bt.runner import Ending
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Plan
from tests.bt.toy import MILK, START, ToyBeliefs, ToyRobot, conjunct, move, operator

SLIPPED = Feedback(Code.NOT_GRASPED, "milk0", "the fingers closed on air")
WAVE = operator("wave robot0", "!busy robot0", "waved robot0")
NOD = operator("nod robot0", "!busy robot0", "nodded robot0")


def plan_of(step, goal):
    return Plan((step,), conjunct(goal))


class Answering(Strategy):
    """Gives the same answers in turn."""

    def __init__(self, *answers, name="answering"):
        self.name, self.answers = name, list(answers)

    def propose(self, request):
        self.plan = request.plan
        return self.answers.pop(0)


def run(root, robot, beliefs, **given):
    return Runner(root, robot, beliefs, **given).run(120)


def test_what_two_repairs_have_disturbed_is_restored_both_times():
    robot = ToyRobot((*MILK.steps, WAVE, NOD))
    beliefs = ToyBeliefs(robot)
    once = Plan((*MILK.steps, WAVE), MILK.goal | conjunct("waved robot0"))
    twice = Plan((*MILK.steps, WAVE, NOD), once.goal | conjunct("nodded robot0"))
    mends = Answering(
        NewPlan(once, owed=conjunct("waved robot0")), NewPlan(twice, owed=conjunct("nodded robot0")), name="mends"
    )
    robot.failures["open"] = [SLIPPED, SLIPPED]
    root = pursue(MILK, [mends], {"mends": Budget(tries=9, same=9)}, beliefs=beliefs, robot=robot)
    assert run(root, robot, beliefs).status is Ending.SUCCESS
    assert beliefs.state.satisfies(twice.goal)


def test_a_child_that_only_has_plans_in_it_is_not_replaced_by_one_of_them():
    robot = ToyRobot((*MILK.steps, WAVE))
    beliefs = ToyBeliefs(robot)
    parts = [compile_plan(plan, beliefs=beliefs, robot=robot) for plan in (MILK, plan_of(WAVE, "waved robot0"))]
    child = Sequence("both", memory=True, children=parts)
    replaces = Answering(NewPlan(MILK), name="replaces")
    root = Recover(
        child,
        [replaces, Retry()],
        beliefs=beliefs,
        clock=robot.clock,
        carry_out=lambda plan, *_: compile_plan(plan, beliefs=beliefs, robot=robot),
    )
    robot.failures["open"] = [SLIPPED]
    assert run(root, robot, beliefs).status is Ending.SUCCESS
    assert replaces.plan is None
    assert robot.done[-1] == "wave"


def test_a_failed_part_ends_its_detour_and_there_is_none_within_one():
    robot = ToyRobot((*MILK.steps, WAVE, NOD))
    beliefs = ToyBeliefs(robot)
    away = Plan((move("table0", "sink0"),), conjunct("at robot0 sink0"))
    detour = Detour((plan_of(WAVE, "waved robot0"), plan_of(NOD, "nodded robot0")))
    detours = Answering(detour, *[Detour((away,))] * 9, name="detours")
    robot.failures["open"] = [SLIPPED]
    robot.failures["wave"] = [Feedback(Code.STUCK, "the arm", "no progress", recoverable=True)] * 9
    root = pursue(MILK, [detours], {"detours": Budget(tries=1, same=1)}, beliefs=beliefs, robot=robot)
    assert run(root, robot, beliefs).status is Ending.SUCCESS
    assert "nod" not in robot.done


def test_what_was_tried_before_a_restart_is_no_reason_after_it():
    robot = ToyRobot(MILK.steps)
    beliefs = ToyBeliefs(robot)
    root = pursue(MILK, [Retry()], beliefs=beliefs, robot=robot)
    robot.failures["open"] = [SLIPPED]
    assert run(root, robot, beliefs).status is Ending.SUCCESS
    robot.change(START, robot.atoms)
    beliefs.refresh()
    obstructed = Feedback(Code.OBSTRUCTED, "the way", "something stands there")
    robot.failures["move"] = [obstructed]
    assert run(root, robot, beliefs).reason == obstructed


def test_what_comes_of_a_run_that_was_called_off_is_no_answer():
    cancellation = Cancellation()
    for delay in (None, 0.0):
        pending = Pending(lambda: "an answer", name="test", now=0.0, delay=delay, cancellation=cancellation)
        while not pending.arrived(1.0):
            pass
    cancellation.cancel()
    assert not pending.arrived(1.0)
