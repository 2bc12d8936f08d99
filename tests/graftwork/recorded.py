"""A program that records runs, one a line of its arguments, for the test that compares two processes.

Its first argument is a folder; each of the others is ``world|scene|robot|seed|sentence``, and one with ``|goal`` at its
end has a scripted model, which is asked twice and answers that goal in the end. The robot ``faulty`` is the fake with a
mishap of each kind in every fifth motion.
"""

import contextlib
import json
import sys
from pathlib import Path

from benchmarks.mishaps import Faulty, MishapKind, RoomHands
from domains.reader import load_domain, load_scene
from graftwork import Session
from graftwork.testing import ScriptedModel
from planning import OwnProcess
from robots.fake import FakeRobot
from tests.conftest import Lent


def record(task: str, folder: Path, planner: Lent) -> str:
    """Do one task; return how it ended."""
    world, scene, robot, seed, sentence, *goal = task.split("|")
    model = ScriptedModel([{"goal": "(in nothing nowhere)"}, {"goal": goal[0]}]) if goal else "offline"
    body = mishaps(world, scene, int(seed)) if robot == "faulty" else robot
    given = {"memory": None, "record": folder, "model": model, "planner": planner}
    with Session(world, scene, robot=body, seed=int(seed), **given) as session:
        return str(session.handle(sentence).outcome)


def mishaps(world: str, scene: str, seed: int) -> Faulty:
    """Return a body to which things happen."""
    fake = FakeRobot(load_scene(load_domain(world), scene).arrangement)
    return Faulty(fake, RoomHands(fake), seed, dict.fromkeys(MishapKind, 0.2))


def main() -> None:
    folder = Path(sys.argv[1])
    with contextlib.closing(OwnProcess("fast-downward")) as planner:  # it takes longer to start than most tasks do
        told = {task: record(task, folder / str(number), Lent(planner)) for number, task in enumerate(sys.argv[2:])}
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
