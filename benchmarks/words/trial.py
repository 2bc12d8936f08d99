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

from benchmarks.gallery.truth import true_facts
from benchmarks.words.entries import Correction, Entry, Instruction, Program, Question
from benchmarks.words.logic import alternatives
from benchmarks.words.rows import Kind, Row
from benchmarks.words.unseen import Unseen
from benchmarks.words.worlds import BODIES, Place, place_of, scene_file, world_file
from bt.record import Entries
from graftwork import Session
from graftwork.decision import FinalDecision, PlanDecision
from graftwork.errors import UnrecordedRequestError
from graftwork.language.replayed import ReplayedModel
from graftwork.language.scripted import ScriptedModel
from graftwork.record.episode import Outcome
from graftwork.run.run import Run
from semantics.body.protocols import LanguageModel, Message, ModelReply, Robot
from semantics.logic.goal import CheckedGoal, Question as Asked

__all__ = ["Manner", "perform"]

MOST_TICKS = 60_000
MOST_TRIES, MOST_ASKED = 5, 100
"""How often a model is asked about a request; and how often one that says only one thing."""
MOST_OFFERS = 4
YES = "yes"
MOST_HELD = 40
"""How many ticks a run is watched that waits to be told to go on."""
KINDS: Mapping[str, Kind] = {
    Outcome.ALREADY: Kind.ALREADY,
    Outcome.QUESTION: Kind.QUESTION,
    Outcome.REFUSED: Kind.REFUSAL,
    "answered": Kind.ANSWER,
}
"""What words were taken for, by the outcome of a run that has moved nothing."""


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
    hidden = place_of(entry.world, entry.scene).hidden
    try:
        with Session(
            world_file(entry.world),
            scene_file(entry.world, entry.scene),
            robot=BODIES.get(entry.world, "symbolic"),
            model=model,
            memory=None,
            noise=Unseen(hidden) if hidden else None,
            journals=(journal,),
            model_seconds=manner.model_seconds,
            model_tries=1 if manner.said else MOST_TRIES,
            record_model=manner.record,
        ) as session:
            _TRIALS.get(type(entry), _decide)(entry, session, row, journal)
    except Exception as error:  # of the program, which the judge counts
        row.kind, row.error = Kind.NOTHING, f"{type(error).__name__}: {error}"
    row.unrecorded = isinstance(model, _Replaying) and model.lacks
    row.seconds = round(time.perf_counter() - began, 3)
    return row


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


class _Witness:
    """Who looks at the true state of the body's world."""

    def __init__(self, robot: Robot, row: Row) -> None:
        self._robot, self._row = robot, row
        self._last = true_facts(robot)
        row.start = sorted(map(str, self._last))

    def look(self) -> None:
        """Write down what has changed."""
        now = true_facts(self._robot)
        if now != self._last:
            came, went = (sorted(map(str, facts)) for facts in (now - self._last, self._last - now))
            self._row.trace.append([came, went])
            self._last = now


def _decide(entry: Entry, session: Session, row: Row, journal: Entries) -> None:
    """Have a sentence decided; carry out only what has no plan before."""
    witness = _Witness(session.environment.robot, row)
    place = place_of(entry.world, entry.scene)
    run = session.start(entry.sentence)
    run.wait()
    _describe(run, row, place)
    if isinstance(entry, Instruction):
        _consent(run, row, place)
    if row.steps:
        run.leave()
    elif not run.is_over:
        run.finish(tick=witness.look)
    witness.look()
    _conclude(run, row, journal)


def _consent(run: Run, row: Row, place: Place) -> None:
    """Say yes to what is offered, to see whether it can be had; a goal stays what was offered."""
    for _ in range(MOST_OFFERS):
        if row.kind is not Kind.OFFER or run.question is None:
            return
        question, goals = row.question, row.goals
        run.say(YES)
        run.wait()
        row.kind, row.goals, row.question = Kind.NOTHING, [], ""
        _describe(run, row, place)
        if row.kind is Kind.GOAL:
            row.kind, row.question = Kind.OFFER, question
        elif row.kind is Kind.NOTHING and run.episode is not None and run.episode.outcome is Outcome.ALREADY:
            row.kind, row.question, row.goals = Kind.OFFER, question, goals
            return


def _carry_out(entry: Program, session: Session, row: Row, journal: Entries) -> None:
    """Have a request carried out to its end, with a person who answers."""
    witness = _Witness(session.environment.robot, row)
    run = session.start(entry.sentence)
    run.wait()
    _describe(run, row, place_of(entry.world, entry.scene))
    if not run.is_over:
        run.finish(tick=witness.look, answer=_Person(entry.answers, run))
        if row.kind in (Kind.QUESTION, Kind.OFFER) and run.runner is not None:  # its answer made it something to do
            row.kind = Kind.PROGRAM if run.program is not None else Kind.GOAL
    witness.look()
    _conclude(run, row, journal)


