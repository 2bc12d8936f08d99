"""A class of the user's: which suite it is tried with, and its findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from graftwork.conformance.bodies import BODY, BodySubject
from graftwork.conformance.detectors import DETECTOR
from graftwork.conformance.models import MODEL
from graftwork.conformance.planners import PLANNER
from graftwork.conformance.skills import SKILL, SkillSubject
from graftwork.conformance.suite import Finding, judged
from graftwork.errors import NothingToDoError
from graftwork.record.episode import Outcome
from graftwork.session import Session
from graftwork.setup.bodies import made_by
from graftwork.setup.extensions import extensions_from
from semantics.body.foreign import guarded
from semantics.body.protocols import Robot, Skill
from semantics.errors import UsageError
from semantics.logic.state import Command

KINDS = {
    "body": ("observation", "start"),
    "planner": ("solve",),
    "model": ("complete",),
    "skill": ("start",),
    "detector": ("__call__",),
}
"""The kinds of classes, each with the methods that tell it; a body is recognised before a skill."""


@dataclass(frozen=True, slots=True)
class TrialSetup:
    """What a class is tried with."""

    sentence: str = ""  # a sentence that a run carries out; empty for none
    domain: str = "kitchen"  # the world of the sentence
    scene: str = "auto"  # the scene
    robot: str = "fake"  # the body that a skill is tried with
    capability: str = ""  # the capability or motion primitive that a skill does
    skills: tuple[str, ...] = ()  # modules with further skills and sensors


def findings_of(name: str, trial: TrialSetup) -> tuple[str, Iterator[Finding]]:
    """Return the kind of a class, and its findings.

    Raises:
        UsageError: It cannot be imported or made, or is of no known kind, or the sentence has no plan.
    """
    make = made_by(name)
    how = "give it a function without arguments that makes one, and name that"
    with guarded(lambda why: UsageError(f"{name}: it cannot be made without arguments: {why}; {how}")):
        first = make()
    kind = next((kind for kind, methods in KINDS.items() if all(hasattr(first, each) for each in methods)), "")
    if not kind:
        told = "; ".join(f"a {kind} has {' and '.join(methods)}" for kind, methods in KINDS.items())
        raise UsageError(f"{name}: it is no body, planner, model or skill, and no detector ({told})")
    if kind in ("body", "planner"):
        first.close()
    if kind == "body":
        return kind, judged(BODY, _body(cast("Callable[[], Robot]", make), trial))
    if kind == "skill":
        return kind, judged(SKILL, _skill(cast("Callable[[], Skill]", make), trial))
    suite: Any = {"planner": PLANNER, "model": MODEL, "detector": DETECTOR}[kind]
    return kind, judged(suite, make)


def _body(make: Callable[[], Robot], trial: TrialSetup) -> BodySubject:
    if not trial.sentence:
        return BodySubject(make)
    return BodySubject(make, _commands(trial), lambda body: _achieved(body, trial))


def _commands(trial: TrialSetup) -> tuple[Command, ...]:
    """Return the commands of the sentence's plan that the body itself carries out, planned on the model."""
    with Session(trial.domain, trial.scene, robot="symbolic", memory=None, skills=trial.skills) as session:
        run = session.start(trial.sentence)
        run.wait()
        if run.plan is None:
            message = run.episode.message if run.episode is not None else "a question is open"
            raise NothingToDoError(trial.sentence, message)
        name, plan = session.environment.robot.name, run.plan
        run.leave()
    commands = (step.command for step in plan.steps)
    return tuple(command for command in commands if command is not None and command.agent in ("", name))


def _achieved(body: Robot, trial: TrialSetup) -> str:
    with Session(trial.domain, trial.scene, robot=body, memory=None, skills=trial.skills) as session:
        episode = session.handle(trial.sentence)
    is_done = episode.outcome in (Outcome.ACHIEVED, Outcome.ALREADY)
    return "" if is_done else f"'{trial.sentence}' ended as {episode.outcome}: {episode.message}"


def _skill(make: Callable[[], Skill], trial: TrialSetup) -> SkillSubject:
    if not (trial.sentence and trial.capability):
        return SkillSubject(make)

    def session(skill: Skill) -> Session:
        others = extensions_from(trial.skills)
        skills = {**others.skills, trial.capability: skill}
        return Session(trial.domain, trial.scene, robot=trial.robot, memory=None, skills=skills, sensors=others.sensors)

    return SkillSubject(make, session, trial.sentence)
