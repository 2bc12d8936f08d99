"""A program that runs a toy plan on the real clock, for the tests that send it signals.

It says "ready" once the first motion has started, and at the end what became of it, one JSON object.
"""

import json
import sys
import time

from py_trees.common import Status

from bt import Runner, compile_plan
from bt.node import walk
from bt.runner import signals
from tests.bt.toy import MILK, ToyBeliefs, ToyRobot


class Patient(ToyRobot):
    """Its clock takes real time, and its motions never end."""

    def __init__(self) -> None:
        super().__init__(MILK.steps)
        self.clock.sleep = time.sleep

    def start(self, command):
        motion = super().start(command)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        return motion


def main() -> None:
    robot = Patient()
    beliefs = ToyBeliefs(robot)
    root = compile_plan(MILK, beliefs=beliefs, robot=robot)
    runner = Runner(root, robot, beliefs)
    if "deaf" in sys.argv:
        runner.cancel = lambda reason: None
    told = {"broken": False}
    try:
        with signals(runner):
            runner.run(20)
    except KeyboardInterrupt:
        told["broken"] = True
    told["status"] = runner.ended.status
    told["why"] = runner.ended.reason.why
    told["cancelled"] = robot.motions[0].cancelled
    told["running"] = [node.name for node in walk(root) if node.status == Status.RUNNING]
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
