from hypothesis import given, settings, strategies as st

from bt import Entries, Runner, compile_plan
from bt.runner import Ending
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Plan, State
from tests.bt.oracles.regression import simulated_point
from tests.bt.toy import GIVE, GOAL, MILK, START, ToyBeliefs, ToyRobot, atom, move, operator

PICK_UP = operator(
    "grasp robot0 milk0 floor0",
    "at robot0 floor0, on milk0 floor0, !busy robot0",
    "inhand milk0 robot0, busy robot0, !on milk0 floor0",
    "busy robot0",
)


def make(plan=MILK, atoms=START, journal=None):
    robot = ToyRobot(plan.steps, atoms)
    beliefs = ToyBeliefs(robot)
    root = compile_plan(plan, beliefs=beliefs, robot=robot, journal=journal)
    return robot, beliefs, root, Runner(root, robot, beliefs)


def jumps(journal):
    return [(event["from"], event["to"]) for event in journal.of("resume")]


def test_a_plan_is_carried_out_step_by_step():
    journal = Entries()
    robot, _, root, runner = make(journal=journal)
    assert runner.run(60).status is Ending.SUCCESS
    assert robot.done == ["move", "open", "take_out", "move", "handover"]
    assert jumps(journal) == [(None, 0), (0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    assert root.decorated.point == 5


def test_a_plan_is_taken_up_in_the_middle():
    atoms = frozenset(map(atom, ("at robot0 fridge0", "opened fridge0", "in milk0 fridge0")))
    robot, *_, runner = make(atoms=atoms)
    assert runner.run(60).status is Ending.SUCCESS
    assert robot.done == ["take_out", "move", "handover"]


def test_a_door_pushed_shut_between_steps_is_opened_again():
    robot, *_, runner = make()
    robot.at(2.08, ["closed fridge0"], ["opened fridge0"])
    assert runner.run(60).status is Ending.SUCCESS
    assert robot.done == ["move", "open", "open", "take_out", "move", "handover"]


def test_a_kept_precondition_that_is_sensed_false_stops_the_step_and_its_reason_is_told():
    journal = Entries()
    robot, *_, runner = make(journal=journal)
    robot.at(2.5, ["closed fridge0"], ["opened fridge0"])
    assert runner.run(60).status is Ending.SUCCESS
    assert robot.done == ["move", "open", "take_out", "open", "take_out", "move", "handover"]
    assert robot.motions[2].cancelled
    back = next(event for event in journal.of("resume") if event["to"] == 1 and event["from"] == 2)
    assert "(closed fridge0) was sensed to hold" in back["why"]


def test_a_stopped_motion_comes_to_rest_before_the_next_one_starts():
    robot, *_, runner = make()
    robot.braking = 0.4
    robot.at(2.5, ["closed fridge0"], ["opened fridge0"])
    starts = []
    start = robot.start
    robot.start = lambda command: starts.append(robot.clock.now()) or start(command)
    assert runner.run(60).status is Ending.SUCCESS
    assert starts[3] - 2.5 >= 0.4


def test_a_motion_that_does_not_come_to_rest_is_a_failure():
    robot, *_, runner = make()
    robot.braking = 1000.0
    robot.at(2.5, ["closed fridge0"], ["opened fridge0"])
    end = runner.run(60)
    assert end.status is Ending.FAILURE
    assert end.reason.code is Code.STUCK


def test_steps_that_luck_has_done_are_skipped():
    robot, *_, runner = make()
    robot.at(0.5, ["opened fridge0"], ["closed fridge0"])
    assert runner.run(60).status is Ending.SUCCESS
    assert robot.done == ["move", "take_out", "move", "handover"]


def test_driving_is_at_no_place_and_does_not_disturb_the_plan():
    robot, *_, runner = make()
    robot.at(0.2, ["at robot0 floor0"], ["at robot0 table0"])
    robot.at(0.9, [], ["at robot0 floor0"])
    assert runner.run(60).status is Ending.SUCCESS
    assert robot.done.count("move") == 2


def test_an_effect_that_shows_before_the_motion_ends_does_not_start_the_next_step():
    robot, *_, runner = make()
    robot.at(1.5, ["opened fridge0"], ["closed fridge0"])
    assert runner.run(60).status is Ending.SUCCESS
    assert robot.done == ["move", "open", "take_out", "move", "handover"]
    assert not any(motion.cancelled for motion in robot.motions)


def test_a_fact_denied_for_a_moment_stops_nothing():
    robot, *_, runner = make()
    for time in (0.5, 1.5, 2.5):
        robot.at(time, [], ["in milk0 fridge0"] if time < 2 else [])
        robot.at(time, ["closed fridge0"] if time > 2 else [])
        robot.at(time + 0.1, ["in milk0 fridge0"] if time < 2 else [], ["closed fridge0"] if time > 2 else [])
    assert runner.run(60).status is Ending.SUCCESS
    assert robot.done == ["move", "open", "take_out", "move", "handover"]
    assert not any(motion.cancelled for motion in robot.motions)


def test_a_fact_denied_for_a_moment_between_steps_is_waited_for():
    journal = Entries()
    robot, *_, runner = make(journal=journal)
    robot.at(1.03, [], ["in milk0 fridge0"])
    robot.at(1.13, ["in milk0 fridge0"])
    end = runner.run(60)
    assert end.status is Ending.SUCCESS
    assert journal.of("feedback") == []


def test_the_plan_is_lost_when_its_object_is_taken_away():
    journal = Entries()
    robot, *_, runner = make(journal=journal)
    robot.at(1.5, ["on milk0 table0"], ["in milk0 fridge0"])
    end = runner.run(60)
    assert end.status is Ending.FAILURE
    assert end.reason.code is Code.PRECONDITION
    assert "milk0" in end.reason.culprits
    assert robot.motions[-1].cancelled
    assert jumps(journal)[-1] == (1, None)


def test_the_reason_of_a_failed_motion_is_the_reason_of_the_plan():
    reason = Feedback(Code.NOT_GRASPED, "milk0", "the fingers closed on air", culprits=("milk0",))
    journal = Entries()
    robot, *_, runner = make(journal=journal)
    robot.failures["take_out"] = [reason]
    end = runner.run(60)
    assert (end.status, end.reason) == (Ending.FAILURE, reason)
    (told,) = journal.of("feedback")
    assert told["node"] == "goal/execute/take_out"
    assert told["feedback"]["code"] == "not-grasped"


def test_a_failed_step_whose_purpose_is_met_does_not_matter():
    robot, *_, runner = make()
    robot.failures["open"] = [Feedback(Code.STUCK, "door", "it does not move any more")]
    robot.at(1.9, ["opened fridge0"], ["closed fridge0"])
    assert runner.run(60).status is Ending.SUCCESS
    assert robot.done == ["move", "open", "take_out", "move", "handover"]


def test_an_effect_that_is_never_sensed_is_named_after_the_patience():
    _, beliefs, _, runner = make()
    beliefs.hidden = frozenset({atom("inhand milk0 robot0")})
    end = runner.run(60)
    assert end.reason.code is Code.EFFECT_MISSING
    assert "(inhand milk0 robot0) was not sensed" in end.reason.why
    assert end.seconds >= 3.0 + 3.0


def test_a_plan_without_steps_succeeds_at_its_goal_and_fails_elsewhere():
    there = make(Plan((), GOAL), frozenset({atom("inhand milk0 human0")}))[-1]
    assert there.run(5).status is Ending.SUCCESS
    elsewhere = make(Plan((), GOAL))[-1].run(5)
    assert (elsewhere.status, elsewhere.reason.code) == (Ending.FAILURE, Code.PRECONDITION)


def test_a_resume_node_can_run_again_after_its_end():
    robot, beliefs, root, runner = make()
    runner.run(60)
    robot.atoms = START
    beliefs.refresh()
    again = Runner(root, robot, beliefs)
    assert again.run(60).status is Ending.SUCCESS
    assert robot.done.count("handover") == 2


def test_where_a_working_body_is_sensed_meanwhile_does_not_call_its_step_off():
    """The arm reaches what lies on the ground only from beside the bin, so that the robot is sensed to be there."""
    robot, _, _, runner = make(
        Plan((PICK_UP, move("floor0", "human0"), GIVE), GOAL),
        frozenset(map(atom, ("at robot0 floor0", "on milk0 floor0"))),
    )
    robot.at(0.3, ["at robot0 trash0"], ["at robot0 floor0"])
    end = runner.run(60)
    assert robot.done == ["grasp"]
    assert not robot.motions[0].cancelled
    assert end.reason.code is Code.PRECONDITION
    assert atom("inhand milk0 robot0") in runner.beliefs.state.atoms


def test_a_drive_past_another_place_is_let_finish():
    robot, *_, runner = make()
    robot.at(0.3, ["at robot0 trash0"], ["at robot0 table0"])
    robot.at(0.8, [], ["at robot0 trash0"])
    assert runner.run(60).status is Ending.SUCCESS
    assert robot.done == ["move", "open", "take_out", "move", "handover"]


def test_a_step_that_is_undone_again_and_again_is_given_up():
    journal = Entries()
    robot, *_, runner = make(journal=journal)
    start = robot.start

    def spoiled(command):
        if command.primitive == "take_out":
            robot.at(robot.clock.now() + 0.3, ["closed fridge0"], ["opened fridge0"])
        return start(command)

    robot.start = spoiled
    end = runner.run(200)
    assert (end.status, end.reason.code) == (Ending.FAILURE, Code.STUCK)
    assert robot.done.count("take_out") == 5
    assert "(closed fridge0) was sensed to hold" in end.reason.why
    assert journal.of("feedback")[-1]["feedback"]["code"] == "stuck"


def test_work_that_is_undone_four_times_is_done_a_fifth_time():
    robot, *_, runner = make()
    start = robot.start

    def spoiled(command):
        if command.primitive == "take_out" and robot.done.count("take_out") < 4:
            robot.at(robot.clock.now() + 0.3, ["closed fridge0"], ["opened fridge0"])
        return start(command)

    robot.start = spoiled
    assert runner.run(200).status is Ending.SUCCESS
    assert robot.done.count("take_out") == 5


FACTS = [
    atom(text)
    for text in (
        "at robot0 table0",
        "at robot0 fridge0",
        "at robot0 human0",
        "closed fridge0",
        "opened fridge0",
        "in milk0 fridge0",
        "inhand milk0 robot0",
        "inhand milk0 human0",
        "on milk0 table0",
    )
]
disturbances = st.lists(
    st.tuples(
        st.floats(0.0, 12.0),
        st.frozensets(st.sampled_from(FACTS), max_size=3),
        st.frozensets(st.sampled_from(FACTS), max_size=3),
    ),
    max_size=5,
)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 5), disturbances)
def test_every_step_that_is_started_begins_a_rest_of_the_plan_that_reaches_the_goal(done, changes):
    state = State(START)
    for step in MILK.steps[:done]:
        state = step.apply(state)
    robot, beliefs, root, runner = make(atoms=state.atoms)
    for time, added, deleted in changes:
        robot.clock.events.append((time, lambda added=added, deleted=deleted: robot.change(added, deleted)))
    chosen = []
    start = robot.start

    def watched(command):
        index = root.decorated.point
        chosen.append((index, str(MILK.steps[index].command) == str(command), beliefs.state))
        return start(command)

    robot.start = watched
    end = runner.run(40)
    for index, same, believed in chosen:
        assert same
        assert simulated_point(MILK.steps, GOAL, believed) == index
    running = [motion for motion in robot.motions if motion.stage.value == "running" and not motion.cancelled]
    assert not running
    if end.status is Ending.SUCCESS:
        assert beliefs.state.satisfies(GOAL)
