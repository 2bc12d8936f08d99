"""A body of one's own, in eighty lines: it walks between rooms and presses switches, and tells what it knows.

It knows no planning, no words and no trees: it starts motions by the names of its primitives, says how far they are,
and senses. The world is in ``examples/lamps``. Run it with ``python examples/own_body.py``.
"""

from pathlib import Path

from graftwork import Session
from robots.motion import VirtualClock
from semantics import Atom, Code, Feedback
from semantics.body.observation import Observation
from semantics.body.primitive import Primitive
from semantics.body.protocols import MotionProgress, MotionStatus


class Motion:
    """A motion that takes two seconds, and then has its effect."""

    def __init__(self, body, effect):
        self.body, self.effect, self.end = body, effect, body.clock.now() + 2.0
        self.status = MotionStatus.RUNNING

    def poll(self):
        if self.status is MotionStatus.RUNNING and self.body.clock.now() >= self.end:
            self.status = MotionStatus.DONE
            self.effect()
        return MotionProgress(self.status, feedback=self.why())

    def why(self):
        if self.status is MotionStatus.FAILED:
            return Feedback(Code.CANCELLED, "the motion", "it was cancelled")
        return None

    def cancel(self):
        if self.status is MotionStatus.RUNNING:
            self.status = MotionStatus.FAILED


class Refused:
    """A motion that never begins, because the command makes no sense."""

    def __init__(self, command):
        self.feedback = Feedback(Code.REFUSED_BY_BODY, str(command), "this body cannot do that")

    def poll(self):
        return MotionProgress(MotionStatus.FAILED, feedback=self.feedback)

    def cancel(self):
        """It has ended already."""


class House:
    """A house with a robot in it; `semantics.body.protocols.Robot` says what each method has to do."""

    name = "robot0"

    def __init__(self):
        self.clock = VirtualClock()  # a real body has a real clock
        self.room, self.lit, self.motion, self.count = "hall", set(), None, 0
        self.primitives = {
            "go": Primitive("Walk to a room.", {"to": "the room"}),
            "press": Primitive("Press the switch of a lamp.", {"lamp": "the lamp"}),
        }

    def observation(self):
        if self.motion is not None:
            self.motion.poll()
        self.count += 1
        told = {Atom("at", (self.name, room)): room == self.room for room in ("hall", "kitchen")}
        told |= {Atom("lit", (lamp,)): lamp in self.lit for lamp in ("lamp0", "lamp1")}
        return Observation(time=self.clock.now(), number=self.count, told=told)

    def start(self, command):
        known = {"go": ("to", ("hall", "kitchen")), "press": ("lamp", ("lamp0", "lamp1"))}
        role, names = known.get(command.primitive, ("", ()))
        if command.roles.get(role) not in names:
            return Refused(command)
        if command.primitive == "go":
            effect = lambda: setattr(self, "room", command.roles["to"])  # noqa: E731
        else:
            effect = lambda: self.lit.add(command.roles["lamp"])  # noqa: E731
        self.motion = Motion(self, effect)
        return self.motion

    def stop(self):
        if self.motion is not None:
            self.motion.cancel()

    def close(self):
        self.stop()


def main():
    house = House()
    world = Path(__file__).parent / "lamps"
    with Session(str(world), robot=house, memory=None) as session:
        for said in ("light lamp1", "light lamp0 and lamp1"):
            episode = session.handle(said)
            print(episode.outcome, *episode.plan)
        print(sorted(house.lit), house.room)


if __name__ == "__main__":
    main()
