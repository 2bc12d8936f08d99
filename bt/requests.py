"""What a person is asked to do: a step of somebody else than the body is a request, which has to reach them."""

from __future__ import annotations

from collections.abc import Collection

from bt.reactive.leaves import Act
from bt.reactive.step import Step
from bt.record import Journal
from bt.runner import Ended, Runner

__all__ = ["Requests"]


class Requests:
    """Writes a ``request`` whenever a step of a person begins, once for each beginning.

    A motion that the body refuses at once was never put to anybody.

    Args:
        journal: Who is told.
        persons: Names of those whose steps are requests.
    """

    def __init__(self, journal: Journal, persons: Collection[str]) -> None:
        self._journal = journal
        self._persons = frozenset(persons)
        self._told: set[tuple[Step, float]] = set()

    def ticked(self, runner: Runner) -> None:
        """Tell what this tick began."""
        for node in runner.visited:
            if isinstance(node, Step) and node.act in runner.visited:
                self._tell(node)

    def _tell(self, step: Step) -> None:
        command, key = step.operator.command, (step, step.act.began)
        asked = command is not None and command.agent in self._persons
        if command is None or not asked or key in self._told or not _was_put(step.act):
            return
        self._told.add(key)
        action = step.operator.action
        named = (name for name in action.args if name != command.agent)
        text = f"please: {' '.join((action.name, *named))}"
        fields = {"t": round(step.act.began, 3), "agent": command.agent, "step": str(action), "text": text}
        self._journal.write("request", fields)

    def ended(self, runner: Runner, end: Ended) -> None:
        """Nobody is asked for anything any more."""


def _was_put(act: Act) -> bool:
    return act.has_started and act.feedback is None
