"""The trees of sessions: a cell for each node, and the outcome of a plain tick whatever happens."""

from collections import Counter

import pytest
from py_trees.common import Status

from bt import Runner, compile_plan, runner as runner_module
from bt.exclusive import Exclusive
from bt.execution.execute import Execute
from bt.execution.goal import GoalNode
from bt.execution.step import Step
from bt.node import kind_of, walk
from bt.recovery import Recover
from bt.ticking import Ticker
from bt.ticking.cells import Foreign
from graftwork import Outcome, Session
from semantics.logic.atoms import Atom
from tests.bt.ticking.session_twins import compared
from tests.bt.toy import GOAL, MILK, ToyBeliefs, ToyRobot

MILK_PLEASE = "bring me the milk"


@pytest.fixture
def session(tmp_path):
    with Session("kitchen", "small", robot="fake", memory=tmp_path / "memory.sqlite") as opened:
        yield opened


def assert_native(ticker: Ticker, root):
    cells = ticker.cells()
    assert [cell.node for cell in cells] == list(walk(root))
    assert not any(isinstance(cell, Foreign) for cell in cells)


def test_each_node_of_the_tree_of_a_session_has_a_cell_of_its_own(session):
    root = session.subtree(MILK_PLEASE)
    nodes = list(walk(root))
    steps = sum(isinstance(node, Step) for node in nodes)
    assert [type(node) for node in nodes[:5]] == [Exclusive, GoalNode, Recover, Execute, Step]
    assert len(nodes) == 4 + 4 * steps
    assert_native(Ticker(root), root)


@pytest.fixture
def every_tree_is_large(monkeypatch):
    monkeypatch.setattr(runner_module, "MOST_PLAIN", 0)


def test_so_it_is_throughout_the_run_of_a_session_in_which_the_plan_is_made_anew(session, every_tree_is_large):
    run = session.start(MILK_PLEASE)
    run.wait()
    runner, robot = run.runner, session.environment.robot
    executes = set()
    while run.tick():
        assert_native(runner.ticker, runner.root)
        executes |= {node for node in walk(runner.root) if isinstance(node, Execute)}
        if runner.ticks == 20:
            robot.move_piece("milk0", "on", "counter0")
    assert run.episode.outcome is Outcome.ACHIEVED
    assert len(executes) > 1


def test_steps_that_have_ended_or_not_begun_are_not_ticked():
    robot = ToyRobot(MILK.steps)
    beliefs = ToyBeliefs(robot)
    runner = Runner(compile_plan(MILK, beliefs=beliefs, robot=robot), robot, beliefs)
    while len(robot.motions) < 3:
        runner.step()
    runner.step()
    assert [kind_of(node) for node in runner.visited] == ["act", "step", "execute", "goal"]


class Hasty(GoalNode):
    """A goal node of somebody's own that takes nothing but its child's word."""

    def settled(self):
        return None


class Patient(GoalNode):
    """A goal node of somebody's own with a way of its own to tick."""

    ticks = 0

    def tick(self):
        self.ticks += 1
        yield from super().tick()


@pytest.mark.parametrize(("kind", "is_native"), [(Hasty, True), (Patient, False)])
def test_classes_that_add_to_these_nodes_are_ticked_as_they_ask(kind, is_native, every_tree_is_large):
    robot = ToyRobot(MILK.steps)
    beliefs = ToyBeliefs(robot)
    root = kind((GOAL,), compile_plan(MILK, beliefs=beliefs, robot=robot).decorated, beliefs)
    robot.change([Atom("inhand", ("milk0", "human0"))])
    beliefs.refresh()
    runner = Runner(root, robot, beliefs)
    runner.step()
    assert isinstance(runner.ticker.cells()[0], Foreign) is not is_native
    assert root.status == Status.SUCCESS
    if kind is Patient:
        assert root.ticks == 1


@pytest.mark.parametrize("seed", range(120))
def test_a_tree_that_recovers_is_ticked_as_py_trees_ticks_it(seed: int):
    compared(seed, 60)


@pytest.mark.parametrize("seed", range(1000, 1030))
def test_so_is_one_whose_body_raises(seed: int):
    compared(seed, 60, raises=0.05)


def test_these_trees_meet_with_all_that_recovery_does():
    happened = sum((Counter(compared(seed, 60)) for seed in range(30)), Counter())
    assert {"failure", "rung", "plan", "turn", "asked", "answered", "resume", "feedback"} <= happened.keys()
