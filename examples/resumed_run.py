"""A program that dies in the middle of a run: the next one goes on from the record, and does nothing twice.

The body is served at a socket, as ``graftwork serve`` does it, so that it outlives the program that drives it. Run it
with ``python examples/resumed_run.py``.
"""

import tempfile
from pathlib import Path

from domains import load_domain, load_scene
from graftwork import Session
from robots.fake import FakeRobot
from robots.served import BodyServer


def begin(robot, record):
    """Begin a run, and leave it when two steps are done, as if the program had been killed."""
    with Session("kitchen", "small", robot=robot, memory=None, record=record) as session:
        run = session.start("bring me the milk")
        run.wait()
        while "(opened fridge0)" not in map(str, session.environment.watcher.state.atoms):
            run.tick()
        run.leave()


def go_on(robot, record):
    """Go on with the run of a record."""
    with Session("kitchen", "small", robot=robot, memory=None) as session:
        run = session.resume(record)
        run.wait()
        print(*run.plan.steps, sep="\n")
        print(run.finish().outcome)


def main():
    body = FakeRobot(load_scene(load_domain("kitchen"), "small").layout)
    with tempfile.TemporaryDirectory() as folder, BodyServer(body, Path(folder) / "body"):
        begin(f"served:{folder}/body", Path(folder) / "run")
        go_on(f"served:{folder}/body", Path(folder) / "run")


if __name__ == "__main__":
    main()
