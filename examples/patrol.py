"""A patrol with a battery, in a tree of one's own: places are subtrees of a session, the battery is a leaf of yours.

The robot goes from the table to the shelf and back. When the battery is low it goes to the sink, where its dock is, and
charges. Run it with ``python examples/patrol.py``; it prints where the robot was.
"""

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Selector, Sequence
from py_trees.decorators import Inverter

from graftwork import Session

PER_SECOND = 0.04
"""What a second of driving takes from a full battery of 1."""


class Battery:
    """A battery that is emptied by the time that passes."""

    def __init__(self, clock):
        self.clock, self.level, self.seen = clock, 1.0, clock.now()

    def now(self):
        time = self.clock.now()
        self.level, self.seen = max(0.0, self.level - PER_SECOND * (time - self.seen)), time
        return self.level


class Charged(Behaviour):
    """Succeeds while the battery is not low."""

    def __init__(self, battery):
        super().__init__("charged")
        self.battery = battery

    def update(self):
        return Status.SUCCESS if self.battery.now() > 0.5 else Status.FAILURE


class Charge(Behaviour):
    """Charges for two seconds."""

    def __init__(self, battery):
        super().__init__("charge")
        self.battery, self.end = battery, 0.0

    def initialise(self):
        self.end = self.battery.clock.now() + 2.0

    def update(self):
        if self.battery.clock.now() < self.end:
            return Status.RUNNING
        self.battery.level, self.battery.seen = 1.0, self.battery.clock.now()
        print("charged")
        return Status.SUCCESS


class Arrived(Behaviour):
    """Says where the robot is."""

    def update(self):
        print("at the", self.name)
        return Status.SUCCESS


def patrol(session, battery):
    """Return the tree of one round."""
    dock = Sequence("dock", memory=True)
    dock.add_children([session.subtree(goal="(at robot0 sink0)"), Charge(battery)])
    table, shelf = (
        Sequence(name, memory=True, children=[session.subtree(goal=f"(at robot0 {name}0)"), Arrived(name)])
        for name in ("table", "shelf")
    )
    low = Sequence("low", memory=True, children=[Inverter("is low", Charged(battery)), dock])
    round_ = Sequence("round", memory=True, children=[table, shelf])
    return Selector("patrol", memory=True, children=[low, round_])


def main():
    with Session("kitchen", "small", robot="fake", memory=None) as session:
        battery = Battery(session.environment.robot.clock)
        for _ in range(3):
            root = patrol(session, battery)
            root.tick_once()
            while root.status == Status.RUNNING:
                session.sleep(0.05)  # the time of the simulated body
                root.tick_once()


if __name__ == "__main__":
    main()
