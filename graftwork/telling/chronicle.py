"""`Chronicle`: who is told of what happens in a run: the record on disk, the terminal, anybody else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from affordances.watcher import Contradiction, Watcher
from bt import Ended, Journal, Journals, Listener, Recorder, Runner, Watch, plan_fields
from bt.errors import RecordError
from bt.report import write_report
from graftwork.deciding.decider import Ready, Settled
from graftwork.episode import Episode
from graftwork.pricing.pricing import Pricing
from graftwork.pricing.telling import InUnits
from graftwork.staging.opening import Stage
from graftwork.stopwatch import Stopwatch
from semantics.atoms import Atom
from semantics.goal import CheckedGoal, Goal
from semantics.protocols import Robot
from semantics.wording import in_words

__all__ = ["Chronicle"]

PICTURE_SIZE = (320, 240)
PICTURE_PERIOD = 2.0
"""Seconds of the body's clock between two pictures; they are what costs most."""


class Chronicle:
    """Writes down one run after another; the first one is recorded on disk.

    Args:
        directory: A new folder for the record and the report, or None.
        journals: Who else is told of every event.

    Attributes:
        pricing: The units in which costs are told; None for the planner's.
        about: More fields of the first event: what it takes to go on from the record.

    Raises:
        RecordError: The folder holds something, or cannot be made.
    """

    def __init__(self, directory: Path | str | None, journals: Sequence[Journal] = ()) -> None:
        directory = None if directory is None else Path(directory)
        self._directory = directory
        self._recorder: Recorder | None = None
        if directory is not None and directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
            raise RecordError(f"'{directory}' is not an empty folder; a record is never written over anything")
        self._others = tuple(journals)
        self._told: Journal | None = None
        self.pricing: Pricing | None = None
        self.about: Mapping[str, Any] = {}

    def begin(self, identity: Mapping[str, Any], resumes: Mapping[str, Any] | None = None) -> None:
        """Say what was asked of whom, and which run this goes on from; the first time, make the record."""
        if self._directory is not None:
            self._recorder, self._directory = Recorder(self._directory), None
        recorders = () if self._recorder is None else (self._recorder,)
        self._told = InUnits(Journals(*recorders, *self._others), self.pricing)
        date = datetime.now(UTC).isoformat(timespec="seconds")
        more = {} if resumes is None else {"resumes": resumes}
        self._told.write("start", {**identity, "date": date, **self.about, **more})

    def decided(self, decided: Ready | Settled, stage: Stage, choice: Mapping[str, Any] | None = None) -> None:
        """Say what was understood, and what is to be done or why nothing is; `choice` says why this planner."""
        assert self._told is not None
        if decided.goal is not None:
            self._told.write("goal", _goal_fields(decided.goal, stage))
        if isinstance(decided, Ready) and decided.looks_for:
            self.note(stage.robot, f"there is no plan before {decided.looks_for} is found")
            return
        if isinstance(decided, Ready):
            fields = plan_fields(decided.plan, "recalled" if decided.recalled else "first")
            self._told.write("plan", fields | {"choice": choice})
            self._note_beliefs(decided, stage)
            return
        for record in decided.feedback:
            fields = {"t": round(stage.robot.clock.now(), 3), "node": "deciding", "feedback": record.as_dict()}
            self._told.write("feedback", fields)

    def pursued(self, goal: CheckedGoal, stage: Stage) -> None:
        """Say what is gone for from here on."""
        if self._told is not None:
            self._told.write("goal", _goal_fields(goal, stage))

    def _note_beliefs(self, ready: Ready, stage: Stage) -> None:
        """Say which stated beliefs the plan stands on, since nobody has sensed them."""
        needed = {literal.atom for step in ready.plan.steps for literal in step.precondition if literal.positive}
        beliefs = stage.watcher.scene.beliefs
        for atom in sorted(needed & beliefs.keys()):
            if beliefs[atom].seen is None:
                self.note(stage.robot, f"{atom} is believed ({beliefs[atom].source}); nobody has sensed it yet")

    def note(self, robot: Robot, text: str) -> None:
        """Say something of the run under way, in a sentence."""
        assert self._told is not None
        self._told.write("note", {"t": round(robot.clock.now(), 3), "text": text})

    def journal(self, *more: Journal) -> Journal:
        """Return who is told of what the tree decides."""
        return Journals(*more, *([self._told] if self._told else []))

    def listeners(self, stage: Stage) -> tuple[Listener, ...]:
        """Return those who look at the tree after each tick."""
        if self._told is None or not (self._recorder or self._others):
            return ()
        camera = getattr(stage.robot, "picture", None) if self._recorder else None
        keep = self._recorder.picture if self._recorder else None
        take: Callable[[], bytes | None] | None = (lambda: camera(*PICTURE_SIZE)) if camera else None
        watch = Watch(self._told, keep_picture=keep, camera=take, camera_period=PICTURE_PERIOD)
        return Stated(stage, self._told), watch, Denials(stage.watcher, lambda text: self.note(stage.robot, text))

    def end(self, episode: Episode, watch: Stopwatch) -> Episode:
        """Close the record, write the report, and return the episode with its seconds and the report's place."""
        report = None
        if self._told is not None:
            seconds = watch.seconds()["total"]
            fields = {"outcome": str(episode.outcome), "seconds": seconds, "summary": episode.message}
            self._told.write("end", fields)
            self._told = None
        if self._recorder is not None:
            self._recorder.close()
            with watch.stage("report"):
                report = str(write_report(self._recorder.directory))
            self._recorder = None
        return replace(episode, seconds=watch.seconds(), report=report)

    def close(self) -> None:
        """Close the record as it is."""
        if self._recorder is not None:
            self._recorder.close()


