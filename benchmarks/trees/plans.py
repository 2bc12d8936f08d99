"""Ticks of the tree of a plan of 50 steps, over a state of a thousand facts.

The tree is that of a plan alone, ticked by py_trees, and that of a session, with all strategies of one, ticked as a
session ticks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from time import perf_counter

from benchmarks.trees.ticks import quiet
from bt import Recover, Strategy, compile_plan, pursue
from bt.ticking import Believed, Ticker
from graftwork import Session
from robots.fake import VirtualClock
from semantics.body.motion import MotionInterlock
from semantics.body.observation import Observation
from semantics.body.protocols import MotionProgress, MotionStatus
from semantics.logic.atoms import Atom, Literal
from semantics.logic.state import Action, Command, Operator, Plan, State

__all__ = ["TREES", "planned"]

STEPS, FACTS = 50, 1000
TREES = ("plan", "session")
LOST = Atom("done", (str(STEPS // 2),))


class Motion:
    """A motion that does not end."""

    def poll(self) -> MotionProgress:
        """Say that it is under way."""
        return MotionProgress(MotionStatus.RUNNING)

    def cancel(self) -> None:
        """Do nothing: it moves nothing."""


@dataclass
class Body:
    """A stand-in for a body, which does nothing for ever, so that only the tree is measured."""

    name: str = "robot0"
    clock: VirtualClock = field(default_factory=VirtualClock)
    motion_interlock: MotionInterlock = field(default_factory=MotionInterlock)

    def observation(self) -> Observation:
        """See nothing."""
        return Observation()

    def start(self, command: Command) -> Motion:
        """Begin a motion."""
        return Motion()

    def stop(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class Given:
    """A stand-in for beliefs: they are as they are set."""

    def __init__(self, atoms: frozenset[Atom]) -> None:
        self.revision = 0
        self.state = State(atoms)

    def set(self, atoms: frozenset[Atom]) -> None:
        """Believe something else."""
        self.state = State(atoms)
        self.revision += 1

    def refresh(self) -> bool:
        """Do nothing: what is believed is set."""
        return False

    def sensed(self, literal: Literal, since: float = 0.0) -> bool | None:
        """Answer as it is believed."""
        return self.state.holds(literal)


def _step(number: int) -> Operator:
    """Make a step that asks for what those before it have left, and leaves something itself."""
    before = {Literal(Atom("done", (str(n),))) for n in (number - 1, number // 2) if n >= 0}
    made = frozenset({Atom("done", (str(number),))})
    action = Action("do", ("robot0", str(number)))
    return Operator(action, frozenset(before), made, frozenset(), command=Command("do", "robot0"))


def planned(tree: str, ticks: int) -> dict[str, list[float]]:
    """Return the seconds of ticks in which nothing changed, another fact did, or one did on which the plan stands.

    Args:
        tree: Which of `TREES`.
        ticks: How many of each.
    """
    steps = tuple(_step(number) for number in range(STEPS))
    goal = frozenset({Literal(Atom("done", (str(STEPS - 1),)))})
    done = frozenset(Atom("done", (str(number),)) for number in range(STEPS // 2 + 1))
    atoms = done | {Atom("fact", (str(number), "x")) for number in range(FACTS - len(done))}
    beliefs, body = Given(atoms), Body()
    tick = _ticking(tree, Plan(steps, goal), beliefs, body)
    tick()
    taken: dict[str, list[float]]
    random, taken = Random(1), {"nothing changed": [], "a fact changed": [], "a fact that the plan needs changed": []}
    with quiet():
        taken["nothing changed"] += _ticks(tick, body, ticks)
        for _ in range(ticks):
            beliefs.set(atoms - {Atom("fact", (str(random.randrange(FACTS - 100)), "x"))})
            taken["a fact changed"] += _ticks(tick, body, 1)
        for number in range(ticks):
            beliefs.set(atoms - {LOST} if number % 2 else atoms)
            taken["a fact that the plan needs changed"] += _ticks(tick, body, 1)
    return taken


def _ticking(tree: str, plan: Plan, beliefs: Given, body: Body) -> Callable[[], object]:
    """Return what ticks the tree of a plan."""
    if tree == "plan":
        return compile_plan(plan, beliefs=beliefs, robot=body).tick_once
    root = pursue(plan, _strategies(), beliefs=beliefs, robot=body)
    return Ticker(root, Believed(beliefs)).tick


def _strategies() -> tuple[Strategy, ...]:
    """Return the strategies of a session; none of them is asked here, since nothing fails."""
    with Session("kitchen", "small", robot="fake", memory=None) as session:
        nodes = session.subtree("bring me the milk").iterate()
        return next(node.strategies for node in nodes if isinstance(node, Recover))


def _ticks(tick: Callable[[], object], body: Body, count: int) -> Iterator[float]:
    for _ in range(count):
        began = perf_counter()
        tick()
        yield perf_counter() - began
        body.clock.sleep(0.05)