def _ask(entry: Question, session: Session, row: Row, journal: Entries) -> None:
    """Carry out what was done before, and ask."""
    for goal in entry.done:
        done = session.handle(goal=goal)
        if done.outcome is not Outcome.ACHIEVED:
            row.error = f"{goal} before the question: {done.message}"
            return
    journal.events.clear()
    _decide(entry, session, row, journal)


def _correct(entry: Correction, session: Session, row: Row, journal: Entries) -> None:
    """Say something while a goal is pursued, after some steps."""
    run = session.start(goal=entry.goal)
    run.wait()
    row.kind = Kind.UNDER_WAY
    while _steps_done(journal) < entry.steps_done and run.tick():
        pass
    if entry.held:
        session.say("wait")
        for _ in range(MOST_HELD):
            run.tick()
    if run.is_over:
        row.error = f"{entry.goal} before the correction: {run.episode and run.episode.message}"
        return
    row.plans = [[str(step) for step in run.plan.steps]] if run.plan else []
    journal.events.clear()
    witness = _Witness(session.environment.robot, row)
    row.used = session.say(entry.sentence)
    row.told.append(run.reply)
    _tick_on(run, session, witness)
    witness.look()
    row.held = run.is_held
    row.question = run.question.text if run.question else ""
    row.plans += [event["steps"] for event in journal.of("plan")]
    if run.is_over:
        _conclude(run, row, journal)
    else:
        run.cancel()
        run.tick()


def _tick_on(run: Run, session: Session, witness: _Witness) -> None:
    """Tick a run until it is over, waits to be told to go on, or asks; a change that is shown gets a yes."""
    held = agreed = 0
    for _ in range(MOST_TICKS):
        if run.question is not None:
            if YES not in run.question.options or agreed == MOST_OFFERS:
                return
            agreed += 1
            session.say(YES)
        held = held + 1 if run.is_held and not run.is_reading else 0
        if not run.tick() or held > MOST_HELD:
            return
        witness.look()


def _steps_done(journal: Entries) -> int:
    return max((event["to"] for event in journal.of("resume")), default=0)


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


def _describe(run: Run, row: Row, place: Place) -> None:
    """Write down what a run was decided to do, if it was."""
    decision = run.decision
    if run.program is not None:
        row.kind, row.program = Kind.PROGRAM, run.program
    elif isinstance(decision, PlanDecision):
        row.kind, row.looks_for = Kind.GOAL, decision.looks_for
        row.goals, row.steps = _goals(decision.goal, place), [str(step) for step in decision.foreseen.steps]
        proposals = (decision.instead, decision.partly)
        row.told += [proposal.question.text for proposal in proposals if proposal is not None]
    elif isinstance(decision, FinalDecision) and decision.question is not None:
        row.kind, row.question = Kind.QUESTION, decision.question.text
        offered = getattr(decision.offer, "goal", None)  # an offer to treat a thing as another one has none
        if isinstance(offered, CheckedGoal):
            row.kind, row.goals = Kind.OFFER, _goals(offered, place)


def _goals(goal: CheckedGoal, place: Place) -> list[list[list[str]]]:
    """Return a goal and those that come later, each as alternatives of literals."""
    later = [alternatives(place.condition(str(each.formula))) for each in goal.goal.later]
    return [[sorted(map(str, way)) for way in ways] for ways in (goal.conjuncts, *later)]


def _conclude(run: Run, row: Row, journal: Entries) -> None:
    """Write down how a run ended, and what was told meanwhile."""
    episode = run.episode
    assert episode is not None
    row.outcome = str(episode.outcome)
    if row.kind is Kind.NOTHING:
        row.kind = KINDS.get(episode.outcome, Kind.NOTHING)
        row.error = episode.message if row.kind is Kind.NOTHING else ""
    spoken = [event["text"] for event in journal.of("note")] + [event["reply"] for event in journal.of("heard")]
    requests = [str(request.get("text", "")) for request in episode.requests]
    row.told = list(dict.fromkeys(filter(None, (*row.told, *spoken, *requests, *episode.notes, episode.message))))
    row.data = episode.answer
    row.calls, row.tokens = episode.model_calls, episode.tokens


_TRIALS: Mapping[type[Entry], Callable[..., None]] = {Program: _carry_out, Question: _ask, Correction: _correct}
"""How entries of a kind are tried; of all others the words are decided."""
