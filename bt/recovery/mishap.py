"""The failures of a run and what repaired them, computed from the events of a journal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from domains.repairs import RUNGS as NAMES

Event = Mapping[str, Any]
TICK = 0.06  # how much the recorded times of the same failure may differ on a real clock, in seconds


@dataclass(frozen=True, slots=True)
class Response:
    """What a rung did about a failure."""

    rung: str  # the name of the rung
    answered: bool  # whether it had an answer; otherwise it passed the failure on
    solved: bool = False  # whether the run made progress with that answer
    seconds: float = 0.0  # the time from the failure to the answer, on the body's clock

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {"rung": self.rung, "answered": self.answered, "solved": self.solved, "seconds": self.seconds}


@dataclass(slots=True)
class Mishap:
    """A failure of the tree of a plan.

    Attributes:
        t: The time, in seconds of the body's clock.
        step: The step that failed or could not begin; empty when the plan as a whole could not go on.
        feedback: The recorded reason, as plain data.
        responses: What the rungs did about it, in the order in which they were asked.
    """

    t: float
    step: str
    feedback: Mapping[str, Any]
    responses: list[Response] = field(default_factory=list)

    @property
    def solved_by(self) -> str | None:
        """The rung that solved the failure."""
        return next((response.rung for response in self.responses if response.solved), None)

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "t": self.t,
            "step": self.step or None,
            "feedback": dict(self.feedback),
            "rungs": [response.as_dict() for response in self.responses],
            "solved_by": self.solved_by,
        }


def mishaps(events: Iterable[Event]) -> list[Mishap]:
    """Return the failures of a run, oldest first, each with what was tried.

    The outcome of an answer is known only later, often after the next failure. So an answer is assigned to its failure
    by the time of that failure.
    """
    failures: list[Mishap] = []
    for event in events:
        kind = event.get("e")
        if kind == "failure":
            feedback = event.get("feedback")
            reason = feedback if isinstance(feedback, Mapping) else {}
            failures.append(Mishap(_time(event, "t"), str(event.get("step") or ""), reason))
        elif kind == "rung":
            response = Response(str(event.get("rung")), True, event.get("solved") is True, _time(event, "seconds"))
            _add(failures, _time(event, "failed" if "failed" in event else "t"), response)
        elif kind == "feedback" and (rung := str(event.get("node") or "").rpartition("/")[2]) in NAMES:
            _add(failures, _time(event, "t"), Response(rung, answered=False))
    return failures


def _add(failures: list[Mishap], time: float, response: Response) -> None:
    """Add a response to its failure; if a rung was asked twice about a failure, its last response counts."""
    mishap = next((failure for failure in reversed(failures) if failure.t <= time + TICK), None)
    if mishap is None:
        return
    others = [earlier for earlier in mishap.responses if earlier.rung != response.rung]
    mishap.responses = sorted(
        [*others, response], key=lambda earlier: NAMES.index(earlier.rung) if earlier.rung in NAMES else -1
    )


def _time(event: Event, key: str) -> float:
    value = event.get(key)
    return float(value) if isinstance(value, int | float) else 0.0
