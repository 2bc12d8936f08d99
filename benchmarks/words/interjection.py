"""A line that is said to a robot while it moves: what it takes back has an effect at once, and nothing else stops it.

What comes of the line is watched for a second of the body's clock. How long the call that takes it in lasts, and the
longest tick meanwhile, are of the wall clock: a robot that moves has a tick to keep every `PERIOD`.
"""

from __future__ import annotations

import gc
import time

from benchmarks.words.entries import Moving
from benchmarks.words.live import LiveClock
from benchmarks.words.rows import Kind
from benchmarks.words.watching import MOST_HELD, Trial, Witness, count_steps, goal_text, timed_tick
from graftwork.run.run import Run

__all__ = ["ANSWERED", "PERIOD", "WITHIN", "begin_goal", "interject", "take_in"]

WITHIN = 1.0
"""Seconds of the body's clock in which an effect has to come."""
ANSWERED = 0.1
"""Seconds of the wall clock in which an answer has to come."""
PERIOD = 0.05
"""Seconds between two ticks of a run."""


def begin_goal(goal: str, steps: int, trial: Trial) -> Run:
    """Begin to pursue a goal, and do some steps of its plan."""
    session, row, journal, _ = trial
    run = session.start(goal=goal)
    run.wait()
    row.kind = Kind.UNDER_WAY
    while count_steps(journal) < steps and run.tick():
        pass
    row.plans = [[str(step) for step in run.plan.steps]] if run.plan else []
    return run


def interject(entry: Moving, trial: Trial) -> None:
    """Say a line while a goal is pursued, and watch what comes of it."""
    session, row, journal, _ = trial
    gc.freeze()  # as the commands of the program do once a world is loaded
    run = begin_goal(entry.goal, entry.steps_done, trial)
    if not run.is_over:
        run.tick()  # it moves
    if run.is_over:
        row.error = f"{entry.goal} before the line: {run.episode and run.episode.message}"
        return
    journal.events.clear()
    witness = Witness(session.environment.robot, row)
    aim, clock = goal_text(run), session.environment.robot.clock
    assert isinstance(clock, LiveClock)
    clock.slow_down()
    take_in(entry.sentence, run, trial)
    said = clock.now()
    held = 0  # how many ticks it has waited
    while held <= MOST_HELD:
        _write_effects(run, trial, aim, clock.now() - said)
        if clock.now() - said > WITHIN and not run.is_reading:
            break
        held += run.is_held and not run.is_reading
        if not timed_tick(run, trial.row, lambda: clock.asleep):
            break
        witness.look()
    _write_effects(run, trial, aim, clock.now() - said)
    row.told += [event["reply"] for event in journal.of("heard")]
    row.told = list(dict.fromkeys(filter(None, row.told)))
    row.aims, row.held = [goal_text(run)], run.is_held
    row.question = run.question.text if run.question else ""
    row.plans += [event["steps"] for event in journal.of("plan")]
    if run.episode is not None:
        row.outcome = str(run.episode.outcome)
    else:
        run.cancel()
        run.tick()


def take_in(words: str, run: Run, trial: Trial) -> None:
    """Say words to a run that is open, and write down how long that takes."""
    began = time.perf_counter()
    trial.row.used = trial.session.say(words)
    trial.row.latency = round(time.perf_counter() - began, 6)
    trial.row.told.append(run.reply)


def _write_effects(run: Run, trial: Trial, aim: str, seconds: float) -> None:
    """Write down each effect when it is first seen."""
    stopped = run.episode is not None and run.episode.outcome == "stopped"
    seen = {
        "held": run.is_held,
        "stopped": stopped,
        "over": run.is_over and not stopped,
        "asks": run.question is not None,
        "other goal": goal_text(run) not in ("", aim),
        "other plan": any(event["why"] != "cheaper" for event in trial.journal.of("plan")),
    }
    for name, is_so in seen.items():
        if is_so:
            trial.row.effects.setdefault(name, round(seconds, 3))
