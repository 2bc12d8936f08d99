"""What the trials have in common: who looks at the truth, and how a run is described and followed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from benchmarks.gallery.truth import true_facts
from benchmarks.words.logic import alternatives
from benchmarks.words.rows import Kind, Row
from benchmarks.words.worlds import Place
from bt.record import Entries
from graftwork import Session
from graftwork.decision import FinalDecision, PlanDecision
from graftwork.record.episode import Outcome
from graftwork.run.run import Run
from semantics.body.protocols import Robot
from semantics.logic.goal import CheckedGoal

__all__ = [
    "MOST_HELD",
    "MOST_OFFERS",
    "MOST_TICKS",
    "YES",
    "Trial",
    "Watcher",
    "Witness",
    "conclude",
    "count_steps",
    "describe",
    "follow",
    "goal_text",
    "goals_of",
    "timed_tick",
]

MOST_TICKS = 60_000
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


class Trial(NamedTuple):
    """What a trial works with.

    Attributes:
        session: A session in the scene of the entry.
        row: What is written down.
        journal: The record of the session.
        place: The scene with all that is true in it.
    """

    session: Session
    row: Row
    journal: Entries
    place: Place


class Watcher(Protocol):
    """Who looks at the world after each tick."""

    def look(self) -> None:
        """Write down what has changed."""


class Witness:
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


def follow(
    run: Run,
    row: Row,
    witness: Watcher,
    *,
    until: Callable[[], bool] = lambda: False,
    agrees: bool = True,
) -> None:
    """Tick a run until it is over, waits to be told to go on, or asks.

    Args:
        run: The run.
        row: What is written down: the longest tick until the words are read.
        witness: Who looks at the world after each tick.
        until: Whether enough was seen; asked before each tick.
        agrees: Whether the person says yes to what is offered or shown.
    """
    held = agreed = 0
    for number in range(MOST_TICKS):
        if run.question is not None:
            if not agrees or YES not in run.question.options or agreed == MOST_OFFERS:
                return
            agreed += 1
            run.say(YES)
        held = held + 1 if run.is_held and not run.is_reading else 0
        if until() or held > MOST_HELD:
            return
        if not (timed_tick(run, row) if run.is_reading or not number else run.tick()):
            return
        witness.look()


def count_steps(journal: Entries) -> int:
    """Return how many steps were done of what is under way: of all its plans, since the first one."""
    done, since, last = 0, None, 0
    for event in journal.events:
        if event["e"] == "plan":
            done, last, since = done + last - (since or 0), 0, None
        elif event["e"] == "resume":
            since = event["to"] if since is None else since
            last = max(last, event["to"])
    return done + last - (since or 0)


def describe(run: Run, row: Row, place: Place) -> None:
    """Write down what a run was decided to do, if it was."""
    decision = run.decision
    if run.program is not None:
        row.kind, row.program = Kind.PROGRAM, run.program
    elif isinstance(decision, PlanDecision):
        row.kind, row.looks_for = Kind.GOAL, decision.looks_for
        row.goals, row.steps = goals_of(decision.goal, place), [str(step) for step in decision.foreseen.steps]
        proposals = (decision.instead, decision.partly)
        row.told += [proposal.question.text for proposal in proposals if proposal is not None]
    elif isinstance(decision, FinalDecision) and decision.question is not None:
        row.kind, row.question = Kind.QUESTION, decision.question.text
        offered = getattr(decision.offer, "goal", None)  # an offer to treat a thing as another one has none
        if isinstance(offered, CheckedGoal):
            row.kind, row.goals = Kind.OFFER, goals_of(offered, place)


def goals_of(goal: CheckedGoal, place: Place) -> list[list[list[str]]]:
    """Return a goal and those that come later, each as alternatives of literals."""
    later = [alternatives(place.condition(str(each.formula))) for each in goal.goal.later]
    return [[sorted(map(str, way)) for way in ways] for ways in (goal.conjuncts, *later)]


def goal_text(run: Run) -> str:
    """Return the goal that a run pursues, in PDDL; empty without one."""
    goal = run.goal.goal if isinstance(run.goal, CheckedGoal) else run.goal
    return "" if goal is None else str(goal.formula)


def timed_tick(run: Run, row: Row, asleep: Callable[[], float] = lambda: 0.0) -> bool:
    """Tick a run, write down the longest tick, and return whether it continues; a run that is held only waits.

    Args:
        run: The run.
        row: What is written down.
        asleep: Returns the seconds that the body's clock has slept so far, which are no part of a tick.
    """
    began, slept, waits = time.perf_counter(), asleep(), run.is_held
    goes_on = run.tick()
    if not waits:
        took = time.perf_counter() - began - (asleep() - slept)
        row.longest_tick = max(row.longest_tick, round(took, 6))
    return goes_on


def conclude(run: Run, row: Row, journal: Entries) -> None:
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
