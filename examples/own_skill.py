"""A skill of one's own, and a fact that only it knows: the robot polishes a cup.

The world in ``examples/polish`` has a capability without a motion of any body, and a predicate that is ``told``. Run it
with ``python examples/own_skill.py``.
"""

from pathlib import Path

from graftwork import Session
from semantics import Atom
from semantics.body.protocols import MotionProgress, MotionStatus


class Rubbing:
    """A motion that takes two seconds of the body's clock, and tells the fact at its end."""

    def __init__(self, thing, robot):
        self.thing, self.robot, self.end = thing, robot, robot.clock.now() + 2.0
        self.status = MotionStatus.RUNNING

    def poll(self):
        if self.status is MotionStatus.RUNNING and self.robot.clock.now() >= self.end:
            self.status = MotionStatus.DONE
            self.robot.tell({Atom("polished", (self.thing,)): True})
        return MotionProgress(self.status)

    def cancel(self):
        if self.status is MotionStatus.RUNNING:
            self.status = MotionStatus.FAILED


class Polish:
    """The skill: `start` gets the action with its arguments, and the body."""

    def start(self, operator, robot):
        return Rubbing(operator.action.args[1], robot)


SKILLS = {"polish": Polish()}
"""So that ``graftwork run "polish the cup" --skills examples/own_skill.py`` finds it."""


def main():
    world = Path(__file__).parent / "polish"
    with Session(str(world), robot="fake", skills=SKILLS, memory=None) as session:
        episode = session.handle("polish the cup")
        print(*episode.plan, sep="\n")
        print(episode.outcome, round(session.environment.robot.clock.now()), "s")


if __name__ == "__main__":
    main()
