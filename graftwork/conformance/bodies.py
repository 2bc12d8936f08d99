"""What every body has to do, see docs/own-body.md."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from itertools import pairwise

from graftwork.conformance.suite import Requirement, met, requirement
from semantics.body.observation import Observation, not_finite
from semantics.body.primitive import Primitive
from semantics.body.protocols import (
    Clock,
    ExactSensing,
    LimitedMotion,
    Motion,
    MotionProgress,
    MotionStatus,
    PictureSource,
    Robot,
)
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Command

TICK = 0.05
PATIENCE = 120.0  # how long a motion may take, in seconds of the body's clock
REST = 5.0
NOWHERE = "no_such_thing0"
PICTURE = (64, 48)
METHODS = ("name", "clock", "observation", "start", "stop", "close")


@dataclass(eq=False)
class BodySubject:
    """A body under test."""

    make: Callable[[], Robot]  # makes a new body
    # commands that a new body can carry out, one after the other; empty if none is known
    commands: tuple[Command, ...] = ()
    # carries out a sentence with a body, and returns why that failed, or nothing; None without a sentence
    achieve: Callable[[Robot], str] | None = None
    untried: str = field(default="no sentence was given with --try, so no motion is known that it can do", init=False)

    def body(self) -> AbstractContextManager[Robot]:
        """Return a new body, which is closed at the end."""
        return closing(self.make())


BODY: list[Requirement[BodySubject]] = []


def _must(sentence: str, anchor: str) -> Callable[[Callable[[BodySubject], str | None]], Callable[..., str | None]]:
    return requirement(BODY, f"docs/own-body.md#{anchor}", sentence)


@_must("It has the attributes and methods of a body, and a name.", "the-protocol")
def _protocol(subject: BodySubject) -> None:
    made = subject.make()
    lacking = [name for name in METHODS if not hasattr(made, name)]
    met(not lacking, f"it lacks {', '.join(lacking)}")
    met(isinstance(made, Robot), "it is no semantics.body.protocols.Robot")
    met(isinstance(made.name, str) and made.name, f"its name is {made.name!r}; a body has the name of its agent")
    met(isinstance(made.clock, Clock), "its clock lacks one of now, sleep and simulated")
    made.close()


@_must("Its clock never goes back, and sleeping lets at least that time pass.", "the-clock")
def _clock(subject: BodySubject) -> None:
    with subject.body() as body:
        clock = body.clock
        met(isinstance(clock.simulated, bool), f"clock.simulated is {clock.simulated!r}, neither True nor False")
        times = [clock.now()]
        for _ in range(5):
            clock.sleep(TICK)
            times.append(clock.now())
        met(times == sorted(times), f"its time goes back: {times}")
        clock.sleep(0.0)
        before = clock.now()
        clock.sleep(TICK)
        met(clock.now() >= before + TICK - 1e-9, f"after sleep({TICK}) only {clock.now() - before:g} s have passed")
        if clock.simulated:
            still = {clock.now() for _ in range(100)}
            met(len(still) == 1, "it is simulated, but its time passes while nobody sleeps")


@_must("Its observations are numbered upwards, are not from the future, and have finite numbers.", "the-observation")
def _observations(subject: BodySubject) -> None:
    with subject.body() as body:
        seen: list[Observation] = []
        for _ in range(20):
            seen.append(body.observation())
            body.clock.sleep(TICK)
        met(all(isinstance(one, Observation) for one in seen), "observation() returns no Observation")
        numbers, times = [one.number for one in seen], [one.time for one in seen]
        met(numbers == sorted(numbers), f"its numbers go back: {numbers}")
        met(times == sorted(times), f"its times go back: {times}")
        met(numbers[-1] > numbers[0], "it never numbers a new observation, so that each counts as the old one")
        met(times[-1] <= body.clock.now() + 1e-9, "its last observation is from the future")
        for before, after in pairwise(seen):
            met(not (wrong := not_finite(after, before)), f"{wrong} has a number that is not finite")


@_must("A command with an unknown motion gives a motion that has already failed as refused-by-body.", "commands")
def _unknown_motion(subject: BodySubject) -> None:
    with subject.body() as body:
        _is_refused(body, Command("somersault_backwards", body.name, {}))


@_must("So does a command without its roles, or with a thing that does not exist.", "commands")
def _senseless_roles(subject: BodySubject) -> str | None:
    with subject.body() as body:
        told = {name: each for name, each in _primitives(body).items() if each.roles}
        for name, primitive in told.items():
            _is_refused(body, Command(name, body.name, {}))
            _is_refused(body, Command(name, body.name, dict.fromkeys(primitive.roles, NOWHERE)))
        return None if told else "it tells no motions with roles (its attribute primitives)"


@_must("It can be stopped and closed at any time, twice as well.", "stopping")
def _stop_and_close(subject: BodySubject) -> None:
    body = subject.make()
    for end in (body.stop, body.stop, body.close, body.close):
        end()


@_must("A motion that was started ends, tells a growing progress, and stays ended.", "motions")
def _motion(subject: BodySubject) -> str | None:
    if not subject.commands:
        return subject.untried
    with subject.body() as body:
        for command in subject.commands:
            motion = body.start(command)
            progress, fractions = _ended(body, motion, command, PATIENCE)
            met(progress.stage is MotionStatus.DONE, f"{command.primitive} failed: {progress.feedback}")
            met(fractions == sorted(fractions), f"the progress of {command.primitive} goes back")
            met(all(0.0 <= each <= 1.0 for each in fractions), f"the progress of {command.primitive} leaves 0 to 1")
            motion.cancel()
            body.clock.sleep(TICK)
            stays = _polled(motion, command).stage is MotionStatus.DONE
            met(stays, f"{command.primitive} was done, and after a cancel it is not")
    return None


@_must("A motion that is cancelled fails as cancelled, and another one can begin.", "cancelling")
def _cancelling(subject: BodySubject) -> str | None:
    return _ended_early(subject, lambda body, motion: motion.cancel())


@_must("stop() ends the motion under way, and another one can begin.", "stopping")
def _stopping(subject: BodySubject) -> str | None:
    return _ended_early(subject, lambda body, motion: body.stop())


@_must("What it offers beyond the protocol fits: primitives, exact sensing, pictures.", "more-abilities")
def _abilities(subject: BodySubject) -> str | None:
    with subject.body() as body:
        primitives = body.primitives if isinstance(body, LimitedMotion) else None
        met(
            primitives is None or all(isinstance(name, str) for name in primitives),
            "primitives has names that are no text",
        )
        if isinstance(primitives, Mapping):
            wrong = [name for name, each in primitives.items() if not isinstance(each, Primitive)]
            met(not wrong, f"primitives['{wrong[0] if wrong else ''}'] is no semantics.body.primitive.Primitive")
        exact = body.exact_within if isinstance(body, ExactSensing) else None
        met(exact is None or exact > 0, f"exact_within is {exact!r}; say seconds above 0, or None")
        if isinstance(body, PictureSource):
            png = body.picture(*PICTURE)
            met(png.startswith(b"\x89PNG"), "picture() returns no PNG")
            size = struct.unpack(">II", png[16:24])
            met(size == PICTURE, f"picture{PICTURE} returns a picture of {size}")
    return None


@_must("It carries out the sentence, and what it senses shows it.", "trying-it")
def _sentence(subject: BodySubject) -> str | None:
    if subject.achieve is None:
        return "no sentence was given with --try"
    with subject.body() as body:
        why = subject.achieve(body)
        met(not why, why)
    return None


def _primitives(body: Robot) -> Mapping[str, Primitive]:
    told = body.primitives if isinstance(body, LimitedMotion) else None
    return told if isinstance(told, Mapping) else {}


def _polled(motion: Motion, command: Command) -> MotionProgress:
    met(isinstance(motion, Motion), f"start of {command.primitive} returns no motion with poll and cancel")
    progress = motion.poll()
    met(isinstance(progress, MotionProgress), f"poll of {command.primitive} returns no MotionProgress")
    failed = progress.stage is MotionStatus.FAILED
    met(not failed or isinstance(progress.feedback, Feedback), f"{command.primitive} failed without a Feedback")
    return progress


def _ended(body: Robot, motion: Motion, command: Command, seconds: float) -> tuple[MotionProgress, list[float]]:
    """Return the progress of a motion when it has ended, and what it was at each tick before."""
    deadline, fractions = body.clock.now() + seconds, list[float]()
    while (progress := _polled(motion, command)).stage is MotionStatus.RUNNING:
        met(body.clock.now() < deadline, f"{command.primitive} still runs after {seconds:g} s")
        fractions.append(progress.fraction)
        body.clock.sleep(TICK)
    return progress, fractions


def _is_refused(body: Robot, command: Command) -> None:
    roles = " ".join(f"{role}={name}" for role, name in command.roles.items())
    told = f"{command.primitive} {roles}".strip()
    progress = _polled(body.start(command), command)
    if progress.stage is not MotionStatus.FAILED:
        body.stop()
    met(progress.stage is MotionStatus.FAILED, f"'{told}' is {progress.stage} and not failed at once")
    code = progress.feedback.code if progress.feedback else ""
    met(code == Code.REFUSED_BY_BODY, f"'{told}' failed as {code} and not as {Code.REFUSED_BY_BODY}")


def _ended_early(subject: BodySubject, end: Callable[[Robot, Motion], None]) -> str | None:
    """Begin the first command, end it soon, and carry it out afterwards."""
    if not subject.commands:
        return subject.untried
    command = subject.commands[0]
    with subject.body() as body:
        motion = body.start(command)
        body.clock.sleep(TICK)
        if _polled(motion, command).stage is not MotionStatus.RUNNING:
            return f"{command.primitive} takes less than {TICK} s"
        end(body, motion)
        progress, _ = _ended(body, motion, command, REST)
        code = progress.feedback.code if progress.feedback else progress.stage
        met(code == Code.CANCELLED, f"{command.primitive} ended as {code} and not as {Code.CANCELLED}")
        motion.cancel()
        progress, _ = _ended(body, body.start(command), command, PATIENCE)
        met(
            progress.stage is MotionStatus.DONE,
            f"begun again, {command.primitive} is {progress.stage}: {progress.feedback}",
        )
    return None
