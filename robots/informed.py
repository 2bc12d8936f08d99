"""`Informed`: a body whose observations also hold facts that skills tell and that sensors of one's own decide."""

from __future__ import annotations

import logging
from collections import ChainMap
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from robots.errors import SensorError
from robots.motion import FailedMotion
from robots.real_time import RealTime
from robots.recognition import PICTURES, Recognition, felt
from semantics.body.detector import CameraSource, Detector
from semantics.body.foreign import FAULTS, describe_error, guarded
from semantics.body.interlock import BodyWrapper
from semantics.body.observation import Detection, HeardFact, Observation
from semantics.body.protocols import (
    Clock,
    Motion,
    MotionProgress,
    MotionStatus,
    Robot,
    Sensor,
)
from semantics.errors import OutsideError, known_name
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Command
from semantics.plain_text import plain


def body_of(robot: Robot) -> Robot:
    """Return the body itself, without what it is told and without its pace; for evaluation, not for decisions."""
    robot = robot._robot if isinstance(robot, Informed) else robot
    return robot.body if isinstance(robot, RealTime) else robot


def _failure(command: Command, error: BaseException) -> Feedback:
    return Feedback(Code.BODY_FAILED, str(command), f"{describe_error(error)}.", "Try again, or look after the body.")


class _Guarded:
    """A motion of a body whose code may raise errors."""

    def __init__(self, motion: Motion, command: Command, recognition: Recognition) -> None:
        self._motion, self._command, self._recognition = motion, command, recognition
        self._failed: MotionProgress | None = None

    def poll(self) -> MotionProgress:
        """Return the progress; after an error, that it has failed."""
        return self._failed or self._try(self._polled)

    def _polled(self) -> MotionProgress:
        progress = self._motion.poll()
        told = None if progress.feedback is None else self._recognition.told(progress.feedback)
        return progress if told is progress.feedback else replace(progress, feedback=told)

    def cancel(self) -> None:
        """Stop it."""
        self._try(self._motion.cancel)

    def _try(self, act: Callable[[], Any]) -> Any:  # noqa: ANN401  # what it returns
        try:
            return act()
        except FAULTS as error:
            self._failed = MotionProgress(MotionStatus.FAILED, 0.0, _failure(self._command, error))
            return self._failed


