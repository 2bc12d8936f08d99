"""Reads from the records of earlier runs which steps have repaired failures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from semantics.state import Action

__all__ = ["Fix", "fixes"]


@dataclass(frozen=True, slots=True)
class Fix:
    """A failure that additional steps have repaired.

    Attributes:
        code: The code of the failure.
        step: The step that failed or could not begin.
        before: The actions before the second try.
        after: The actions after it that were not part of the plan.
        rung: The rung that made the repair.
        culprits: The objects that the failure names.
    """

    code: str
    step: Action
    before: tuple[Action, ...]
    after: tuple[Action, ...]
    rung: str
    culprits: tuple[str, ...] = ()


def fixes(events: Iterable[Mapping[str, Any]]) -> Iterator[Fix]:
    """Yield the failures of a record that were repaired by steps around the failed step.

    A failure that was repaired by a plan without that step does not count. Rules and retries teach nothing new and are
    left out.

    Args:
        events: The events of a journal, from `bt.record.read_record` or `bt.Entries.events`, oldest first.
    """
    failure: Mapping[str, Any] | None = None
    plan: list[str] = []
    for event in events:
        kind = event.get("e")
        if kind == "failure":
            failure, plan = (event if event.get("step") else None), []
        elif kind == "plan" and failure is not None and event.get("why") not in ("first", "rule"):
            plan = event["steps"]
        elif kind == "rung" and failure is not None and plan:
            fix = _fix(failure, plan, str(event["rung"])) if event["solved"] else None
            failure = None
            if fix is not None:
                yield fix


def _fix(failure: Mapping[str, Any], plan: list[str], rung: str) -> Fix | None:
    step, old = failure["step"], set(failure["plan"])
    if step not in plan:
        return None
    at = plan.index(step)
    before = tuple(map(_action, plan[:at]))
    after = tuple(_action(step) for step in plan[at + 1 :] if step not in old)
    if not before or any(step in old for step in plan[:at]):
        return None
    feedback = failure["feedback"]
    return Fix(feedback["code"], _action(step), before, after, rung, tuple(feedback.get("culprits", ())))


def _action(text: str) -> Action:
    name, *args = text.strip("()").split()
    return Action(name, tuple(args))
