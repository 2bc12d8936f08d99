"""Runs that are corrected while they are under way: a plan, a program, two hands; and corrections that are refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from robots.fake import InjectedFault
from semantics.logic.correction import Correction, Insert, Move, Remove, Replace, StatementPlace, Wrap
from semantics.logic.feedback import Code
from semantics.logic.goal import Rejection
from tests.golden.adapter import SERVED
from tests.golden.stories import Play, Story

__all__ = ["PLAYED"]

APPLE = "put the apple into the fridge"
AWAY = "move(end=table0)\ngrasp(cup0)\nmove(end=counter0)\nplace(cup0)\n"
Make = Callable[[Play], Correction]
Found = dict[str, Any]


def corrected(said: str, seconds: float, make: Make, story: Story | None = None, *, program: bool = False) -> Any:
    """Return what begins a sentence or a program, corrects it at a time, and goes on to its end."""

    def done(folder: Path) -> list[dict[str, Any]]:
        played = (story or Story()).opened(folder)
        with played.session as session:
            played.run = session.program(said) if program else session.start(said)
            played.until(seconds)
            played.journal.write("corrected", told(played.run.correct(make(played))))
            played.finish(played.run)
        return played.journal.events

    return done


def told(found: Any) -> Found:
    """Return what came of a correction."""
    if isinstance(found, Rejection):
        return {"refused": [feedback.as_dict() for feedback in found.feedback]}
    return {"stopped": list(found.stopped), "steps": list(found.steps), "difference": list(found.difference)}


def around_the_shelf(played: Play) -> Correction:
    number = [str(step) for step in played.run.plan.steps].index("(move robot0 fridge0 table0)")
    detour = "move(robot0, fridge0, shelf0)\nmove(robot0, shelf0, table0)"
    return Correction((Insert(StatementPlace((number,)), detour), Remove(StatementPlace((number + 2,)))))


def without_the_end(played: Play) -> Correction:
    return Correction((Remove(StatementPlace((len(played.run.plan.steps) - 2,))),))


def by_the_other_hand(played: Play) -> Correction:
    steps = [(number, step.action) for number, step in enumerate(played.run.plan.steps)]
    soda, apple = ([step for step in steps if thing in step[1].args] for thing in ("soda_bottle", "apple_bottle"))
    (hand, free), last = ([own[0][1].args[1] for own in (apple, soda)]), len(steps)
    others = [Replace(StatementPlace((number,)), hand, free) for number, _ in apple]
    after = [
        Move(StatementPlace((apple[0][0],)), StatementPlace((last,))),
        Move(StatementPlace((apple[1][0] - 1,)), StatementPlace((last,))),
    ]
    return Correction((*others, *after))


def edited(*edits: Any) -> Make:
    return lambda played: Correction(edits)


PLAYED: dict[str, Callable[[Path], list[dict[str, Any]]]] = {
    "plan": corrected(APPLE, 1.0, around_the_shelf),
    "plan-then-again": corrected(
        APPLE,
        1.0,
        around_the_shelf,
        Story(faults=[InjectedFault(Code.NOT_GRASPED, "pick"), InjectedFault(Code.STUCK, "insert")]),
    ),
    "plan-then-replan": corrected(
        APPLE, 1.0, around_the_shelf, Story(faults=[InjectedFault(Code.NOT_GRASPED, "pick")] * 3)
    ),
    "plan-refused": corrected(APPLE, 1.0, without_the_end),
    "plan-done-already": corrected(APPLE, 5.0, edited(Replace(StatementPlace((0,)), "fridge0", "table0"))),
    "plan-planned": corrected(
        APPLE, 1.0, edited(Insert(StatementPlace((1,)), "achieve(at(robot0, shelf0))\nachieve(at(robot0, fridge0))"))
    ),
    "hands": corrected("as scripted", 3.0, by_the_other_hand, Story("", "barman", "counter", "symbolic", SERVED)),
    "program": corrected(
        AWAY,
        3.0,
        edited(
            Replace(StatementPlace((2,)), "counter0", "shelf0"), Insert(StatementPlace((4,)), "say('There it is.')")
        ),
        program=True,
    ),
    "program-under-the-hand": corrected(
        AWAY,
        0.5,
        edited(
            Insert(StatementPlace((1,)), "move(end=shelf0)"),
            Remove(StatementPlace((0,))),
            Insert(StatementPlace((1,)), "move(end=table0)"),
        ),
        program=True,
    ),
    "program-then-again": corrected(
        AWAY,
        3.0,
        edited(Replace(StatementPlace((2,)), "counter0", "shelf0")),
        Story(faults=[InjectedFault(Code.STUCK, "put")]),
        program=True,
    ),
    "program-under-a-try": corrected(
        "move(end=table0)\ngrasp(cup0)\nfail('no')\n",
        1.0,
        edited(Wrap(StatementPlace((0,)), "try:\nexcept:\n    say('Never mind.')", 3)),
        program=True,
    ),
}
