"""A better plan takes over between two steps: with the toy body, and in the kitchen with the real planners."""

import threading
from itertools import pairwise

import pytest

from affordances.scene import Scene
from affordances.watcher import Watcher
from bt import Entries, Replan, Runner, pursue
from bt.errors import TreeError
from bt.execution.improvement import Improvement
from bt.runner import Ending
from domains.problem import Problem
from domains.reader import load_domain, load_scene
from planning import Anytime, make_planner, solve
from robots.fake import FakeRobot
from semantics.body.protocols import NoPlan
from semantics.logic.atoms import dnf
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.parsing import parse_formula
from semantics.logic.state import Action, Plan
from tests.bt.toy import GIVE, GOAL, MILK, OPEN, TAKE, ToyBeliefs, ToyRobot, move

DETOUR = Plan((move("table0", "sink0"), move("sink0", "shelf0"), move("shelf0", "fridge0"), *MILK.steps[1:]), GOAL)
FROM_SINK = Plan((move("sink0", "fridge0"), OPEN, TAKE, move("fridge0", "human0"), GIVE), GOAL, optimal=True)
DEARER = Plan((move("sink0", "table0"), move("table0", "shelf0"), *DETOUR.steps[2:]), GOAL)
NOTHING = NoPlan(Feedback(Code.NO_PLAN, "the goal", "nobody knows"))


class Search:
    """A search whose answer comes when it is let."""

    def __init__(self, answer, ready=True):
        self.answer, self.cancelled = answer, False
        self.ready = threading.Event()
        if ready:
            self.ready.set()

    @property
    def done(self):
        return self.ready.is_set()

    def best(self):
        return self.answer if self.done else None

    def wait(self):
        self.ready.wait(10)
        return self.answer

    def cancel(self):
        self.cancelled = True


def make(answer, plan=DETOUR, delay=None, ready=True):
    robot = ToyRobot((*DETOUR.steps, *FROM_SINK.steps, *DEARER.steps))
    beliefs, journal, searches = ToyBeliefs(robot), Entries(), []

    def improver(state):
        searches.append(Search(answer(state) if callable(answer) else answer, ready))
        return searches[-1]

    root = pursue(
        plan,
        [Replan(lambda request: NOTHING)],
        beliefs=beliefs,
        robot=robot,
        journal=journal,
        delay=delay,
        improver=improver,
    )
    return robot, journal, searches, Runner(root, robot, beliefs)


def test_a_cheaper_plan_takes_over_after_the_step_that_runs():
    asked = []

    def answer(state):
        asked.append(state)
        return FROM_SINK

    robot, journal, searches, runner = make(answer)
    assert runner.run(60).status is Ending.SUCCESS
    assert robot.done == ["move", "move", "open", "take_out", "move", "handover"]
    assert not any(motion.cancelled for motion in robot.motions)
    assert [str(atom) for atom in asked[0].atoms if atom.predicate == "at"] == ["(at robot0 sink0)"]
    assert len(searches) == 1  # the new plan is known to be cheapest
    (change,) = journal.of("plan")
    assert (change["why"], change["cost"], change["optimal"]) == ("cheaper", 5, True)


@pytest.mark.parametrize("answer", [DEARER, NOTHING, DETOUR, None])
def test_what_is_not_cheaper_from_here_is_left(answer):
    robot, journal, searches, runner = make(answer)
    assert runner.run(60).status is Ending.SUCCESS
    assert len(robot.done) == len(DETOUR.steps)
    assert journal.of("plan") == []
    assert all(search.cancelled for search in searches)


def test_an_answer_that_never_comes_holds_nothing_up():
    robot, _, searches, runner = make(FROM_SINK, ready=False)
    assert runner.run(60).status is Ending.SUCCESS
    assert len(robot.done) == len(DETOUR.steps)
    assert all(search.cancelled for search in searches)


def test_a_plan_that_is_known_to_be_cheapest_is_not_improved():
    _, _, searches, runner = make(FROM_SINK, plan=Plan(DETOUR.steps, GOAL, optimal=True))
    assert runner.run(60).status is Ending.SUCCESS
    assert searches == []


def test_on_a_simulated_clock_the_answer_is_taken_when_it_is_due():
    robot, _, _, runner = make(FROM_SINK, delay=0.5)
    assert runner.run(60).status is Ending.SUCCESS
    assert len(robot.done) == 6
    robot, _, _, runner = make(FROM_SINK, delay=5.0)  # later than the step ends: too late for it
    assert runner.run(60).status is Ending.SUCCESS
    assert len(robot.done) == 7


def test_calling_the_run_off_ends_the_search():
    _, _, searches, runner = make(FROM_SINK, ready=False)
    for _ in range(5):
        runner.step()
    runner.cancel()
    assert runner.run(60).status is Ending.CANCELLED
    assert [search.cancelled for search in searches] == [True]


def test_a_negative_delay_is_refused():
    with pytest.raises(TreeError):
        Improvement(lambda state: Search(None), beliefs=None, clock=None, delay=-1.0)


DOMAIN = load_domain("kitchen")
KITCHEN = load_scene(DOMAIN, "small")
FORMULA = parse_formula("(and (on apple0 shelf0) (on banana0 shelf0))")


@pytest.fixture(scope="module")
def planner():
    made = make_planner()
    yield made
    made.close()


@pytest.mark.parametrize("delay", [None, 0.5])
def test_in_the_kitchen_a_roundabout_plan_is_cut_short_and_its_goal_still_reached(planner, delay):
    goal = CheckedGoal(Goal(FORMULA), dnf(FORMULA))
    robot = FakeRobot(KITCHEN.layout)
    beliefs, journal = Watcher(robot, Scene.start(KITCHEN, DOMAIN)), Entries()
    beliefs.refresh()
    tour = ["floor0", "sink0", "counter0", "trash0", "fridge0"]
    detour = [DOMAIN.ground(Action("move", ("robot0", *pair)), KITCHEN.things) for pair in pairwise(tour)]
    state = beliefs.state
    for step in detour:
        state = step.apply(state)
    best = solve(Problem(DOMAIN, KITCHEN.things, state, goal.conjuncts), planner=planner)
    roundabout = Plan((*detour, *best.steps), best.goal)
    searches = []

    def improver(state):
        searches.append(Anytime(Problem(DOMAIN, KITCHEN.things, state, goal.conjuncts), planners=[planner]))
        if delay is None:
            searches[-1].wait(20)  # so that the machine's load does not decide
        return searches[-1]

    root = pursue(
        roundabout,
        [
            Replan(
                lambda request: solve(Problem(DOMAIN, KITCHEN.things, request.state, goal.conjuncts), planner=planner)
            )
        ],
        beliefs=beliefs,
        robot=robot,
        journal=journal,
        delay=delay,
        improver=improver,
    )
    assert Runner(root, robot, beliefs).run(300).status is Ending.SUCCESS
    assert beliefs.state.satisfies(best.goal)
    (change,) = journal.of("plan")
    assert change["why"] == "cheaper"
    assert change["cost"] <= best.cost
    assert journal.of("rung") == []
    assert all(search.done for search in searches)
