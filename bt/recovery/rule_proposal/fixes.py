"""What mended failures in earlier runs, read from their records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from semantics.state import Action

__all__ = ["Fix", "fixes"]


@dataclass(frozen=True, slots=True)
class Fix:
    """A failure that something mended.

    Attributes:
        code: What it was.
        step: The step that failed, or could not be begun.
        before: What was done before it was done again.
        after: What was done behind it that the plan had not foreseen.
        rung: Which rung that came from.
        culprits: What the failure blamed.
    """

    code: str
    step: Action
    before: tuple[Action, ...]
    after: tuple[Action, ...]
    rung: str
    culprits: tuple[str, ...] = ()


def fixes(events: Iterable[Mapping[str, Any]]) -> Iterator[Fix]:
    """Yield the failures of a record that were mended by steps put around the one that failed.

    A failure that was mended in quite another way (another plan without that step) is none. Rules and second tries
    teach nothing new and are left out.

    Args:
        events: A journal's, such as of `bt.read_record` or `bt.Entries.events`, oldest first.
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
            found = _fix(failure, plan, str(event["rung"])) if event["solved"] else None
            failure = None
            if found is not None:
                yield found


def _fix(failure: Mapping[str, Any], plan: list[str], rung: str) -> Fix | None:
    step, old = failure["step"], set(failure["plan"])
    if step not in plan:
        return None
    at = plan.index(step)
    before = tuple(map(_action, plan[:at]))
    after = tuple(_action(one) for one in plan[at + 1 :] if one not in old)
    if not before or any(one in old for one in plan[:at]):
        return None
    feedback = failure["feedback"]
    return Fix(feedback["code"], _action(step), before, after, rung, tuple(feedback.get("culprits", ())))


def _action(text: str) -> Action:
    name, *args = text.strip("()").split()
    return Action(name, tuple(args))
