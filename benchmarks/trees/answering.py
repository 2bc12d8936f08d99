"""How long it takes from the sensing that shows a plan to be lost to the start of the next motion, on a real clock.

A kitchen, the body without physics on the wall clock, ticks at its default rate, the real planner in a process of its
own. The robot carries an apple to a person; on the way somebody takes it out of its hand and puts it elsewhere, so that
no step of the plan leads to the goal. The drive is stopped and a new plan made.
"""

from __future__ import annotations

import time
from contextlib import closing

from affordances.scene import Scene
from affordances.watcher import Watcher
from bt import Runner, pursue
from domains.reading import load_domain, load_scene
from planning import OwnProcess
from robots.fake import FakeRobot
from semantics.atoms import Atom, Literal
from semantics.feedback import Feedback
from semantics.goal import CheckedGoal, Goal
from semantics.protocols import Motion, NoPlan
from semantics.state import Command, Plan, State

__all__ = ["WallClock", "answers"]

PLACES = ("shelf0", "counter0")
WANTED = Atom("inhand", ("apple0", "human0"))
HELD = Atom("inhand", ("apple0", "robot0"))
SECONDS, MISHAP_AT = 30.0, 5


class WallClock:
    """The wall clock, from zero."""

    simulated = False

    def __init__(self) -> None:
        self._began = time.monotonic()

    def now(self) -> float:
        """Return seconds since the start."""
        return time.monotonic() - self._began

    def sleep(self, seconds: float) -> None:
        """Sleep."""
        time.sleep(seconds)


class Errand:
    """One run with one mishap.

    Attributes:
        sensed: When the mishap was sensed; None before.
        resumed: When the next motion was started; None before.
    """

    def __init__(self, service: OwnProcess, place: str) -> None:
        self.domain = load_domain("kitchen")
        self.scene = load_scene(self.domain, "small")
        self.service, self.place = service, place
        self.robot = FakeRobot(self.scene.layout, clock=WallClock())
        self.beliefs = Watcher(self.robot, Scene.start(self.scene, self.domain), self.domain)
        self.robot.world.hold("apple0", self.robot.name)
        self.beliefs.refresh()
        self.goal = CheckedGoal(Goal(WANTED), (frozenset({Literal(WANTED)}),))
        self.sensed: float | None = None
        self.resumed: float | None = None
        self._start, self._is_taken = self.robot.start, False
        self.robot.start = self.started  # type: ignore[method-assign]

    def replan(self, state: State, _: Feedback | None = None) -> Plan | NoPlan:
        """Plan from a state."""
        return self.service.solve(self.goal, state, self.scene.things, self.domain)

    def started(self, command: Command) -> Motion:
        """Note the first motion after the mishap was sensed."""
        if self.sensed is not None and self.resumed is None:
            self.resumed = time.perf_counter()
        return self._start(command)

    def run(self) -> float:
        """Run until the motion after the mishap; return the seconds from the sensing to that.

        Raises:
            RuntimeError: There was none in half a minute.
        """
        plan = self.replan(self.beliefs.state)
        if isinstance(plan, NoPlan):
            raise RuntimeError(f"no plan to be lost: {plan.feedback}")  # noqa: TRY004 - an outcome, not a wrong type
        tree = pursue(plan, self.replan, beliefs=self.beliefs, robot=self.robot, delay=None)
        refresh = self.beliefs.refresh
        runner = Runner(tree, self.robot, self.beliefs)

        def noted() -> bool:
            before = HELD in self.beliefs.state.atoms
            changed = refresh()
            if before and self._is_taken and HELD not in self.beliefs.state.atoms:
                self.sensed = time.perf_counter()
            return changed

        self.beliefs.refresh = noted  # type: ignore[method-assign]
        while self.resumed is None and runner.ended is None:
            runner.step(SECONDS)
            if not self._is_taken and runner.ticks == MISHAP_AT:
                self.robot.move_piece("apple0", "on", self.place)
                self._is_taken = True
        runner.cancel()
        runner.tick()
        if self.sensed is None or self.resumed is None:
            raise RuntimeError(f"nothing was begun anew: {runner.ended}")
        return self.resumed - self.sensed


def answers(times: int) -> list[float]:
    """Return the seconds from the sensing of a mishap to the next motion."""
    with closing(OwnProcess()) as service:
        return [Errand(service, PLACES[number % len(PLACES)]).run() for number in range(times)]
