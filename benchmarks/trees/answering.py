"""How long it takes from the sensing that shows a plan to be lost to the start of the next motion, on a real clock.

A kitchen, the body without physics on the wall clock, ticks at its default rate, the real planner in a process of its
own. The robot carries an apple to a person; on the way somebody takes it out of its hand and puts it elsewhere, so that
no step of the plan leads to the goal. The drive is stopped and a new plan made: by the tree of a plan that nothing but
replanning mends, and by the tree of a session.
"""

from __future__ import annotations

import time
from contextlib import closing

from affordances.scene import Scene
from affordances.watcher import Watcher
from bt import Recover, Replan, Runner, Tree, pursue
from domains.problem import Problem
from domains.reader import load_domain, load_scene
from graftwork import Session
from planning import OwnProcess
from robots.fake import FakeRobot
from robots.real_time import WallClock
from semantics.body.protocols import Beliefs, Motion, NoPlan
from semantics.logic.atoms import Atom, Literal
from semantics.logic.state import Command, Plan, State

__all__ = ["answers"]

PLACES = ("shelf0", "counter0")
SENTENCE = "bring me the apple"
WANTED = Atom("inhand", ("apple0", "human0"))
HELD = Atom("inhand", ("apple0", "robot0"))
SECONDS, MISHAP_AT = 30.0, 5


class Errand:
    """One run with one mishap.

    Attributes:
        sensed: When the mishap was sensed; None before.
        resumed: When the next motion was started; None before.
    """

    def __init__(self, place: str) -> None:
        self.domain = load_domain("kitchen")
        self.scene = load_scene(self.domain, "small")
        self.place = place
        assert self.scene.layout is not None
        self.robot = FakeRobot(self.scene.layout, clock=WallClock())
        self.robot.world.hold("apple0", self.robot.name)
        self.sensed: float | None = None
        self.resumed: float | None = None
        self._start, self._is_taken = self.robot.start, False
        self.robot.start = self.started  # type: ignore[method-assign]

    def started(self, command: Command) -> Motion:
        """Note the first motion after the mishap was sensed."""
        if self.sensed is not None and self.resumed is None:
            self.resumed = time.perf_counter()
        return self._start(command)

    def with_plan(self, service: OwnProcess) -> float:
        """Run the tree of a plan that nothing but replanning mends; otherwise as `run`."""
        beliefs = Watcher(self.robot, Scene.start(self.scene, self.domain))
        beliefs.refresh()
        goal = frozenset({Literal(WANTED)})

        def planned(state: State) -> Plan | NoPlan:
            return service.solve(Problem(self.domain, self.scene.things, state, (goal,)))

        plan = planned(beliefs.state)
        if isinstance(plan, NoPlan):
            raise RuntimeError(f"no plan to be lost: {plan.feedback}")  # noqa: TRY004 - an outcome, not a wrong type
        replan = Replan(lambda request: planned(request.state))
        return self.run(pursue(plan, [replan], beliefs=beliefs, robot=self.robot), beliefs)

    def with_session(self) -> float:
        """Run the tree that a session makes of a sentence; otherwise as `run`."""
        with Session("kitchen", "small", robot=self.robot, memory=None) as session:
            tree = session.subtree(SENTENCE)
            beliefs = next(node.beliefs for node in tree.iterate() if isinstance(node, Recover))
            return self.run(tree, beliefs)

    def run(self, tree: Tree, beliefs: Beliefs) -> float:
        """Run until the motion after the mishap; return the seconds from the sensing to that.

        Raises:
            RuntimeError: There was no plan, or no motion in half a minute.
        """
        refresh = beliefs.refresh
        runner = Runner(tree, self.robot, beliefs)

        def noted() -> bool:
            before = HELD in beliefs.state.atoms
            changed = refresh()
            if before and self._is_taken and HELD not in beliefs.state.atoms:
                self.sensed = time.perf_counter()
            return changed

        beliefs.refresh = noted  # type: ignore[method-assign]
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


def answers(tree: str, times: int) -> list[float]:
    """Return the seconds from the sensing of a mishap to the next motion.

    Args:
        tree: ``plan`` or ``session``: whose tree it is.
        times: How many runs.
    """
    errands = [Errand(PLACES[number % len(PLACES)]) for number in range(times)]
    if tree == "session":
        return [errand.with_session() for errand in errands]
    with closing(OwnProcess()) as service:
        return [errand.with_plan(service) for errand in errands]
