"""Wipes, judged from the contacts of the simulator."""

from dataclasses import replace

import numpy as np
import pybullet

from robots.pybullet import PyBulletRobot
from robots.pybullet.timing import TICK
from semantics.body.layout import MovableObject, Shape
from semantics.body.protocols import MotionProgress, MotionStatus
from semantics.logic.atoms import Atom
from semantics.logic.state import Command
from tests.robots.pybullet.kitchen import APPLE, BOWL, LAYOUT, MILK, succeeds

SPONGE = Shape("box", (0.1, 0.06, 0.04), 0.05)
CELL = 0.01


class Wiping:
    """A robot with a wet sponge in its hand, and what is seen of its contacts with the counter.

    Attributes:
        robot: The robot.
        touched: Which cells of the top the sponge touched; rows go to the front.
        deepest: The deepest contact of the sponge, in metres.
    """

    def __init__(self, *pieces: MovableObject) -> None:
        sponge = MovableObject("sponge0", SPONGE, "on", "counter0", (-0.6, 0.15))
        states = frozenset({Atom("wet", ("sponge0",))})
        self.robot = PyBulletRobot(replace(LAYOUT, pieces=(sponge, *pieces), states=states))
        self.box = self.robot.rig.world.offered["counter0"].surfaces[0]
        self.touched = np.zeros([round(length / CELL) for length in self.box.size[:2]], dtype=bool)
        self.deepest = 0.0
        assert succeeds(self.robot, "pick", object="sponge0", source="counter0", at="counter0")

    def wipe(self, **values: float) -> MotionProgress:
        roles = {"object": "sponge0", "target": "counter0", "at": "counter0"}
        motion = self.robot.start(Command("wipe", "robot0", roles, values))
        while motion.poll().stage is MotionStatus.RUNNING:
            self.robot.clock.sleep(TICK)
            self._look()
        return motion.poll()

    def _look(self) -> None:
        """Mark the cells between the outermost contacts of the sponge, which is parallel to the counter."""
        world = self.robot.rig.world
        bodies = world.body("sponge0"), world.body("counter0")
        points = pybullet.getContactPoints(*bodies, physicsClientId=world.client)
        near = np.array([point[6][:2] for point in points if point[8] < 0.001])
        self.deepest = min([self.deepest, *(point[8] for point in points)])
        if len(near) > 2:
            low, high = ((edge - self.box.low[:2]) / CELL for edge in (near.min(axis=0), near.max(axis=0)))
            (a, b), (c, d) = low.round().astype(int).clip(0), high.round().astype(int).clip(0)
            self.touched[a:c, b:d] = True


def test_a_wipe_covers_an_empty_top_and_tells_the_share():
    wiping = Wiping()
    progress = wiping.wipe()
    assert progress.stage is MotionStatus.DONE, progress.feedback
    assert wiping.touched.mean() > 0.9
    assert wiping.deepest > -0.005
    seen = wiping.robot.observation()
    assert abs(seen.numbers[Atom("wiped", ("counter0",))] - 100.0 * wiping.touched.mean()) < 8.0
    assert seen.told[Atom("clean", ("counter0",))]
    wiping.robot.close()


def test_a_wipe_goes_around_what_stands_there():
    things = (
        MovableObject("apple0", APPLE, "on", "counter0", (0.1, 0.12)),
        MovableObject("bowl0", BOWL, "on", "counter0", (-0.2, -0.1)),
        MovableObject("milk0", MILK, "on", "counter0", (0.45, -0.05)),
    )
    wiping = Wiping(*things)
    world = wiping.robot.rig.world
    before = {thing.name: world.pose(thing.name)[0] for thing in things}
    progress = wiping.wipe()
    assert progress.stage is MotionStatus.DONE, progress.feedback
    assert wiping.touched.mean() > 0.6
    for name, place in before.items():
        assert np.allclose(world.pose(name)[0], place, atol=0.002), name
    wiping.robot.close()


def test_a_wipe_of_less_than_was_asked_fails_with_both_shares_and_makes_nothing_clean():
    wall = Shape("box", (0.06, 0.5, 0.3), 0.5)
    wiping = Wiping(MovableObject("wall0", wall, "on", "counter0", (0.5, 0.0)))
    progress = wiping.wipe(share=99.0)
    assert progress.feedback.code == "effect-missing"
    assert "of its free top were wiped" in progress.feedback.why
    assert "99% and 90% are the least" in progress.feedback.why
    seen = wiping.robot.observation()
    assert 50.0 < seen.numbers[Atom("wiped", ("counter0",))] < 99.0
    assert Atom("clean", ("counter0",)) not in seen.told
    wiping.robot.close()


def test_gaps_hardly_wider_than_the_tool_are_wiped_with_all_of_it():
    cans = [
        MovableObject(
            f"can{i}{j}", Shape("cylinder", (0.066, 0.066, 0.1), 0.4), "on", "counter0", (-0.44 + 0.22 * i, y)
        )
        for i in range(4)
        for j, y in enumerate((-0.16, 0.0, 0.16))
    ]
    progress = Wiping(*cans).wipe()
    assert progress.stage is MotionStatus.DONE, progress.feedback
