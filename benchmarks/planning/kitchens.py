"""Kitchens of any size, with a task each: the same for the same size and seed.

The number of objects counts all things but the robot, the person and two liquids. Four in five movable things stand on
furniture, the others on or in each other, in the sink, in a fridge. Each piece of furniture has its place in the room,
and driving costs by the metre, so that of many things of a class one is the cheapest.

Of eight tasks one names all it needs. The others need what the goal does not name (see `benchmarks.planning.tasks`):
something is covered by another thing, or behind a closed door; any of a class will do; to chop takes a knife, to wipe a
cloth and water, to boil a kettle, and a liquid is carried in a vessel. Plans have 4 to 12 actions by construction; no
planner is asked when a task is made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from affordances.bookkeeping import derive
from benchmarks.planning.scenes import Scene, kitchen_domain
from benchmarks.planning.tasks import TASKS
from domains.problem import Problem
from planning import CostModel, Valid, validate_actions
from semantics.logic.atoms import Conjunct
from semantics.logic.state import Action, State
from semantics.logic.vocabulary import Thing

__all__ = ["KINDS", "SIZES", "Kitchen", "kitchen_domain", "make"]

SIZES = (10, 20, 70, 300, 1000)
KINDS = tuple(TASKS)
PER_METRE = 0.5
"""Cost of a metre, in actions: two metres are driven while one thing is grasped."""
SCALE = 10


@dataclass(frozen=True, slots=True)
class Kitchen:
    """A scene with a task.

    Attributes:
        kind: One of `KINDS`.
        things: Everything.
        state: Where everything is, bookkeeping facts included.
        goals: Conjuncts, one of which is to be reached.
        costs: What actions cost there.
    """

    kind: str
    things: Mapping[str, Thing]
    state: State
    goals: tuple[Conjunct, ...]
    costs: CostModel

    def price(self, action: Action) -> int:
        """Return what an action costs here."""
        return self.problem.ground(action).cost

    def cost(self, plan: Sequence[Action]) -> int:
        """Return what a plan costs here."""
        return sum(map(self.price, plan))

    def reached(self, plan: Sequence[Action]) -> bool:
        """Return whether a plan can be carried out and reaches one of the goals."""
        return isinstance(validate_actions(plan, self.problem), Valid)

    @property
    def problem(self) -> Problem:
        """What is to be planned."""
        return Problem(kitchen_domain(), self.things, self.state, self.goals, self.costs)


def make(size: int, seed: int) -> Kitchen:
    """Return the kitchen of `size` objects with that seed."""
    scene = Scene(Random(f"{size} {seed}"), size)
    kind = KINDS[seed % len(KINDS)]
    goals = TASKS[kind](scene)
    follows = [name for name, model in kitchen_domain().predicates.items() if model.bookkeeping]
    state = State(frozenset(scene.facts) | derive(scene.facts, scene.things, follows))
    costs = CostModel(per_metre=PER_METRE, scale=SCALE, places=scene.points)
    return Kitchen(kind, scene.things, state, goals, costs)
