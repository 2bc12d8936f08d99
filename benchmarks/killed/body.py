"""The fake world as it is served to a run: it counts what is asked of it, and knows the truth."""

from __future__ import annotations

from collections.abc import Callable

from affordances.facts import sense
from affordances.relations import RELATION_TESTS
from affordances.scene import completed
from affordances.shown import sensed_predicates
from domains.model import Domain, SceneFile
from domains.problem import Problem
from graftwork.setup.model_body import OperatorFinder
from robots.fake import FakeRobot
from robots.fake.sensing import FakeSensing
from semantics.body.observation import Observation
from semantics.body.protocols import Motion, MotionStatus
from semantics.logic.atoms import Atom
from semantics.logic.state import Command, Operator, State

__all__ = ["Judged"]

INSIDE = frozenset({"on", "in", "inhand"})
"""Facts that a shut door hides, and that are true all the same."""


class Judged(FakeRobot):
    """A fake that keeps account of its motions.

    Args:
        domain: The world.
        scene: Its scene.

    Attributes:
        asked: How often a sensing was asked for, twice a tick or so.
        at_count: Called at a number of `asked`: ``(number, what)``, or None.
        motions: Each command with its motion, and whether the truth already was what it brings about.
    """

    def __init__(self, domain: Domain, scene: SceneFile) -> None:
        super().__init__(scene.arrangement)
        self.asked = 0
        self.at_count: tuple[int, Callable[[], None]] | None = None
        self.motions: list[tuple[Command, Motion, bool]] = []
        self._domain = domain
        self._things = scene.things
        self._finder = OperatorFinder(domain, scene)

    def observation(self) -> Observation:
        """Count, and do what is due."""
        self.asked += 1
        if self.at_count is not None and self.asked >= self.at_count[0]:
            (_, deed), self.at_count = self.at_count, None
            deed()
        return super().observation()

    def start(self, command: Command) -> Motion:
        """Note whether it was needed."""
        needless = self._is_needless(command)
        motion = super().start(command)
        self.motions.append((command, motion, needless))
        return motion

    @property
    def done(self) -> int:
        """How many motions were done to their end."""
        return sum(motion.poll().stage is MotionStatus.DONE for _, motion, _ in self.motions)

    def truth(self) -> State:
        """Return what is so, also behind shut doors."""
        doors = dict(self.world.doors)
        tests = set(sensed_predicates(self._domain).values()) - RELATION_TESTS.keys()
        shown = sense(FakeSensing(self.world, float("inf")).observed(0.0, 1, False), self._things, tests)
        self.world.doors.update(dict.fromkeys(doors, 1.0))
        inside = sense(FakeSensing(self.world, float("inf")).observed(0.0, 1, False), self._things, tests)
        self.world.doors.update(doors)
        facts: set[Atom] = {atom for atom in shown if atom.predicate not in INSIDE}
        facts |= {atom for atom in inside if atom.predicate in INSIDE} | self.world.states
        return completed(Problem(self._domain, self._things, State(frozenset(facts))))

    def _is_needless(self, command: Command) -> bool:
        """Return whether everything that a command is to bring about is so already."""
        before = self.truth()
        operator = self._finder(command, before)
        if not isinstance(operator, Operator):
            return False
        return operator.added <= before.atoms and before.atoms.isdisjoint(operator.deleted - operator.added)
