"""Random trees made twice, ticked both ways, and compared in everything that can be seen of them.

A tree is made from a seed, so that two are alike. Their leaves are of every sort: conditions that declare what they
read (some with hooks that note each start and end), conditions that do not, actions that run for some ticks, actions
that change facts while the tree is ticked, leaves that raise, py_trees' constants, and a composite that py_trees does
not know. One is ticked by py_trees, the other by `bt.ticking.Ticker`. Between two ticks facts change, nodes are
stopped from outside and children are inserted, replaced and removed, in both alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from py_trees import behaviours, decorators
from py_trees.behaviour import Behaviour
from py_trees.common import OneShotPolicy, ParallelPolicy, Status
from py_trees.composites import Composite, Parallel, Selector, Sequence

from bt.reactive.walking import walk
from bt.ticking import Asks, FactBase, Ticker
from semantics.atoms import Atom, Literal

__all__ = ["Twin", "differences", "run_trace"]

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


class Twin:
    """One of two trees that are alike.

    Args:
        seed: Gives the tree.
        size: About how many nodes.
        calm: Without leaves that raise.
    """

    def __init__(self, seed: int, size: int, calm: bool = False) -> None:
        self.random = Random(seed)
        self.facts = FactBase(atom for atom in FACTS if self.random.random() < 0.6)
        self.log: Log = []
        self.calm = calm
        self.made = 0
        self.root = self.tree(size)

    def tree(self, size: int) -> Behaviour:
        """Make a tree of about `size` nodes."""
        if size <= 1:
            return self.leaf()
        if self.random.random() < 0.3:
            return self.decorated(self.tree(size - 1))
        parts = self.random.randint(1, 5)
        if self.random.random() < 0.02:
            parts = 0
        children = [self.tree((size - 1) // max(parts, 1)) for _ in range(parts)]
        return self.composite(children)

    def name(self) -> str:
        """Return a name that no other node has."""
        self.made += 1
        return f"n{self.made}"

    def leaf(self) -> Behaviour:
        """Make a leaf of any sort."""
        name, random = self.name(), self.random
        kind = random.random()
        if kind < 0.45:
            literals = {Literal(random.choice(FACTS), random.random() < 0.8) for _ in range(random.randint(1, 2))}
            return Asks(name, frozenset(literals), self.facts)
        if kind < 0.52:
            return Waits(name, self.facts, random.choice(FACTS))
        if kind < 0.6:
            return random.choice([behaviours.Success, behaviours.Failure, behaviours.Running])(name)
        sorts = [Hooked, Hooked, Undeclared, Noting, Noting, Noting, Changes]
        rare = [Odd] if self.calm else [Odd, Raises]
        sort = random.choice(rare if random.random() < 0.06 else sorts)
        return sort(name, self.log, self.facts, random)

    def composite(self, children: list[Behaviour]) -> Behaviour:
        """Make a composite of any sort."""
        name, random = self.name(), self.random
        kind = random.random()
        memory = random.random() < 0.5
        if kind < 0.3:
            return Sequence(name, memory, children)
        if kind < 0.36:
            return NotedSequence(name, memory, children, self.log)
        if kind < 0.65:
            return Selector(name, memory, children)
        if kind < 0.68:
            return Every(name, children)
        return Parallel(name, self.policy(children), children)

    def policy(self, children: list[Behaviour]) -> ParallelPolicy.Base:
        """Make a policy of any sort."""
        kind, synchronise = self.random.random(), self.random.random() < 0.5
        if kind < 0.4:
            return ParallelPolicy.SuccessOnAll(synchronise)
        if kind < 0.7 or not children:
            return ParallelPolicy.SuccessOnOne()
        chosen = [child for child in children if self.random.random() < 0.5] or children[:1]
        return ParallelPolicy.SuccessOnSelected(chosen, synchronise)

    def decorated(self, child: Behaviour) -> Behaviour:
        """Put a decorator of any sort around a child."""
        name, random = self.name(), self.random
        makes = (
            lambda: decorators.Inverter(name, child),
            lambda: decorators.Retry(name, child, random.randint(1, 3)),
            lambda: decorators.Repeat(name, child, random.randint(1, 3)),
            lambda: decorators.Timeout(name, child, random.choice([-1.0, 1e6])),
            lambda: decorators.Condition(name, child, random.choice([Status.SUCCESS, Status.FAILURE])),
            lambda: decorators.SuccessIsFailure(name, child),
            lambda: decorators.SuccessIsRunning(name, child),
            lambda: decorators.FailureIsSuccess(name, child),
            lambda: decorators.FailureIsRunning(name, child),
            lambda: decorators.RunningIsFailure(name, child),
            lambda: decorators.RunningIsSuccess(name, child),
            lambda: decorators.OneShot(name, child, random.choice(list(OneShotPolicy))),
            lambda: decorators.PassThrough(name, child),
            lambda: decorators.Count(name, child),
            lambda: decorators.EternalGuard(name, child, lambda: FACTS[0] in self.facts),
            lambda: NotedInverter(name, child, self.log),
        )
        return random.choice(makes)()

    def disturb(self, edits: bool) -> Behaviour | None:
        """Change facts, stop or edit something; return what was stopped below the root."""
        random = self.random
        for _ in range(random.choice([0, 0, 0, 1, 1, 2, 5])):
            atom = random.choice(FACTS)
            self.facts.set(atom, atom not in self.facts)
        if edits and random.random() < 0.15:
            self.edit()
        chance = random.random()
        if chance < 0.05:
            self.root.stop(Status.INVALID)
        elif chance < 0.1:
            node = random.choice(list(walk(self.root)))
            node.stop(Status.INVALID)
            return node
        return None

    def edit(self) -> None:
        """Insert, replace or remove a child, by py_trees' own methods."""
        random = self.random
        composites_ = [node for node in walk(self.root) if isinstance(node, Sequence | Selector)]
        if not composites_:
            return
        node = random.choice(composites_)
        how = random.random()
        if how < 0.4 or not node.children:
            node.insert_child(self.tree(random.randint(1, 6)), random.randint(0, len(node.children)))
        elif how < 0.7 and len(node.children) > 1:
            child = random.choice(node.children)
            if node.current_child is not child:
                node.remove_child(child)
        else:
            child = random.choice(node.children)
            if node.current_child is not child:
                node.replace_child(child, self.tree(random.randint(1, 6)))

    def seen(self) -> list[tuple[object, ...]]:
        """Return everything that can be seen of the tree."""
        return [
            (
                node.name,
                type(node).__name__,
                node.status.value,
                current.name if (current := getattr(node, "current_child", None)) else None,
                node.feedback_message.partition("time still ticking")[0],  # what follows is the time left
            )
            for node in walk(self.root)
        ]


