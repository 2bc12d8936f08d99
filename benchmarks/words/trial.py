"""What becomes of one entry: its words are said to a session in its scene, and all that follows is written down.

Nothing is judged here, and nothing of what is right reaches the session. What only must be decided is not carried out;
programs, corrections, and what has to be looked for are carried out on a body without physics.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.words.entries import (
    Correction,
    Dialogue,
    Entry,
    Instruction,
    Moving,
    Program,
    Spatial,
)
from benchmarks.words.exchange import converse
from benchmarks.words.interjection import begin_goal, interject
from benchmarks.words.live import live_body
from benchmarks.words.rows import Kind, Row
from benchmarks.words.unseen import Unseen
from benchmarks.words.watching import MOST_HELD, MOST_OFFERS, YES, Trial, Witness, conclude, describe, follow
from benchmarks.words.worlds import BODIES, digest_of, place_of, scene_file, world_file
from bt.record import Entries
from domains.reader import load_domain, load_scene
from graftwork import Session
from graftwork.decision import FinalDecision
from graftwork.errors import UnrecordedRequestError
from graftwork.language.replayed import ReplayedModel
from graftwork.language.scripted import ScriptedModel
from graftwork.record.episode import Outcome
from graftwork.run.run import Run
from robots.fake import FakeRobot
from semantics.body.protocols import LanguageModel, Message, ModelReply
from semantics.logic.goal import Question as Asked

__all__ = ["Manner", "perform"]

MOST_TRIES, MOST_ASKED = 5, 100
"""How often a model is asked about a request; and how often one that says only one thing."""


@dataclass(frozen=True)
class Manner:
    """How entries are tried.

    Attributes:
        model: Who reads the words: a model by name.
        record: A file for the exchanges with the model; None for none.
        model_seconds: Time limit of one answer.
        said: What a model answers, whatever it is asked, in place of `model`; it is asked once. Empty for none.
    """

    model: str = "offline"
    record: Path | None = None
    model_seconds: float = 30.0
    said: str = ""


def perform(entry: Entry, manner: Manner) -> Row:
    """Try an entry; that it broke off is a result, too. The current folder must be the root of the checkout."""
    began = time.perf_counter()
    row = Row(entry.id)
    model = _reader(manner)
    journal = Entries()
    file = world_file(entry.world, "said" if manner.said else manner.model, has_copies=entry.has_copies)
    row.world, row.digest = str(file), digest_of(file)
    place = place_of(entry.world, entry.scene, row.world)
    try:
        with Session(
            file,
            scene_file(entry.world, entry.scene),
            robot=body_for(entry) if not isinstance(entry, Moving) else _live_body(entry, file),
            model=model,
            memory=None,
            noise=Unseen(place.hidden) if place.hidden else None,
            journals=(journal,),
            model_seconds=manner.model_seconds,
            model_tries=1 if manner.said else MOST_TRIES,
            record_model=manner.record,
        ) as session:
            _TRIALS.get(type(entry), _decide)(entry, Trial(session, row, journal, place))
    except Exception as error:  # of the program, which the judge counts
        row.kind, row.error = Kind.NOTHING, f"{type(error).__name__}: {error}"
    row.unrecorded = isinstance(model, _Replaying) and model.lacks
    row.seconds = round(time.perf_counter() - began, 3)
    return row


def _live_body(entry: Moving, file: Path) -> FakeRobot:
    domain = load_domain(file)
    return live_body(domain, load_scene(domain, scene_file(entry.world, entry.scene)))


def body_for(entry: Entry) -> str:
    """Return the body with which an entry is tried; what is measured on a table needs true poses."""
    bodies = {**BODIES, "tabletop": "pybullet"} if isinstance(entry, Spatial) else BODIES
    return bodies.get(entry.world, "symbolic")


def _reader(manner: Manner) -> str | LanguageModel:
    if manner.said:
        return ScriptedModel([manner.said] * MOST_ASKED)
    if manner.model.startswith("replay:"):
        return _Replaying(manner.model.removeprefix("replay:"))
    return manner.model


class _Replaying(ReplayedModel):
    """A recording that remembers whether it lacked a request."""

    lacks = False

    def complete_unless(
        self, called_off: Callable[[], object], messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None
    ) -> ModelReply:
        """Return the recorded answer.

        Raises:
            UnrecordedRequestError: The request is not recorded.
        """
        try:
            return super().complete_unless(called_off, messages, schema=schema)
        except UnrecordedRequestError:
            self.lacks = True
            raise


def _decide(entry: Entry, trial: Trial) -> None:
    """Have a sentence decided; carry out only what has no plan before, or comes after something that was done."""
    row, done = trial.row, getattr(entry, "done", ())
    if not _bring_about(done, trial):
        return
    witness = Witness(trial.session.environment.robot, row)
    run = trial.session.start(entry.sentence)
    run.wait()
    describe(run, row, trial.place)
    if isinstance(entry, Instruction):
        _consent(run, trial)
    if done and isinstance(entry, Instruction):
        row.steps = []  # they do not begin where the scene begins
    if row.steps:
        run.leave()
    elif not run.is_over:
        run.finish(tick=witness.look)
    witness.look()
    conclude(run, row, trial.journal)


def _bring_about(goals: Sequence[str], trial: Trial) -> bool:
    """Carry out what was done before the words; return whether it was done."""
    for goal in goals:
        done = trial.session.handle(goal=goal)
        if done.outcome is not Outcome.ACHIEVED:
            trial.row.error = f"{goal} before the words: {done.message}"
            return False
    trial.journal.events.clear()
    return True


def _consent(run: Run, trial: Trial) -> None:
    """Say yes to what is offered, to see whether it can be had; a goal stays what was offered."""
    row = trial.row
    for _ in range(MOST_OFFERS):
        if row.kind is not Kind.OFFER or run.question is None:
            return
        question, goals = row.question, row.goals
        run.say(YES)
        run.wait()
        row.kind, row.goals, row.question = Kind.NOTHING, [], ""
        describe(run, row, trial.place)
        if row.kind is Kind.GOAL:
            row.kind, row.question = Kind.OFFER, question
        elif row.kind is Kind.NOTHING and run.episode is not None and run.episode.outcome is Outcome.ALREADY:
            row.kind, row.question, row.goals = Kind.OFFER, question, goals
            return


def _carry_out(entry: Program, trial: Trial) -> None:
    """Have a request carried out to its end, with a person who answers."""
    row = trial.row
    witness = Witness(trial.session.environment.robot, row)
    run = trial.session.start(entry.sentence)
    run.wait()
    describe(run, row, trial.place)
    if not run.is_over:
        run.finish(tick=witness.look, answer=_Person(entry.answers, run))
        if row.kind in (Kind.QUESTION, Kind.OFFER) and run.runner is not None:  # its answer made it something to do
            row.kind = Kind.PROGRAM if run.program is not None else Kind.GOAL
    witness.look()
    conclude(run, row, trial.journal)


def _correct(entry: Correction, trial: Trial) -> None:
    """Say something while a goal is pursued, after some steps."""
    session, row, journal, _ = trial
    run = begin_goal(entry.goal, entry.steps_done, trial)
    if entry.held and not run.is_over:
        session.say("wait")
        for _ in range(MOST_HELD):
            run.tick()
    if run.is_over:
        row.error = f"{entry.goal} before the correction: {run.episode and run.episode.message}"
        return
    journal.events.clear()
    witness = Witness(session.environment.robot, row)
    row.used = session.say(entry.sentence)
    row.told.append(run.reply)
    follow(run, row, witness)
    witness.look()
    row.held = run.is_held
    row.question = run.question.text if run.question else ""
    row.plans += [event["steps"] for event in journal.of("plan")]
    if run.is_over:
        conclude(run, row, journal)
    else:
        run.cancel()
        run.tick()


def _measure(entry: Spatial, trial: Trial) -> None:
    """Have an instruction with values or places carried out."""
    from benchmarks.words.measurement import measure  # with a simulator, which nothing else needs

    measure(entry, trial)


class _Person:
    """Who answers questions as an entry says, says yes to what is offered or shown, and stops what asks more."""

    def __init__(self, answers: Mapping[str, str], run: Run) -> None:
        self._answers, self._run = answers, run

    def __call__(self, question: Asked) -> str:
        decision, text = self._run.decision, question.text.lower()
        if isinstance(decision, FinalDecision) and decision.offer is not None:
            return YES
        said = next((answer for key, answer in self._answers.items() if key.lower() in text), None)
        return said or (YES if YES in question.options else "stop")


_TRIALS: Mapping[type[Entry], Callable[[Any, Trial], None]] = {
    Program: _carry_out,
    Correction: _correct,
    Dialogue: converse,
    Moving: interject,
    Spatial: _measure,
}
"""How entries of a kind are tried; of all others the words are decided."""
