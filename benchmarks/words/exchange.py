"""An exchange of several turns: each is said when its entry says so, and what comes of it is written down.

A turn's row is like that of an entry of its own: the true facts from its words to the next ones, what was told, asked
and planned. Nothing of what is right reaches the session; only whether a question is answered by the next turn is
looked up there, since a person who waits for a yes would say it.
"""

from __future__ import annotations

import time
from itertools import zip_longest

from benchmarks.words.entries import AT_REST, HELD, Dialogue, Turn
from benchmarks.words.interjection import take_in
from benchmarks.words.rows import Kind, Row
from benchmarks.words.watching import Trial, Witness, conclude, count_steps, describe, follow, goal_text, goals_of
from bt.record import Entries
from graftwork.run.run import Run
from semantics.logic.goal import CheckedGoal

__all__ = ["converse"]

REVISED = ("first", "correction")
"""Why there is a plan that words have brought about, and nothing that happened."""


def converse(entry: Dialogue, trial: Trial) -> None:
    """Have an exchange, one turn after the other."""
    talk = _Talk(trial)
    for turn, then in zip_longest(entry.turns, entry.turns[1:]):
        talk.take(turn, then)
    talk.end()
    row = trial.row
    row.kind, row.outcome = Kind.UNDER_WAY, row.turns[-1].outcome
    row.calls, row.tokens = sum(turn.calls for turn in row.turns), sum(turn.tokens for turn in row.turns)


class _Talk:
    """The exchange: the run that is open or was the last one, what it has done, and its plan.

    Args:
        trial: What the trial works with.
    """

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._run: Run | None = None
        self._job = Entries()
        self._plan: list[str] = []

    def take(self, turn: Turn, then: Turn | None) -> None:
        """Say a turn, and let the robot go on until the next one is said."""
        row = Row(turn.id, plans=[self._plan])
        self._trial.row.turns.append(row)
        trial = self._trial._replace(row=row)
        trial.journal.events.clear()
        witness = Witness(trial.session.environment.robot, row)
        began = time.perf_counter()
        try:
            if self._run is not None and not self._run.is_over:
                row.kind, row.was_held, row.aims = Kind.UNDER_WAY, self._run.is_held, [goal_text(self._run)]
                take_in(turn.sentence, self._run, trial)
            else:
                self._begin(turn, trial)
            self._go_on(turn, then, trial, witness)
            self._write(trial)
        except Exception as error:  # of the program, which the judge counts
            row.kind, row.error = Kind.NOTHING, f"{type(error).__name__}: {error}"
        witness.look()
        row.seconds = round(time.perf_counter() - began, 3)

    def end(self) -> None:
        """Stop what is still under way."""
        if self._run is not None and not self._run.is_over:
            self._run.cancel()
            self._run.tick()

    def _begin(self, turn: Turn, trial: Trial) -> None:
        """Say words to a robot that does nothing."""
        began = time.perf_counter()
        self._run = trial.session.converse(turn.sentence)
        self._run.wait()
        trial.row.latency = round(time.perf_counter() - began, 6)
        self._job = Entries()
        describe(self._run, trial.row, trial.place)

    def _go_on(self, turn: Turn, then: Turn | None, trial: Trial, witness: Witness) -> None:
        """Let the run go on until it is over, waits, asks what the person does not answer, or the next turn is due."""
        run, when, known = self._run, None if then is None else then.when, 0
        assert run is not None
        answers = "ask" in turn.expect and when in (None, AT_REST)

        def is_due() -> bool:
            nonlocal known
            self._job.events += trial.journal.events[known:]
            known = len(trial.journal.events)
            if isinstance(when, int):
                return not run.is_reading and run.runner is not None and count_steps(self._job) >= when
            return when == HELD and run.is_held and not run.is_reading

        follow(run, trial.row, witness, until=is_due, agrees=not answers)
        is_due()

    def _write(self, trial: Trial) -> None:
        """Write down what has come of a turn."""
        run, row, journal = self._run, trial.row, trial.journal
        assert run is not None
        row.plans += [event["steps"] for event in journal.of("plan")]
        self._plan = row.plans[-1]
        revised = any(event["why"] in REVISED for event in journal.of("plan"))
        row.changed = row.kind is Kind.UNDER_WAY and (revised or row.aims != [goal_text(run)])
        row.aims, row.held = [goal_text(run)], run.is_held
        row.question = "" if run.is_over or run.question is None else run.question.text
        if row.kind is Kind.UNDER_WAY and isinstance(run.goal, CheckedGoal):
            row.goals = goals_of(run.goal, trial.place)
        if row.question:
            row.kind = Kind.QUESTION
        elif row.kind in (Kind.QUESTION, Kind.OFFER):  # a yes made it something to do
            row.kind = Kind.GOAL
        if run.is_over:
            conclude(run, row, journal)
        else:
            row.told += [event["reply"] for event in journal.of("heard")]
            row.told = list(dict.fromkeys(filter(None, row.told)))