def differences(plain: Twin, spare: Twin) -> list[str]:
    """Return what differs between two trees and what their leaves noted since the last time."""
    found = [f"plain {one}, spare {two}" for one, two in zip(plain.seen(), spare.seen(), strict=True) if one != two]
    if plain.log != spare.log:
        pairs = zip([*plain.log, None], [*spare.log, None], strict=False)
        at, pair = next(item for item in enumerate(pairs) if item[1][0] != item[1][1])
        found.append(f"call {at}: plain {pair[0]}, spare {pair[1]}")
    if plain.facts.state != spare.facts.state:
        found.append("the facts differ")
    plain.log.clear()
    spare.log.clear()
    return found


def run_trace(seed: int, ticks: int, *, edits: bool = True, calm: bool = False) -> list[str]:
    """Tick two trees side by side; return the first differences, none when there are none."""
    size = Random(seed).choice([3, 8, 20, 60, 200])
    plain, spare = Twin(seed, size, calm), Twin(seed, size, calm)
    ticker = Ticker(spare.root, spare.facts)
    for number in range(ticks):
        plain.disturb(edits)
        stopped = spare.disturb(edits)
        if stopped is not None:
            ticker.invalidate(stopped)
        if found := differences(plain, spare):
            return [f"seed {seed}, before tick {number}: {line}" for line in found]
        raised = [_tick(plain.root.tick_once), _tick(ticker.tick)]
        found = differences(plain, spare)
        if raised[0] != raised[1]:
            found.append(f"plain raised {raised[0]}, spare {raised[1]}")
        if found:
            return [f"seed {seed}, tick {number}: {line}" for line in found]
    return []


def _tick(tick: object) -> str:
    try:
        tick()  # type: ignore[operator]
    except (BrokenError, RuntimeError, ValueError, AssertionError, IndexError) as exc:
        return f"{type(exc).__name__}"
    return ""
