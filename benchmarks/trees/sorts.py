"""The nodes of random trees: leaves of every sort that note what is called, and composites and decorators that do."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from py_trees import decorators
from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Composite, Sequence

from benchmarks.trees.facts import FactBase
from semantics.logic.atoms import Atom

__all__ = [
    "FACTS",
    "BrokenError",
    "Changes",
    "Every",
    "Hooked",
    "Log",
    "NotedInverter",
    "NotedSequence",
    "Noting",
    "Odd",
    "Raises",
    "Undeclared",
    "Waits",
    "own_method",
]

Log = list[tuple[str, str]]
FACTS = tuple(Atom("fact", (str(number),)) for number in range(12))


class BrokenError(Exception):
    """What some leaves raise."""


class Noting(Behaviour):
    """A leaf that writes down every start, update and end.

    Args:
        name: Its name.
        log: Where it writes.
        facts: What it may read or change.
        random: Draws its nature, the same for both twins.
    """

    def __init__(self, name: str, log: Log, facts: FactBase, random: Random) -> None:
        super().__init__(name)
        self.log, self.facts = log, facts
        self.atom = random.choice(FACTS)
        self.length = random.randint(0, 4)
        self.answer = random.choice([Status.SUCCESS, Status.FAILURE])
        self.age = 0

    def initialise(self) -> None:
        """Note the start."""
        self.log.append((self.name, "start"))
        self.age = 0

    def terminate(self, new_status: Status) -> None:
        """Note the end."""
        self.log.append((self.name, str(new_status)))

    def update(self) -> Status:
        """Run for some ticks, then give the answer."""
        self.log.append((self.name, "update"))
        self.age += 1
        self.feedback_message = f"{self.age} of {self.length}"
        return Status.RUNNING if self.age <= self.length else self.answer


class Undeclared(Noting):
    """A condition that does not say what it reads."""

    def update(self) -> Status:
        """Look at a fact."""
        self.log.append((self.name, "update"))
        return Status.SUCCESS if self.atom in self.facts else Status.FAILURE


class Hooked(Noting):
    """A condition that says what it reads, has hooks, and may wait for its fact instead of failing."""

    def __init__(self, name: str, log: Log, facts: FactBase, random: Random) -> None:
        super().__init__(name, log, facts, random)
        self.reads = {self.atom}
        self.waits = random.random() < 0.5

    def update(self) -> Status:
        """Look at a fact; this is not noted, since it is what may be left out."""
        lacking = Status.RUNNING if self.waits else Status.FAILURE
        return Status.SUCCESS if self.atom in self.facts else lacking


class Waits(Behaviour):
    """A condition without hooks that waits for any fact of a predicate to hold."""

    def __init__(self, name: str, facts: FactBase, atom: Atom) -> None:
        super().__init__(name)
        self.facts, self.atom = facts, atom
        self.reads = {"fact"}

    def update(self) -> Status:
        """Look at a fact."""
        self.feedback_message = "there" if self.atom in self.facts else "not yet"
        return Status.SUCCESS if self.atom in self.facts else Status.RUNNING


class Changes(Noting):
    """An action that turns a fact over while the tree is ticked."""

    def update(self) -> Status:
        """Turn it."""
        status = super().update()
        if self.age % 2:
            self.facts.set(self.atom, self.atom not in self.facts)
        return status


class Raises(Noting):
    """A leaf that raises while its fact holds."""

    def update(self) -> Status:
        """Raise, or do as the others."""
        if self.atom in self.facts and self.length > 1:
            self.log.append((self.name, "raise"))
            raise BrokenError(self.name)
        return super().update()


class Odd(Noting):
    """A leaf that answers INVALID now and then."""

    def update(self) -> Status:
        """Answer."""
        status = super().update()
        return Status.INVALID if self.age == self.length else status


class NotedSequence(Sequence):
    """A sequence with hooks."""

    def __init__(self, name: str, memory: bool, children: list[Behaviour], log: Log) -> None:
        super().__init__(name, memory, children)
        self.log = log

    def initialise(self) -> None:
        """Note the start."""
        self.log.append((self.name, "start"))

    def terminate(self, new_status: Status) -> None:
        """Note the end."""
        self.log.append((self.name, str(new_status)))


class NotedInverter(decorators.Inverter):
    """A decorator with a hook."""

    def __init__(self, name: str, child: Behaviour, log: Log) -> None:
        super().__init__(name, child)
        self.log = log

    def terminate(self, new_status: Status) -> None:
        """Note the end."""
        self.log.append((self.name, str(new_status)))


class Every(Composite):
    """A composite that py_trees does not know: it ticks all its children and takes the status of the last."""

    def tick(self) -> Iterator[Behaviour]:
        """Tick every child."""
        status = Status.SUCCESS
        for child in self.children:
            yield from child.tick()
            status = child.status
        if status != Status.RUNNING:
            self.stop(status)
        self.status = status
        yield self


def own_method(name: str, node: Behaviour, log: Log) -> Behaviour:
    """Give one node a method that its class does not have, which notes each call."""
    before = getattr(node, name)

    def noted() -> object:
        log.append((node.name, name))
        return before()

    setattr(node, name, noted)
    return node
