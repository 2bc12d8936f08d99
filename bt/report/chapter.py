"""`Chapter`: a plan, the tree that was made of it, and what became of both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bt.display import walk

Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time in which a step ran.

    Attributes:
        step: Its index in the chapter's plan, from 0.
        start: In seconds of the record, which is the clock of the body.
        end: As `start`.
        how: How it ended: success, failure, invalid (it was cancelled) or running (it had not ended at the end of the
            chapter or of the record).
    """

    step: int
    start: float
    end: float
    how: str

    @property
    def seconds(self) -> float:
        """How long it ran."""
        return self.end - self.start


@dataclass(slots=True)
class Chapter:
    """A plan, the tree that was made of it, and what became of both.

    Attributes:
        start: When it begins, in seconds.
        plan: The event that gave the plan.
        root: The tree's document, or None when the record ends before it.
        changes: Node states that changed, by time, then by id.
        resumes: Resume points by time: a step's index, the number of steps at the goal, None without one.
    """

    start: float
    plan: Event
    root: Event | None = None
    changes: list[tuple[float, Mapping[str, str]]] = field(default_factory=list)
    resumes: list[tuple[float, int | None]] = field(default_factory=list)

    @property
    def steps(self) -> list[str]:
        """The plan's steps as PDDL text."""
        return [str(step) for step in self.plan.get("steps") or ()]

    def reached(self, until: float) -> int:
        """Return how many steps were begun or aimed at by `until`; one more than all of them when the goal was."""
        aims = [point for _, point in self.resumes if point is not None]
        return 1 + max([*aims, *(span.step for span in self.spans(until))], default=-1)

    def nodes(self) -> list[Event]:
        """Return the tree's nodes, parents first."""
        return list(walk(self.root)) if self.root else []

    def named(self, path: str, time: float) -> str | None:
        """Return the id of the node that a path of names leads to; of several alike, the one that changed last."""
        alike = {ident for ident, names in _paths(self.root) if path in (names, ident)} if self.root else set()
        changed = [ident for at, change in self.changes if at <= time for ident in change if ident in alike]
        candidates = changed or sorted(alike)
        return candidates[-1] if candidates else None

    def step_nodes(self) -> list[Event]:
        """Return the node of each step, in order; acting leaves stand in for steps in trees without any."""
        steps = [node for node in self.nodes() if node.get("kind") == "step"]
        return steps or [node for node in self.nodes() if node.get("kind") in ("act", "action")]

    def statuses(self) -> dict[str, str]:
        """Return the last state of each node; a last tick that only resets the whole tree does not count."""
        states: dict[str, str] = {}
        for _, change in self.changes:
            after = {**states, **change}
            if states and all(state == "invalid" for state in after.values()):
                continue
            states = after
        return states

    def spans(self, until: float) -> list[Span]:
        """Return when each step ran, up to `until`."""
        return [span for index, node in enumerate(self.step_nodes()) for span in self._runs(index, node, until)]

    def _runs(self, index: int, node: Event, until: float) -> Iterator[Span]:
        since: float | None = None
        for time, change in self.changes:
            state = change.get(str(node.get("id")))
            if state == "running" and since is None:
                since = time
            elif state is not None and state != "running" and since is not None:
                yield Span(index, since, time, state)
                since = None
        if since is not None:
            yield Span(index, since, until, "running")


def _paths(node: Event, above: str = "") -> Iterator[tuple[str, str]]:
    """Yield the id of each node and the names that lead to it, joined by slashes."""
    path = f"{above}/{node.get('name')}" if above else str(node.get("name"))
    yield str(node.get("id")), path
    for child in node.get("children") or ():
        yield from _paths(child, path)
