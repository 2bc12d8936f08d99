"""``graftwork demo``: fetch the milk from the closed fridge while somebody pushes its door shut."""

from __future__ import annotations

import sys
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

from bt import Runner
from bt.runner import Listener, signals
from bt.terminal import LiveTree
from graftwork.cli.options import echo, waiting
from graftwork.cli.run import closing_words
from graftwork.record.log import keep_log
from graftwork.session import Session
from semantics.logic.atoms import Atom

if TYPE_CHECKING:
    from robots.pybullet import PyBulletRobot

INSTRUCTION = "bring me the milk"
DOOR = "fridge0"


class Prankster(Listener):
    """Pushes a door shut once, as soon as it is sensed open and the robot's hand has released it.

    Args:
        robot: The body whose world holds the door.
        door: Name of the door's furniture.
    """

    def __init__(self, robot: PyBulletRobot, door: str) -> None:
        self.done = False
        self._robot = robot
        self._door = door
        self._is_open = Atom("opened", (door,))

    def ticked(self, runner: Runner) -> None:
        """Push the door when its moment has come."""
        if self.done or self._is_open not in runner.beliefs.state.atoms or not self._is_next(runner):
            return
        from robots.pybullet.stagehand import push_door

        self.done = True
        push_door(self._robot, self._door, 0.0)

    def _is_next(self, runner: Runner) -> bool:
        """Return whether the step after the opening runs, so that the hand no longer touches the door."""
        return any(node.name == "take_out" and node.status.value == "RUNNING" for node in runner.visited)


def demo_command(record: Path | None) -> int:
    """Run the demo, print the place of its report, and return the exit code."""
    keep_log()
    record = record or Path("runs") / f"demo-{datetime.now():%Y%m%d-%H%M%S}"
    tree = LiveTree(sys.stdout, ends=False)
    with Session(record=record, memory=None, journals=[tree]) as session:
        run = session.start(INSTRUCTION)
        with waiting("deciding"):
            run.wait()
        if run.runner is None:
            episode = run.finish()
            echo(tree.in_words(closing_words(episode)))
            return episode.exit_code
        run.runner.listen(Prankster(cast("PyBulletRobot", session.environment.robot), DOOR))
        with signals(run.runner), closing(tree):
            episode = run.finish()
    echo(tree.in_words(closing_words(episode)))
    return episode.exit_code
