"""Random trees made twice, ticked both ways, and compared in everything that can be seen of them.

A tree is made from a seed, so that two are alike. Their leaves are of every sort: conditions that declare what they
read (some with hooks that note each start and end), conditions that do not, actions that run for some ticks, actions
that change facts while the tree is ticked, leaves that raise, py_trees' constants, and a composite that py_trees does
not know. One is ticked by py_trees, the other by `bt.ticking.Ticker`. Between two ticks facts change, nodes are
stopped from outside and children are inserted, replaced and removed, in both alike.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from random import Random

from py_trees import behaviours, decorators
from py_trees.behaviour import Behaviour
from py_trees.blackboard import Blackboard
from py_trees.common import OneShotPolicy, ParallelPolicy, Status
from py_trees.composites import Parallel, Selector, Sequence

from benchmarks.trees.facts import Asks, FactBase
from benchmarks.trees.meddling import edit, expire
from benchmarks.trees.sorts import (
    FACTS,
    BrokenError,
    Changes,
    Every,
    Hooked,
    Log,
    NotedInverter,
    NotedSequence,
    Noting,
    Odd,
    Raises,
    Undeclared,
    Waits,
    own_method,
)
from bt.errors import TreeError
from bt.node import walk
from bt.ticking import Ticker
from semantics.logic.atoms import Literal

__all__ = ["Twin", "differences", "run_trace"]

TWINS = count()
COUNTS = ("success", "failures", "final_status", "total_tick_count", "interrupt_count", "count", "counter")


class Twin:
    """One of two trees that are alike.

    Args:
        seed: Gives the tree.
        size: About how many nodes.
        calm: Without leaves that raise.

    Attributes:
        rest: How likely nothing happens between two ticks.
        key: What its keys of the blackboard begin with.
    """

    def __init__(self, seed: int, size: int, calm: bool = False) -> None:
        self.random = Random(seed)
        self.facts = FactBase(atom for atom in FACTS if self.random.random() < 0.6)
        self.log: Log = []
        self.calm = calm
        self.rest = self.random.choice([0.0, 0.5, 0.9])
        self.made = 0
        self.key = f"twin{next(TWINS)}"
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
        if kind < 0.68:
            return self.counting(name)
        sorts = [Hooked, Hooked, Undeclared, Noting, Noting, Noting, Changes]
        rare = [Odd] if self.calm else [Odd, Raises]
        sort = random.choice(rare if random.random() < 0.06 else sorts)
        return sort(name, self.log, self.facts, random)

    def counting(self, name: str) -> Behaviour:
        """Make a leaf whose answer changes with each tick of it, some by an `update` or `tick` of its own."""
        random = self.random
        makes = (
            lambda: behaviours.Periodic(name, random.randint(1, 3)),
            lambda: behaviours.TickCounter(name, random.randint(0, 3), random.choice([Status.SUCCESS, Status.FAILURE])),
            lambda: behaviours.SuccessEveryN(name, random.randint(1, 3)),
            lambda: behaviours.StatusQueue(name, [Status.RUNNING, random.choice(list(Status)[1:])], None),
            lambda: own_method("update", behaviours.Success(name), self.log),
            lambda: own_method("tick", Asks(name, frozenset({Literal(FACTS[1])}), self.facts), self.log),
        )
        return random.choice(makes)()

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
            lambda: decorators.StatusToBlackboard(name, child, f"{self.key}/status"),
            lambda: self.for_each(name, child),
        )
        return random.choice(makes)()

    def for_each(self, name: str, child: Behaviour) -> Behaviour:
        """Put one around a child that goes through a list."""
        Blackboard.set(f"{self.key}/{name}", ["a", "b", "c"][: self.random.randint(0, 3)])
        return decorators.ForEach(name, child, f"{self.key}/{name}", f"{self.key}/item")

    def disturb(self, edits: bool) -> Behaviour | None:
        """Change facts, stop or edit something; return what was stopped below the root."""
        random = self.random
        if random.random() < self.rest:
            return None
        expire(self.root, random)
        for _ in range(random.choice([0, 0, 0, 1, 1, 2, 5])):
            atom = random.choice(FACTS)
            self.facts.set(atom, atom not in self.facts)
        if edits and random.random() < 0.15:
            edit(self.root, random, self.tree)
        chance = random.random()
        if chance < 0.05:
            self.root.stop(Status.INVALID)
        elif chance < 0.1:
            node = random.choice(list(walk(self.root)))
            node.stop(Status.INVALID)
            return node
        return None

    def seen(self) -> list[tuple[object, ...]]:
        """Return everything that can be seen of the tree: for each node status, current child, message and counts."""
        return [
            (
                node.status,
                current.name if (current := getattr(node, "current_child", None)) else None,
                _told(node),
                *(vars(node).get(name) for name in COUNTS),
            )
            for node in walk(self.root)
        ]

    def written(self) -> list[object]:
        """Return what the tree has written to the blackboard."""
        return [Blackboard.storage.get(f"/{self.key}/{name}") for name in ("status", "item")]


def _told(node: Behaviour) -> str:
    """Return a node's message, without the time that is left."""
    message = node.feedback_message
    return message.partition("time still ticking")[0] if message else ""


def differences(plain: Twin, spare: Twin) -> list[str]:
    """Return what differs between two trees and what their leaves noted since the last time."""
    ones, others = plain.seen(), spare.seen()
    found = [] if ones == others else _unlike(plain, spare, ones, others)
    if plain.log != spare.log:
        pairs = zip([*plain.log, None], [*spare.log, None], strict=False)
        at, pair = next(item for item in enumerate(pairs) if item[1][0] != item[1][1])
        found.append(f"call {at}: plain {pair[0]}, spare {pair[1]}")
    if plain.facts.state != spare.facts.state:
        found.append("the facts differ")
    if plain.written() != spare.written():
        found.append(f"written: plain {plain.written()}, spare {spare.written()}")
    plain.log.clear()
    spare.log.clear()
    return found


def _unlike(plain: Twin, spare: Twin, ones: list[tuple[object, ...]], others: list[tuple[object, ...]]) -> list[str]:
    nodes = zip(walk(plain.root), walk(spare.root), ones, others, strict=True)
    return [
        f"{node.name} {type(node).__name__}: plain {one}, spare {two} of {twin.name}"
        for node, twin, one, two in nodes
        if one != two or node.name != twin.name
    ]


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
        if plain.facts.state != spare.facts.state:
            return [f"seed {seed}, before tick {number}: the facts differ"]
        raised = [_tick(plain.root.tick_once), _tick(ticker.tick)]
        found = differences(plain, spare)
        if raised[0] != raised[1]:
            found.append(f"plain raised {raised[0]}, spare {raised[1]}")
        if found:
            return [f"seed {seed}, tick {number}: {line}" for line in found]
    return []


def _tick(tick: Callable[[], object]) -> str:
    """Tick; return what was raised, with py_trees' assertion that a running child is there told as what it means."""
    try:
        tick()
    except (BrokenError, RuntimeError, ValueError, IndexError) as exc:
        return type(exc).__name__
    except (AssertionError, TreeError):
        return "it has lost its running child"
    return ""
