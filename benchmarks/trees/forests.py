"""Trees of a given size to be ticked, and the facts that they read: the same for the same kind, size and seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from py_trees import decorators
from py_trees.behaviour import Behaviour
from py_trees.common import OneShotPolicy, ParallelPolicy, Status
from py_trees.composites import Parallel, Selector, Sequence

from benchmarks.trees.facts import Asks, FactBase
from semantics.logic.atoms import Atom, Literal

__all__ = ["FORESTS", "Grown", "Works", "guarded"]

BRANCH = 20
"""Nodes of a branch, about."""
BUSY = 25
"""Of how many branches one runs an action."""


class Works(Behaviour):
    """An action that runs for as long as it is let."""

    def update(self) -> Status:
        """Go on."""
        return Status.RUNNING


class Plain(Behaviour):
    """A condition that does not say what it reads."""

    def __init__(self, name: str, atom: Atom, facts: FactBase) -> None:
        super().__init__(name)
        self.atom, self.facts = atom, facts

    def update(self) -> Status:
        """Look at the fact."""
        return Status.SUCCESS if self.atom in self.facts else Status.FAILURE


@dataclass
class Grown:
    """A tree, the facts it reads, and how many nodes it has.

    Attributes:
        declared: Whether conditions say what they read.
    """

    random: Random
    declared: bool = True
    facts: FactBase = field(default_factory=FactBase)
    atoms: list[Atom] = field(default_factory=list)
    nodes: int = 0
    root: Behaviour = field(default_factory=lambda: Works("none"))

    def condition(self) -> Behaviour:
        """Make a condition on a fact of its own, which holds."""
        atom = Atom("fact", (str(len(self.atoms)),))
        self.atoms.append(atom)
        self.facts.set(atom)
        self.nodes += 1
        name = f"c{self.nodes}"
        return Asks(name, frozenset({Literal(atom)}), self.facts) if self.declared else Plain(name, atom, self.facts)

    def work(self) -> Behaviour:
        """Make a running action."""
        self.nodes += 1
        return Works(f"w{self.nodes}")

    def row(self, kind: type[Sequence | Selector], memory: bool, children: list[Behaviour]) -> Behaviour:
        """Put a sequence or a selector above children."""
        self.nodes += 1
        return kind(f"r{self.nodes}", memory, children)

    def wrapped(self, child: Behaviour) -> Behaviour:
        """Put a decorator around a child that lets its success be one."""
        self.nodes += 1
        name = f"d{self.nodes}"
        makes: tuple[Callable[[], Behaviour], ...] = (
            lambda: decorators.Retry(name, child, 3),
            lambda: decorators.Timeout(name, child, 1e6),
            lambda: decorators.Condition(name, child, Status.SUCCESS),
            lambda: decorators.FailureIsRunning(name, child),
            lambda: decorators.Inverter(name, decorators.Inverter(name, child)),
            lambda: decorators.Inverter(name, decorators.SuccessIsFailure(name, child)),
            lambda: decorators.Repeat(name, child, 1),
            lambda: decorators.OneShot(name, child, OneShotPolicy.ON_COMPLETION),
        )
        chosen = self.random.randrange(len(makes))
        self.nodes += chosen in (4, 5)
        return makes[chosen]()

    def branch(self, busy: bool) -> Behaviour:
        """Make a guarded branch: what is wanted, or else the ways to it."""
        wanted = self.row(Sequence, False, [self.condition() for _ in range(5)])
        ways = [
            self.row(Sequence, True, [self.wrapped(self.condition()), self.work()]),
            self.row(Sequence, False, [self.condition(), self.condition(), self.work()]),
        ]
        policy = self.random.choice([ParallelPolicy.SuccessOnAll(synchronise=False), ParallelPolicy.SuccessOnOne()])
        self.nodes += 1
        checks = Parallel(f"p{self.nodes}", policy, [self.wrapped(self.condition()), self.condition()])
        first: list[Behaviour] = [] if busy else [self.row(Sequence, False, [checks, wanted])]
        return self.row(Selector, self.random.random() < 0.3, [*first, *ways])


def guarded(size: int, seed: int, declared: bool = True) -> Grown:
    """Grow branches below parallels, one in 25 with a running action: a robot that sees to many things."""
    grown = Grown(Random(seed), declared)
    branches: list[Behaviour] = []
    while grown.nodes < size - size // 200:
        branches.append(grown.branch(busy=len(branches) % BUSY == 0))
    return _below_parallels(grown, branches)


def _below_parallels(grown: Grown, branches: list[Behaviour]) -> Grown:
    while len(branches) > 1:
        groups = [branches[start : start + 10] for start in range(0, len(branches), 10)]
        policy = ParallelPolicy.SuccessOnAll
        branches = [Parallel(f"g{grown.nodes + i}", policy(synchronise=False), g) for i, g in enumerate(groups)]
        grown.nodes += len(groups)
    grown.root = branches[0]
    return grown


def undeclared(size: int, seed: int) -> Grown:
    """Grow the same with leaves that declare nothing."""
    return guarded(size, seed, declared=False)


def checklist(size: int, seed: int) -> Grown:
    """Grow sequences of sequences of ten conditions, all of which hold: one change fails everything after it."""
    grown = Grown(Random(seed))

    def part(count: int) -> Behaviour:
        if count <= 1:
            return grown.condition()
        return grown.row(Sequence, False, [part(count // 10) for _ in range(10)])

    leaves = 10
    while leaves * 100 <= size * 9:
        leaves *= 10
    grown.root = part(leaves)
    return grown


def flat(size: int, seed: int) -> Grown:
    """Grow one parallel with all nodes below it, one in fifty of them running."""
    grown = Grown(Random(seed))
    children = [grown.work() if i % 500 == 0 else grown.condition() for i in range(size - 1)]
    grown.nodes += 1
    grown.root = Parallel("flat", ParallelPolicy.SuccessOnAll(synchronise=False), children)
    return grown


def long_job(size: int, seed: int) -> Grown:
    """Grow one sequence with memory: a tenth is done, the next child runs."""
    grown = Grown(Random(seed))
    done = [grown.condition() for _ in range(size // 10)]
    rest = [grown.condition() for _ in range(size - size // 10 - 2)]
    grown.root = grown.row(Sequence, True, [*done, grown.work(), *rest])
    return grown


def failed_first(size: int, seed: int) -> Grown:
    """Grow one sequence of conditions of which the first does not hold, so that no other is come to."""
    grown = Grown(Random(seed))
    children = [grown.condition() for _ in range(size - 1)]
    grown.facts.set(grown.atoms.pop(0), False)  # no longer among those that are flipped
    grown.root = grown.row(Sequence, False, children)
    return grown


FORESTS: dict[str, Callable[[int, int], Grown]] = {
    "guarded": guarded,
    "checklist": checklist,
    "flat": flat,
    "long job": long_job,
    "failed first": failed_first,
    "undeclared": undeclared,
}
"""Kinds of trees by name."""
