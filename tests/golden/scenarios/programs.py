"""Programs: those of the page, with failing steps and repairs, conditions that are planned for, questions and stops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from domains.repairs import Spending
from robots.fake import InjectedFault as Fault
from semantics.logic.feedback import Code
from tests.docs.blocks import DOCS, python_blocks
from tests.golden.stories import Story, at

__all__ = ["PLAYED", "programmed"]

AWAY = (
    "move(end=table0)\ngrasp(cup0)\nachieve(in_(cup0, fridge0))\nachieve(opened(fridge0))\nachieve(closed(fridge0))\n"
)
FRUIT, ASKED, SLIPPERY = [block.code for block in python_blocks(DOCS / "programs.md")][-3:]
SLIP = Fault(Code.NOT_GRASPED, "pick")
IN_THE_WAY = Fault(Code.OBSTRUCTED, "pick", {"object": "cup0"}, culprits=("apple0",))
GRASP = "move(end=table0)\ngrasp(cup0)\n"
FETCH = "achieve(in_(cup0, fridge0))\n"
NONE = dict.fromkeys(("again", "rule", "ask"))


def programmed(
    text: str, story: Story | None = None, answers: Sequence[str | None] | None = None
) -> Callable[[Path], list[dict[str, Any]]]:
    """Return what carries out a program in the setting of a story."""

    def done(folder: Path) -> list[dict[str, Any]]:
        played = (story or Story()).opened(folder)
        with played.session as session:
            played.finish(session.program(text), answers)
        return played.journal.events

    return done


def faulty(*faults: Fault, **more: Any) -> Story:
    return Story(faults=faults, **more)


PLAYED: dict[str, Callable[[Path], list[dict[str, Any]]]] = {
    "fruit": programmed(FRUIT),
    "fruit-slips": programmed(FRUIT, faulty(SLIP, Fault(Code.STUCK, "put"))),
    "put-away": programmed(ASKED, answers=["apple0"]),
    "put-away-nothing": programmed(ASKED, answers=["the moon"]),
    "slippery": programmed(SLIPPERY, faulty(SLIP, SLIP)),
    "slippery-without-rungs": programmed(SLIPPERY, faulty(SLIP, SLIP, SLIP, ladder=NONE)),
    "away": programmed(AWAY),
    "again": programmed(GRASP, faulty(SLIP)),
    "again-spent": programmed(GRASP, faulty(SLIP, SLIP, SLIP, ladder={"again": Spending(tries=1)})),
    "without-rungs": programmed(GRASP, faulty(SLIP, ladder={"again": Spending(tries=0), "rule": None})),
    "rule-of-an-obstacle": programmed(GRASP, faulty(IN_THE_WAY)),
    "rule-opens-and-closes": programmed("move(end=table0)\ngrasp(cup0)\nmove(end=fridge0)\nputin(cup0, fridge0)\n"),
    "rule-after-again": programmed(GRASP, faulty(SLIP, IN_THE_WAY)),
    "ask-when-nothing-helps": programmed(GRASP, faulty(*[SLIP] * 6), ["try once more", "try once more"]),
    "achieve-slips": programmed(FETCH, faulty(SLIP, SLIP, SLIP)),
    "achieve-obstacle": programmed(FETCH, faulty(IN_THE_WAY)),
    "achieve-ask": programmed(FETCH, faulty(*[Fault(Code.OUT_OF_REACH, "pick")] * 3), ["try once more", "stop"]),
    "achieve-twice": programmed(
        'for x in [apple0, banana0]:\n    achieve("(in ?x fridge0)")\n'
        "achieve(closed(fridge0) and every(in_(x, fridge0) for x in [apple0, banana0]))\n",
        faulty(SLIP, Fault(Code.STUCK, "open")),
    ),
    "achieve-impossible": programmed(
        "try:\n    achieve(chopped(apple0))\nexcept:\n    say('No knife.')\nmove(end=sink0)\n"
    ),
    "achieve-forbidden": programmed("achieve(opened(fridge0) and closed(fridge0))\n"),
    "moved-under-way": programmed(
        FETCH, Story(deeds=[(at(0.4), lambda played: played.robot.move_piece("cup0", "on", "counter0"))])
    ),
    "caught-and-gone-on": programmed(
        "move(end=counter0)\ntry:\n    grasp(apple0, table0, table0)\nexcept:\n    say('It is not here.')\n"
        "move(end=table0)\ngrasp(apple0)\n",
        Story(ladder=NONE),
    ),
    "question": programmed('where = ask("Where to?")\nmove(end=where)\n', answers=["table0"]),
    "question-nobody": programmed('try:\n    x = ask("Where to?")\nexcept:\n    move(end=table0)\n'),
    "question-stop": programmed('where = ask("Where to?")\n', answers=["stop"]),
    "refused": programmed("move(end=tabel0)\nfrobnicate(cup0)\nfor x in 3:\n    grasp(x)\n"),
    "cancelled": programmed(GRASP, Story(deeds=[(at(1.0), lambda played: played.run.cancel("enough"))])),
}  # fmt: skip
