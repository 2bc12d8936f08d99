"""What every skill has to do, see docs/own-skill.md#a-skill. It is tried in a run of a world that needs it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial

from graftwork.conformance.suite import Requirement, Unmet, met, requirement
from graftwork.record.episode import Episode, Outcome
from graftwork.session import Session
from semantics.body.protocols import Motion, MotionProgress, MotionStatus, Robot, Skill
from semantics.logic.state import Operator

MOST_TICKS = 20_000
UNTRIED = "say with --try a sentence whose plan needs it, with --domain the world, and with --capability what it does"


@dataclass(eq=False)
class SkillSubject:
    """A skill under test."""

    make: Callable[[], Skill]  # makes the skill
    # opens a session in which a skill does its capability; None if no world is known
    session: Callable[[Skill], AbstractContextManager[Session]] | None = None
    sentence: str = ""  # a sentence in whose plan the capability occurs


SKILL: list[Requirement[SkillSubject]] = []
_must = partial(requirement, SKILL, "docs/own-skill.md#a-skill")


@_must("It is an object with a method start(operator, robot).")
def _protocol(subject: SkillSubject) -> None:
    made = subject.make()
    met(isinstance(made, Skill) and not isinstance(made, type), "it has no method start")


@_must("With it the sentence is carried out: its motion ends, and its effect becomes known.")
def _sentence(subject: SkillSubject) -> str | None:
    if subject.session is None:
        return UNTRIED
    watched = _Watched(subject.make())
    with subject.session(watched) as session:
        episode = session.handle(subject.sentence)
    _was_needed(watched, episode)
    met(episode.outcome is Outcome.ACHIEVED, f"'{subject.sentence}' ended as {episode.outcome}: {episode.message}")
    for motion in watched.motions:
        met(_polled(motion).stage is not MotionStatus.RUNNING, "its motion still runs after the end of the run")
        before = _polled(motion).stage
        motion.cancel()
        met(_polled(motion).stage is before, f"its motion was {before}, and after a cancel it is not")
    return None


@_must("A motion that is cancelled is over soon, and was not done.")
def _cancelling(subject: SkillSubject) -> str | None:
    if subject.session is None:
        return UNTRIED
    watched = _Watched(subject.make())
    with subject.session(watched) as session:
        run = session.start(subject.sentence)
        run.wait()
        for _ in range(MOST_TICKS):
            if watched.motions or not run.tick():
                break
        if not watched.motions or _polled(watched.motions[0]).stage is not MotionStatus.RUNNING:
            run.cancel()
            _was_needed(watched, run.finish())
            return "its motion takes no time"
        run.cancel()
        run.finish()
        stage = _polled(watched.motions[0]).stage
        met(stage is MotionStatus.FAILED, f"after cancel() it is {stage}")
    return None


@dataclass(eq=False)
class _Watched:
    """A skill that keeps the motions of another one."""

    skill: Skill
    motions: list[Motion] = field(default_factory=list)

    def start(self, operator: Operator, robot: Robot) -> Motion:
        motion = self.skill.start(operator, robot)
        met(isinstance(motion, Motion), "start returns no motion with poll and cancel")
        self.motions.append(motion)
        return motion


def _was_needed(watched: _Watched, episode: Episode) -> None:
    if not watched.motions:
        raise Unmet(f"it was never begun; the sentence ended as {episode.outcome}: {episode.message}")


def _polled(motion: Motion) -> MotionProgress:
    progress = motion.poll()
    met(isinstance(progress, MotionProgress), "poll returns no MotionProgress")
    met(0.0 <= progress.fraction <= 1.0, f"its progress is {progress.fraction}")
    return progress
