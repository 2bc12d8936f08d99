"""`Informed`: a body whose observations also hold facts that skills tell and that sensors of one's own decide."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from robots.errors import SensorError
from robots.real_time import RealTime
from semantics.atoms import Atom
from semantics.errors import known_name
from semantics.observation import Observation
from semantics.protocols import Clock, Interlocked, Robot, Sensor, pass_on_abilities

__all__ = ["Informed", "body_of"]


def body_of(robot: Robot) -> Robot:
    """Return the body itself, without what it is told and without its pace; for evaluation, not for decisions."""
    robot = robot._robot if isinstance(robot, Informed) else robot
    return robot.body if isinstance(robot, RealTime) else robot


class Informed:
    """A body that tells more; implements `semantics.protocols.Robot`, `Informable`, and every ability of the body.

    A fact that was told stays in each observation until the body itself reports another truth of it than it did then.

    Args:
        robot: The body, with an interlock (see `semantics.interlock.interlocked`).
        sensors: The sensor of each predicate that has one.
        believed: The predicates whose facts are assumed after the success of an action.
        predicates: All predicates of the world; a fact of another one cannot be told.

    Attributes:
        motion_interlock: That of the body.
    """

    def __init__(
        self, robot: Robot, sensors: Mapping[str, Sensor], believed: Collection[str], predicates: Collection[str]
    ) -> None:
        assert isinstance(robot, Interlocked)
        self.name = robot.name
        self.motion_interlock = robot.motion_interlock
        self._robot, self._sensors, self._believed = robot, sensors, frozenset(believed)
        self._predicates = frozenset(predicates)
        self._facts: dict[Atom, tuple[bool, bool | None]] = {}  # what was told, and what the body said then
        self._seen: Observation | None = None
        self._shown = Observation()
        self.start, self.stop, self.close = robot.start, robot.stop, robot.close
        pass_on_abilities(self, robot)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # what else the body has
        """Return what a skill or a sensor may need of the body beyond the protocol."""
        if name == "_robot":  # not yet initialised, as in a copy
            raise AttributeError(name)
        return getattr(self._robot, name)

    @property
    def clock(self) -> Clock:
        """The clock of the body."""
        return self._robot.clock

    def tell(self, facts: Mapping[Atom, bool], *, assumed: bool = False) -> None:
        """Report facts from the next observation on; of assumed ones, those of believed predicates.

        Raises:
            UnknownNameError: The world has no such predicate.
        """
        for predicate in {atom.predicate for atom in facts}:
            known_name("predicate of this world", predicate, self._predicates)
        said = self._robot.observation().told
        for atom, truth in facts.items():
            if not assumed or atom.predicate in self._believed:
                self._facts[atom] = truth, said.get(atom)

    def observation(self) -> Observation:
        """Return the latest observation of the body, with what was told and what the sensors decide.

        Raises:
            SensorError: A sensor fails, or returns something else than truth values by arguments.
        """
        latest = self._robot.observation()
        if latest is not self._seen:
            sensed = {atom: truth for name in self._sensors for atom, truth in self._sensed(name, latest).items()}
            self._facts = {atom: fact for atom, fact in self._facts.items() if latest.told.get(atom) == fact[1]}
            more = {atom: truth for atom, (truth, _) in self._facts.items()} | sensed
            # Not one dictionary: the report of a body may answer for facts that it does not list.
            self._shown = replace(latest, told=ChainMap(more, latest.told)) if more else latest  # type: ignore[arg-type]
            self._seen = latest
        return self._shown

    def _sensed(self, predicate: str, observation: Observation) -> Mapping[Atom, bool]:
        try:
            facts = self._sensors[predicate](self._robot, observation)
            return {Atom(predicate, tuple(map(str, args))): bool(truth) for args, truth in facts.items()}
        except Exception as error:  # code of the user
            raise SensorError(predicate, f"{type(error).__name__}: {error}") from error