class Informed(BodyWrapper):
    """A body that tells more; implements `semantics.body.protocols.Robot`, `Informable`, and every ability of the body.

    What a skill tells is kept apart from what the body senses and reports, see `Observation.heard`.

    Args:
        robot: The body, with an interlock (see `semantics.body.interlock.interlocked`).
        sensors: The sensor of each predicate that has one.
        believed: The predicates whose facts are assumed after the success of an action.
        predicates: All predicates of the world; a fact of another one cannot be told.
        names: The names of all things that files list, which nothing else gets.
        detector: What finds things in its pictures instead of the body itself; None for the body itself.
        noise: What becomes of a sensing by the errors of a camera; None for none.
    """

    def __init__(
        self,
        robot: Robot,
        sensors: Mapping[str, Sensor],
        believed: Collection[str],
        predicates: Collection[str],
        names: Collection[str] = (),
        detector: Detector | None = None,
        noise: Callable[[Observation], Observation] | None = None,
    ) -> None:
        super().__init__(robot)
        self._sensors, self._believed = sensors, frozenset(believed)
        self._predicates = frozenset(predicates)
        self._detector, self._noise = detector if isinstance(robot, CameraSource) else None, noise
        self._recognition = Recognition(frozenset(names), PICTURES if self.may_err else 1)
        self._heard: dict[Atom, HeardFact] = {}
        self._seen: Observation | None = None
        self._named = Observation()
        self._shown: Observation | None = None

    @property
    def may_err(self) -> bool:
        """Whether one picture does not decide what is there."""
        return self._detector is not None or self._noise is not None

    @property
    def is_settled(self) -> bool:
        """Whether all that was detected has a name."""
        return self._recognition.is_settled

    def keep(self, names: Collection[str]) -> None:
        """Keep things that no file lists in mind, because somebody needs them, in the place of those before."""
        self._recognition.kept = frozenset(names)

    @property
    def handles(self) -> Mapping[str, str]:
        """The names that the body itself has for things that no file lists, by the names that they were given."""
        return self._recognition.handles

    def know_again(self, known: Mapping[str, Detection], given: Collection[str]) -> set[str]:
        """Give things the names of an earlier session, also in the latest sensing; see `Recognition.know_again`."""
        self._seen = None
        return self._recognition.know_again(known, given, self.clock.now())

    @property
    def clock(self) -> Clock:
        """The clock of the body."""
        with guarded(lambda why: OutsideError(f"the body {self.name} tells no time: {why}")):
            return self._robot.clock

    def stop(self) -> None:
        """Stop all motions; raise an `OutsideError` if the body raises an error."""
        with guarded(lambda why: OutsideError(f"the body {self.name} does not stop: {why}")):
            self._robot.stop()

    def close(self) -> None:
        """Close the body; that it raises an error is logged, and changes nothing of what was done."""
        try:
            self._robot.close()
        except FAULTS as error:
            logging.getLogger(__name__).warning("body %s does not close: %s", self.name, plain(describe_error(error)))

    def start(self, command: Command) -> Motion:
        """Begin a motion; what the body raises, now or later, is a failure of it."""
        try:
            own = self._recognition.translated(command) if self._recognition.tracks else command
            return _Guarded(self._robot.start(own), command, self._recognition)
        except FAULTS as error:
            return FailedMotion(_failure(command, error))

    def tell(self, facts: Mapping[Atom, bool], *, assumed: bool = False) -> None:
        """Report facts from the next observation on; of assumed ones, those of believed predicates.

        Raises:
            UnknownNameError: The world has no such predicate.
        """
        for predicate in {atom.predicate for atom in facts}:
            known_name("predicate of this world", predicate, self._predicates)
        now = self.clock.now()
        told = {atom for atom in facts if not assumed or atom.predicate in self._believed}
        self._heard |= {atom: HeardFact(facts[atom], now) for atom in told}
        self._shown = None  # the sensing stays: a picture is not looked at twice
        suppose = getattr(self._robot, "suppose", None)  # of a body that is a model, and becomes as it is told
        if suppose is not None and not assumed:
            suppose({atom: facts[atom] for atom in told})

    def observation(self) -> Observation:
        """Return the latest observation of the body, with what was told and what the sensors decide.

        Raises:
            SensorError: A sensor fails, or returns something else than truth values by arguments.
            OutsideError: The body raises an error.
        """
        with guarded(lambda why: OutsideError(f"the body {self.name} does not sense: {why}")):
            latest = self._robot.observation()
        if latest is not self._seen:
            self._seen, self._named, self._shown = latest, self._recognition.named(self._detected(latest)), None
        if (shown := self._shown) is None:
            latest = self._named
            sensed = {atom: truth for name in self._sensors for atom, truth in self._sensed(name, latest).items()}
            # Not one dictionary: the report of a body may answer for facts that it does not list.
            told = ChainMap(sensed, latest.told) if sensed else latest.told  # type: ignore[arg-type]
            shown = replace(latest, told=told, heard=dict(self._heard)) if sensed or self._heard else latest
            self._shown = shown
        return shown

    def _detected(self, latest: Observation) -> Observation:
        """Return a sensing of the body with what the detector finds, and with the errors of its camera."""
        if self._detector is not None and isinstance(self._robot, CameraSource):
            with guarded(lambda why: SensorError("the detector", why)):
                shots = self._robot.shots()
                found = [each for shot in shots for each in self._detector(shot.picture, shot.depth, shot.camera)]
                latest = replace(latest, detections=tuple(felt(found, latest)))
        return latest if self._noise is None else self._noise(latest)

    def _sensed(self, predicate: str, observation: Observation) -> Mapping[Atom, bool]:
        with guarded(lambda why: SensorError(predicate, why)):
            facts = self._sensors[predicate](self._robot, observation)
            return {Atom(predicate, tuple(map(str, args))): bool(truth) for args, truth in facts.items()}
