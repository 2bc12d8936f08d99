"""What went wrong in a run, and what mended it: a log of failures, folded from the events of a journal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from domains.repairs import RUNGS as NAMES

__all__ = ["Mishap", "Response", "mishaps"]

Event = Mapping[str, Any]
TICK = 0.06
"""By how much the times of one and the same failure may differ on a real clock, in seconds."""


@dataclass(frozen=True, slots=True)
class Response:
    """What a rung made of a failure.

    Attributes:
        rung: Its name.
        answered: Whether it had an answer; otherwise it handed the failure on.
        solved: Whether the run got further with that answer.
        seconds: From the failure to the answer, on the body's clock.
    """

    rung: str
    answered: bool
    solved: bool = False
    seconds: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {"rung": self.rung, "answered": self.answered, "solved": self.solved, "seconds": self.seconds}


@dataclass(slots=True)
class Mishap:
    """A failure of the tree of a plan.

    Attributes:
        t: When, in seconds of the body's clock.
        step: What failed, or could not be begun; empty when the plan as a whole was lost.
        feedback: The record of why, as plain data.
        responses: What the rungs made of it, in the order in which they were asked.
    """

    t: float
    step: str
    feedback: Mapping[str, Any]
    responses: list[Response] = field(default_factory=list)

    @property
    def solved_by(self) -> str | None:
        """The rung that solved it."""
        return next((one.rung for one in self.responses if one.solved), None)

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "t": self.t,
            "step": self.step or None,
            "feedback": dict(self.feedback),
            "rungs": [one.as_dict() for one in self.responses],
            "solved_by": self.solved_by,
        }


def mishaps(events: Iterable[Event]) -> list[Mishap]:
    """Return the failures of a run, oldest first, each with what was tried.

    Whether an answer has helped is known only later, often after the next failure; so each is found by the time of the
    failure that it is for.
    """
    found: list[Mishap] = []
    for event in events:
        kind = event.get("e")
        if kind == "failure":
            feedback = event.get("feedback")
            told = feedback if isinstance(feedback, Mapping) else {}
            found.append(Mishap(_time(event, "t"), str(event.get("step") or ""), told))
        elif kind == "rung":
            _add(found, _time(event, "failed" if "failed" in event else "t"), _response(event))
        elif kind == "feedback" and (rung := str(event.get("node") or "").rpartition("/")[2]) in NAMES:
            _add(found, _time(event, "t"), Response(rung, answered=False))
    return found


def _response(event: Event) -> Response:
    return Response(str(event.get("rung")), True, event.get("solved") is True, _time(event, "seconds"))


def _add(found: list[Mishap], time: float, response: Response) -> None:
    """Add a response to the failure it is for; of a rung that was asked twice about one, the last word counts."""
    mine = next((one for one in reversed(found) if one.t <= time + TICK), None)
    if mine is None:
        return
    others = [one for one in mine.responses if one.rung != response.rung]
    mine.responses = sorted([*others, response], key=lambda one: NAMES.index(one.rung) if one.rung in NAMES else -1)


def _time(event: Event, key: str) -> float:
    value = event.get(key)
    return float(value) if isinstance(value, int | float) else 0.0
