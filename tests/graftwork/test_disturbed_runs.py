"""Whole runs on real physics in which the test moves things, shuts doors, or breaks a leaf half-way."""

from collections.abc import Callable

import pytest

from bt import Runner
from graftwork import Outcome, Session
from graftwork.cli.demo import Prankster
from semantics.body.protocols import Motion, Robot
from semantics.logic.atoms import Atom
from semantics.logic.state import Command, Operator

pytest.importorskip("pybullet", reason="the simulated body needs the extra 'sim'")

from benchmarks import stagehand


class Once:
    """Does something the first time that a step of some name is at work."""

    def __init__(self, step: str, deed: Callable[[], None]) -> None:
        self.step = step
        self.deed = deed
        self.done = False

    def ticked(self, runner: Runner) -> None:
        running = {node.name for node in runner.visited if node.status.value == "RUNNING"}
        if not self.done and self.step in running:
            self.done = True
            self.deed()

    def ended(self, runner: Runner, end: object) -> None:
        pass


class Broken:
    """A skill whose motion breaks as soon as it is asked how far it is."""

    def start(self, operator: Operator, robot: Robot) -> Motion:
        return self

    def poll(self) -> None:
        raise RuntimeError("the arm has come loose")

    def cancel(self) -> None:
        raise RuntimeError("it cannot be cancelled either")


def at_rest(robot: Robot) -> bool:
    robot.clock.sleep(1.0)  # what moves needs a moment to brake
    before = stagehand.snapshot(robot)
    robot.clock.sleep(0.5)
    return not stagehand.moved(before, stagehand.snapshot(robot), more_than=2e-3)


@pytest.mark.slow
def test_a_thing_that_is_moved_half_way_is_fetched_from_where_it_is_now():
    with Session(memory=None) as session:
        robot = session.environment.robot
        run = session.start("put the apple on the counter")
        run.wait()
        to_the_shelf = Once("grasp", lambda: stagehand.move_piece(robot, "apple0", (-1.95, 0.3, 0.48)))
        run.runner.listen(to_the_shelf)
        episode = run.finish()
        assert to_the_shelf.done
        assert episode.outcome is Outcome.ACHIEVED
        assert frozenset(("apple0", "counter0")) in stagehand.contacts(robot)
        assert episode.rungs or episode.ticks > 250


@pytest.mark.slow
@pytest.mark.parametrize(("x", "y"), [(0.6, -0.6), (1.0, 0.9), (-0.8, 1.2), (-0.3, -1.4)])
def test_a_thing_that_falls_to_the_floor_half_way_is_found_and_fetched(x: float, y: float):
    with Session(memory=None) as session:
        robot = session.environment.robot
        run = session.start("put the apple on the counter")
        run.wait()
        while run.tick():
            if run.runner.ticks == 60:  # at the table, the arm on its way
                stagehand.move_piece(robot, "apple0", (x, y, 0.05))
        assert run.runner.ticks > 60
        assert run.finish().outcome is Outcome.ACHIEVED
        assert frozenset(("apple0", "counter0")) in stagehand.contacts(robot)


@pytest.mark.slow
def test_a_door_pushed_shut_half_way_is_opened_again():
    with Session(memory=None) as session:
        run = session.start("bring me the milk")
        run.wait()
        prankster = Prankster(session.environment.robot, "fridge0")
        run.runner.listen(prankster)
        episode = run.finish()
        assert prankster.done
        assert episode.outcome is Outcome.ACHIEVED
        assert Atom("inhand", ("milk0", "human0")) in session.environment.watcher.state.atoms
        assert frozenset(("milk0", "human0")) in stagehand.contacts(session.environment.robot)


@pytest.mark.slow
def test_an_exception_in_a_leaf_leaves_the_robot_still_and_names_the_node():
    with Session(memory=None, skills={"grasp": Broken()}) as session:
        episode = session.handle("put the apple on the counter")
        assert episode.outcome is Outcome.FAULT
        assert episode.exit_code == 70
        assert "grasp" in episode.feedback[-1].what
        assert "come loose" in episode.feedback[-1].why
        assert at_rest(session.environment.robot)


@pytest.mark.slow
def test_cancelling_leaves_the_robot_still_and_the_session_usable():
    with Session(memory=None) as session:
        run = session.start("open the fridge")
        for _ in range(60):
            run.tick()
        run.cancel()
        assert run.finish().outcome is Outcome.STOPPED
        assert at_rest(session.environment.robot)
        assert session.handle("open the fridge").outcome is Outcome.ACHIEVED


def test_nothing_moves_for_what_is_refused():
    with Session(memory=None) as session:
        before = stagehand.snapshot(session.environment.robot)
        for sentence in ("put the fridge on the table", "put the apple on the table and in the fridge"):
            assert session.handle(sentence).outcome is Outcome.REFUSED
        session.environment.robot.clock.sleep(0.5)
        assert stagehand.moved(before, stagehand.snapshot(session.environment.robot)) == frozenset()


def test_a_robot_that_drives_is_not_at_rest():
    with Session(memory=None) as session:
        robot = session.environment.robot
        before = stagehand.snapshot(robot)
        assert at_rest(robot)
        robot.start(Command("drive", "robot0", {"to": "counter0"}))
        assert not at_rest(robot)
        assert stagehand.moved(before, stagehand.snapshot(robot)) == {"robot0"}


@pytest.mark.slow
@pytest.mark.parametrize("thing", ["apple", "cup"])
def test_what_was_thrown_away_is_seen_in_the_bin(thing):
    with Session(memory=None) as session:
        episode = session.handle(f"throw away the {thing}")
        assert (episode.outcome, episode.rungs) == (Outcome.ACHIEVED, ())
