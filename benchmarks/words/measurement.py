"""An instruction with values or places, carried out on a body whose true poses are known before and after."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.words.entries import Spatial
from benchmarks.words.poses import held_by, look
from benchmarks.words.rows import Kind, Row
from benchmarks.words.watching import Trial, Watcher, Witness, conclude, describe, follow
from domains.model import Domain
from robots.informed import body_of
from robots.pybullet import PyBulletRobot
from semantics.body.protocols import Motion, Robot
from semantics.logic.quantity import Quantity, base_unit
from semantics.logic.state import Command

__all__ = ["measure"]

SETTLING = 1.0
"""Seconds in which things come to rest before the words and after the run."""


def measure(entry: Spatial, trial: Trial) -> None:
    """Have an instruction carried out, and write down what stood where before it and what stands where after it."""
    session, row, journal, place = trial
    robot = session.environment.robot
    robot.clock.sleep(SETTLING)
    row.before = look(robot)
    watch = _HandWatch(robot, row)
    called: list[str] = []
    setattr(robot, "start", _noting(robot, place.domain, called))  # noqa: B010 - the methods of a robot are a protocol
    run = session.start(entry.sentence)
    run.wait()
    describe(run, row, place)
    agreed = row.question
    follow(run, row, watch)
    row.question = run.question.text if run.question and not run.is_over else ""
    if row.question:
        row.kind = Kind.OFFER if row.goals else Kind.QUESTION
        run.finish()  # it has no answer
    elif row.kind in (Kind.QUESTION, Kind.OFFER):  # a yes made it something to do
        row.kind, row.question = Kind.GOAL, agreed
    plan = run.plan
    row.plans = [*([[str(step) for step in plan.steps]] if plan else []), *(e["steps"] for e in journal.of("plan"))]
    row.plans += [called] if run.program is not None else []
    robot.clock.sleep(SETTLING)
    watch.end()
    row.after = look(robot)
    conclude(run, row, journal)


def _noting(robot: Robot, domain: Domain, called: list[str]) -> Callable[[Command], Motion]:
    """Return what starts a command and notes it as a step of each capability that it may be one of.

    The steps that a program calls stand in no plan.
    """
    start = robot.start

    def started(command: Command) -> Motion:
        for name, capability in domain.capabilities.items():
            values = {
                each.name: Quantity(command.values.get(each.name, 0.0), base_unit(each.unit))
                for each in capability.values
            }
            said = " ".join(f":{key} {value}" for key, value in values.items() if key in command.values)
            called.extend([f"({name} {command.agent} {said})"] if capability.primitive == command.primitive else [])
        return start(command)

    return started


class _HandWatch:
    """Notes for how long things are in the hand, and on a body without physics what comes true meanwhile.

    Args:
        robot: The body.
        row: What is written down.
    """

    def __init__(self, robot: Robot, row: Row) -> None:
        self._robot, self._row = robot, row
        self._facts: Watcher | None = None if isinstance(body_of(robot), PyBulletRobot) else Witness(robot, row)
        self._held, self._since = held_by(robot), robot.clock.now()

    def look(self) -> None:
        """Look at the hand and at the facts."""
        if self._facts is not None:
            self._facts.look()
        held, now = held_by(self._robot), self._robot.clock.now()
        if held != self._held:
            if self._held:
                self._row.spells.setdefault(self._held, []).append(round(now - self._since, 3))
            self._held, self._since = held, now

    def end(self) -> None:
        """Look once more, and note for how long what is still in the hand has been there."""
        self.look()
        if self._held:
            self._row.spells.setdefault(self._held, []).append(round(self._robot.clock.now() - self._since, 3))
