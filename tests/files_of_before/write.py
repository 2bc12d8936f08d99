"""Writes files as this version of the program does, for later ones to read: ``python -m tests.files_of_before.write``.

The files beside this script were written by the version before plans became statements of a program, on 2026-12-01,
and are never written again: a later version has to read them as they are.
"""

import sys
from pathlib import Path

from typer.testing import CliRunner

from graftwork import Session
from graftwork.cli.app import app
from robots.fake import InjectedFault
from semantics.logic.feedback import Code

PROGRAM = """
if not opened(fridge0):
    achieve(opened(fridge0))
achieve(in_(apple0, fridge0))
say("the apple is cold")
"""
LEARNED = {
    "plan": "bring me the milk",
    "value": "carefully put the cup on the shelf",
    "order": "put the apple on the shelf, then the banana in the fridge",
    "scene": "put all the fruit on the shelf",  # what is in the scene decides what is meant
}


def write(folder: Path) -> None:
    """Write a memory with evidence and a rule beside it, and records of runs, into a folder."""
    memory = folder / "memory.sqlite"

    def session(record: str = "") -> Session:
        return Session(scene="small", robot="fake", memory=memory, record=folder / record if record else None)

    for name, words in LEARNED.items():
        with session(name) as opened:
            opened.handle(words)
    with session("program") as opened:
        opened.program(PROGRAM).finish()
    for blamed in ("cup0", "banana0", "apple0"):
        with session() as opened:
            opened.environment.robot.add_fault(InjectedFault(Code.OBSTRUCTED, "open", culprits=(blamed,)))
            opened.handle("open the fridge")
    with session() as opened:
        opened.handle("bring me the unicorn")
    CliRunner().invoke(app, ["repairs", "accept", "learned-open-1", "--memory", str(memory)])


if __name__ == "__main__":
    write(Path(sys.argv[1]))
