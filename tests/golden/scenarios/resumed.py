"""Runs that go on from a record cut off after each of its ticks, on a body that stands as it stood then.

Cuts in a row after which the resumed run writes the same are told once: an event ``cut`` with the time of the first of
them, and the events that follow from it, without their times.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bt import Entries
from bt.record import FILE_NAME
from domains.reader import load_domain, load_scene
from graftwork import Session
from graftwork.errors import NothingToDoError
from robots.fake import FakeRobot, InjectedFault
from semantics.logic.feedback import Code
from tests.golden.adapter import planner, settled
from tests.golden.comparison import TIMES, normalised

__all__ = ["PLAYED"]

OLD = Path(__file__).parents[1] / "data" / "old" / FILE_NAME
"""A whole record of the program as it was when the golden journals were first made; it is never made again."""
GIVEN = {"scene": "small", "memory": None}


class Lasting(FakeRobot):
    """A body that outlives the process that drives it: closing it only stops it."""

    def close(self) -> None:
        """Stop."""
        self.stop()


class Cut(NamedTuple):
    """What was written after a tick, and the body as it stood then."""

    text: bytes
    body: Lasting


def cuts(said: str, faults: Sequence[InjectedFault], folder: Path) -> Iterator[Cut]:
    """Do a sentence with a record, and give what there is after each tick."""
    layout = load_scene(load_domain("kitchen"), "small").arrangement
    file = folder / "first" / FILE_NAME
    body = Lasting(layout, faults=faults)
    with Session(robot=body, record=file.parent, planner=planner(), **GIVEN) as session:
        run = settled(session.start(said))
        yield Cut(file.read_bytes(), copy.deepcopy(body))
        while run.tick():
            yield Cut(file.read_bytes(), copy.deepcopy(body))


def resumed(text: bytes, folder: Path, robot: Any, *, plan_only: bool = False) -> list[dict[str, Any]]:
    """Go on from a record, and return the golden events of it without their times."""
    journal, place = Entries(), folder / "cut"
    place.mkdir(exist_ok=True)
    (place / FILE_NAME).write_bytes(text)
    with Session(robot=robot, planner=planner(), journals=(journal,), **GIVEN) as session:
        try:
            run = session.resume(place)
        except NothingToDoError as error:
            return [{"e": "nothing", "why": str(error).replace(str(folder), "FOLDER")}]
        if plan_only:
            settled(run).leave()
        else:
            run.finish()
    return [lasting(event) for event in normalised(journal.events, folder)]


def lasting(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event without its times and without what was so when the run was resumed, which hangs on the cut."""
    event = {key: value for key, value in event.items() if key not in TIMES}
    return {"e": "start"} if event["e"] == "start" else event


def joined(outcomes: Iterable[tuple[float, list[dict[str, Any]]]]) -> list[dict[str, Any]]:
    """Put cuts in a row that have the same outcome together."""
    told: list[dict[str, Any]] = []
    last = None
    for time, events in outcomes:
        if events != last:
            told += [{"e": "cut", "t": round(time, 3)}, *events]
        last = events
    return told


def family(said: str, *faults: InjectedFault, every: int = 1) -> Callable[[Path], list[dict[str, Any]]]:
    """Return what resumes a run cut off after each tick, or after each `every` of them."""

    def done(folder: Path) -> list[dict[str, Any]]:
        chosen = list(cuts(said, faults, folder))[::every]
        for cut in chosen:
            cut.body.stop()  # the process is gone, and with it the motion under way
        return joined((cut.body.clock.now(), resumed(cut.text, folder, cut.body)) for cut in chosen)

    return done


def from_an_old_record(folder: Path) -> list[dict[str, Any]]:
    """Plan on from an old record cut off after some of its lines, with a body whose world begins anew."""
    lines = OLD.read_bytes().splitlines(keepends=True)
    texts = [b"".join(lines[:number]) for number in range(1, len(lines) + 1, 32)] + [b"".join(lines)]
    return joined((0.0, resumed(text, folder, "fake", plan_only=True)) for text in texts)


PLAYED: dict[str, Callable[[Path], list[dict[str, Any]]]] = {
    "fridge-each-tick": family("open the fridge"),
    "apple-with-a-slip": family("put the apple on the shelf", InjectedFault(Code.NOT_GRASPED, "pick"), every=12),
    "old-record": from_an_old_record,
}