class Denials:
    """Notes each stated belief that a sensing denies, as it happens.

    Args:
        watcher: Who keeps the beliefs.
        note: Takes a sentence.
    """

    def __init__(self, watcher: Watcher, note: Callable[[str], None]) -> None:
        self._watcher = watcher
        self._note = note
        self._told = len(watcher.contradictions)

    def ticked(self, runner: Runner) -> None:
        """Note what is new."""
        self._tell(self._watcher.contradictions[self._told :])

    def _tell(self, denied: Iterable[Contradiction]) -> None:
        for contradiction in denied:
            self._told += 1
            instead = " ".join(map(str, contradiction.sensed)) or "nothing of it was seen there"
            self._note(f"{contradiction.belief.atom} was believed ({contradiction.belief.source}), but {instead}")

    def ended(self, runner: Runner, end: Ended) -> None:
        """Nothing is left to note."""


class Stated:
    """Writes down what is believed though nobody has sensed it, whenever that has changed.

    Args:
        stage: Whose beliefs.
        journal: Who is told.
    """

    def __init__(self, stage: Stage, journal: Journal) -> None:
        self._stage = stage
        self._journal = journal
        self._number = -1
        self._facts: list[Atom] = []

    def ticked(self, runner: Runner) -> None:
        """Look once for each sensing."""
        scene = self._stage.watcher.scene
        if scene.number == self._number:
            return
        self._number = scene.number
        facts = sorted(atom for atom, belief in scene.beliefs.items() if belief.seen is None)
        if facts != self._facts:
            self._facts = facts
            self._journal.write("stated", {"t": round(runner.robot.clock.now(), 3), "facts": list(map(str, facts))})

    def ended(self, runner: Runner, end: Ended) -> None:
        """Nothing is left to write."""


def _goal_fields(goal: CheckedGoal | Goal, stage: Stage) -> dict[str, Any]:
    said = goal.goal if isinstance(goal, CheckedGoal) else goal
    predicates = {name: model.predicate for name, model in stage.domain.predicates.items()}
    words = in_words(said.formula, predicates)
    return {"text": said.text, "words": words, "formula": str(said), "notes": list(said.notes)}
