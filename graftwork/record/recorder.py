"""`RunRecord`: passes the events of a run to the record on disk, the terminal, and other journals.

A disk that does not take the first event ends the run before anything moves. A disk that fails later does not: the run
goes on without its record, and its episode says so.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from affordances.confidence import SAID_SECONDS, time_ago
from affordances.newcomers import GUESSES, PERSON
from affordances.scene import lasting_predicates
from affordances.substitutes import article
from affordances.watcher import Watcher
from bt import Runner
from bt.errors import RecordError, RecordWriteError
from bt.listeners import Watch
from bt.record import Journal, Recorder, plan_fields
from bt.report import write_report
from bt.runner import Listener
from domains.model import Domain
from domains.world import World
from graftwork.record.disturbances import Disturbances
from graftwork.record.episode import Episode, Outcome, Stopwatch
from graftwork.record.log import LOGGER
from semantics.body.protocols import PictureSource, Robot
from semantics.errors import OutsideError
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, values_document
from semantics.logic.quantity import Quantity
from semantics.logic.sentences import in_words, number_in_words
from semantics.logic.state import Plan
from semantics.plain_text import shortened, together

Units = Callable[[float], float]


PICTURE_SIZE = (320, 240)
PICTURE_PERIOD = 2.0  # seconds of the body's clock between two pictures, which are the most expensive part of a record
MOST_NOTES = 64  # how many notes about detections a record holds


class Records:
    """Creates the records of successive runs; those for which there is a folder are stored on disk.

    Args:
        directory: A new folder for the record and the report of the first run, or None; or a queue, to which the caller
            adds the folder of each.
        journals: Further journals, which get every event.

    Raises:
        RecordError: The folder is not empty, or cannot be created.
    """

    def __init__(self, directory: Path | str | deque[Path] | None, journals: Sequence[Journal] = ()) -> None:
        if not isinstance(directory, deque):
            directory = deque([] if directory is None else [Path(directory)])
        for each in directory:
            if not _is_free(each):
                raise RecordError(f"'{each}' is not an empty folder; a record is never written over anything")
        self._directories = directory
        self._recorder: Recorder | None = None
        self._journals = tuple(journals)

    def begin(self, watcher: Watcher, robot: Robot, fields: Mapping[str, Any], units: Units | None = None) -> RunRecord:
        """Return the record of a run, and write its first event; the first call creates the folder.

        Args:
            watcher: The believed state.
            robot: The body.
            fields: Fields of the first event: the request, and everything that resuming the run needs.
            units: Converts a planner's cost to the displayed unit; None for no conversion.

        Raises:
            RecordError: The folder cannot be created.
            RecordWriteError: The disk does not take the first event.
        """
        recorder = None
        if self._directories:
            recorder = self._recorder = Recorder(self._directories.popleft())
        journals = self._journals if recorder is None else (recorder, *self._journals)
        record = RunRecord(watcher, robot, journals, recorder, units)
        first = {**fields, "date": datetime.now(UTC).isoformat(timespec="seconds")}
        try:
            for journal in journals:
                journal.write("start", first)
        except RecordWriteError:  # nothing has moved: the run does not begin without its record
            if recorder is not None:
                recorder.withdraw()
            raise
        record.write("vocabulary", watcher.world.domain.sayings)
        return record

    def close(self) -> None:
        """Close the record; if its run has not ended, it ends here."""
        if self._recorder is not None:
            message = "Stopped: the session was closed before the run had ended."
            with suppress(RecordWriteError):
                self._recorder.write("end", {"outcome": str(Outcome.STOPPED), "seconds": 0.0, "summary": message})
            self._recorder.close()


@dataclass(eq=False)
class RunRecord(Listener):
    """The record of one run: every event goes to all journals, such as the disk and the terminal.

    It listens to the run, and writes a ``revision`` event with each change of the world.
    """

    watcher: Watcher  # the believed state, and the world
    robot: Robot  # the body
    journals: Sequence[Journal]  # the journals that get the events; empty after the record is closed
    recorder: Recorder | None  # the journal that stores the record on disk, or None
    units: Units | None  # converts a planner's cost to the displayed unit; None for no conversion
    lost: list[str] = field(init=False, default_factory=list)  # what could not be written, and why, one sentence each
    _told: World | None = field(init=False, default=None)
    _keeps_pictures: bool = field(init=False, default=True)

    def write(self, event: str, fields: Mapping[str, object]) -> None:
        """Write an event unless the record is closed; convert the costs of plans to the displayed unit."""
        converted = _in_units(fields, self.units) if self.units is not None and event == "plan" else fields
        for journal in self.journals:
            try:
                journal.write(event, converted)
            except RecordWriteError as error:  # the robot does not stop because a disk is full
                self.journals = tuple(other for other in self.journals if other is not journal)
                self._lose(f"{error}; the run goes on without its record, which ends there")

    def _lose(self, why: str) -> None:
        """Tell the other journals what is not recorded any more."""
        self.lost.append(why)
        LOGGER.warning("%s", why)
        with suppress(OutsideError):  # a body that is gone has no clock
            self.note(why)

    def picture(self, png: bytes, time: float) -> None:
        """Store a picture, until one cannot be stored."""
        if self.recorder not in self.journals or self.recorder is None or not self._keeps_pictures:
            return
        try:
            self.recorder.picture(png, time)
        except RecordWriteError as error:
            self._keeps_pictures = False
            self._lose(f"{error}; no more pictures are kept")

    def goal(self, goal: CheckedGoal | Goal, dropped: Iterable[Feedback] = ()) -> None:
        """Write the goal that is pursued from now on, with the reasons for what was `dropped` from it.

        The formula stays whole, so that a run that resumes this one decides anew what is possible.
        """
        unchecked = goal.goal if isinstance(goal, CheckedGoal) else goal
        predicates = {name: model.predicate for name, model in self.watcher.world.domain.predicates.items()}
        words = ", then ".join(in_words(stage.formula, predicates) + stage.manner for stage in unchecked.stages)
        reasons = [reason.as_dict() for reason in dropped]
        later = [
            {"text": stage.text, "formula": str(stage.formula)} | values_document(stage.values)
            for stage in unchecked.later
        ]
        self.write(
            "goal",
            {"text": unchecked.text, "words": words, "formula": str(unchecked.formula), "notes": list(unchecked.notes)}
            | values_document(unchecked.values)
            | ({"later": later} if later else {})
            | every_document(unchecked)
            | ({"dropped": reasons} if reasons else {}),
        )

    def plan(self, plan: Plan, why: str, choice: Mapping[str, Any] | None) -> None:
        """Write a plan, the reason for it, and the reason for its planner.

        Add a note for each stated belief that the plan depends on, because no sensor has confirmed it, and for each
        place of a thing that was sensed a while ago.
        """
        self.write("plan", plan_fields(plan, why) | {"choice": choice})
        needed = {literal.atom for step in plan.steps for literal in step.precondition if literal.positive}
        scene, domain = self.watcher.scene, self.watcher.world.domain
        beliefs, lasting = scene.beliefs, lasting_predicates(domain)
        for atom in sorted(needed & beliefs.keys()):
            seen = beliefs[atom].seen
            if seen is not None and scene.time - seen >= SAID_SECONDS and atom.predicate in domain.conventions.placing:
                self.note(f"{atom} was last sensed {time_ago(scene.time - seen)}")
            if seen is None and atom.predicate not in lasting:  # nobody can sense a lasting fact
                self.note(f"{atom} is believed ({beliefs[atom].source}); nobody has sensed it yet")

    def ticked(self, runner: Runner) -> None:
        """Write what has changed of the world with this tick."""
        self.revision()

    def revision(self) -> None:
        """Write what has changed of the world since that was written; at first, everything that no file lists."""
        world, before = self.watcher.world, self._told
        if world is before:
            return
        self._told = world
        old = (
            {} if before is None else {name: (before.objects[name], origin) for name, origin in before.origins.items()}
        )
        new = {name: (world.objects[name], origin) for name, origin in world.origins.items()}
        changed = [name for name in new if old.get(name) != new[name]]
        gone = sorted(old.keys() - new.keys())
        classes = sorted(set(world.domain.classes).difference((world if before is None else before).domain.classes))
        came = "is in view" if before is None else "came into view"
        told = [f"{name} {'is known otherwise' if name in old else came} ({_kind(name, world)})" for name in changed]
        told += [f"{name} was forgotten" for name in gone] + [f"a class {name} is known now" for name in classes]
        if told:
            things = [known.as_dict() for known in self.watcher.known_things(changed)]
            fields = {"things": things, "forgotten": gone, "classes": classes, "text": "; ".join(told)}
            now = round(self.robot.clock.now(), 3)
            self.write("revision", {"t": now, "revision": world.revision, **fields})

    def refusal(self, feedback: Iterable[Feedback]) -> None:
        """Write why nothing is done."""
        for record in feedback:
            now = round(self.robot.clock.now(), 3)
            self.write("feedback", {"t": now, "node": "deciding", "feedback": record.as_dict()})

    def note(self, text: str) -> None:
        """Write a sentence about the run."""
        self.write("note", {"t": round(self.robot.clock.now(), 3), "text": text})

    def listeners(self) -> tuple[Listener, ...]:
        """Return the listeners that observe the tree after each tick."""
        if not self.journals:
            return ()
        keep = self.picture if self.recorder else None
        robot = self.robot if keep else None
        camera = partial(robot.picture, *PICTURE_SIZE) if isinstance(robot, PictureSource) else None
        watch = Watch(self, keep_picture=keep, camera=camera, camera_period=PICTURE_PERIOD)
        disturbances = Disturbances(self.watcher, self, watch.picture_now)
        return (
            self,
            Stated(self.watcher, self),
            Measured(self.watcher, self, self.watcher.scene.numbers),
            disturbances,
            watch,
            Denials(self.watcher, self.note, len(self.watcher.contradictions)),
        )

    def end(self, episode: Episode, watch: Stopwatch) -> Episode:
        """Close the record, write the report, and return the episode with its seconds and the report's path.

        What could not be written becomes feedback of the episode, and does not change its outcome.
        """
        report = None
        fields: dict[str, Any] = {"outcome": str(episode.outcome), "seconds": watch.seconds()["total"]}
        fields["summary"] = episode.message
        if episode.model_calls:
            use = {"calls": episode.model_calls, "tokens": episode.tokens, "money": episode.money}
            fields["model"] = use
        self.write("end", fields)
        self.journals = ()
        if self.recorder is not None:
            self.recorder.close()
            with watch.stage("report"):
                try:
                    report = str(write_report(self.recorder.directory))
                except RecordError as error:
                    self.lost.append(str(error))
        lost = (Feedback(Code.UNAVAILABLE, "record", why, recoverable=False) for why in self.lost)
        return replace(episode, seconds=watch.seconds(), report=report, feedback=(*episode.feedback, *lost))


@dataclass(eq=False)
class Denials(Listener):
    """Notes each stated belief that a sensing contradicts, and what is wrong with detections."""

    watcher: Watcher  # holds the beliefs
    note: Callable[[str], None]  # writes a sentence
    reported: int  # number of contradictions already reported; those from before the run are not noted
    noted: set[str] = field(init=False, default_factory=set)  # what was wrong with detections and is already reported

    def ticked(self, runner: Runner) -> None:
        """Note the new contradictions, and what is newly wrong with detections."""
        for note in self.watcher.notes[: MOST_NOTES - len(self.noted)]:
            if note not in self.noted:
                self.noted.add(note)
                self.note(note)
        for contradiction in self.watcher.contradictions[self.reported :]:
            self.reported += 1
            instead = " ".join(map(str, contradiction.sensed)) or "nothing of it was seen there"
            self.note(f"{contradiction.belief.atom} was believed ({contradiction.belief.source}), but {instead}")


@dataclass(eq=False)
class Stated(Listener):
    """Writes the beliefs that no sensor has confirmed, whenever they change."""

    watcher: Watcher  # holds the beliefs
    journal: Journal  # gets the events
    _number: int = field(init=False, default=-1)
    _facts: list[Atom] = field(init=False, default_factory=list)

    def ticked(self, runner: Runner) -> None:
        """Check the beliefs once after each sensing."""
        scene = self.watcher.scene
        if scene.number == self._number:
            return
        self._number = scene.number
        facts = sorted(atom for atom, belief in scene.beliefs.items() if belief.seen is None)
        if facts != self._facts:
            self._facts = facts
            self.journal.write("stated", {"t": round(runner.robot.clock.now(), 3), "facts": list(map(str, facts))})


@dataclass(eq=False)
class Measured(Listener):
    """Writes the numbers of the world that have changed, after each sensing."""

    watcher: Watcher  # holds the beliefs
    journal: Journal  # gets the events
    before: Mapping[Atom, float]  # the numbers from which on changes are told

    def ticked(self, runner: Runner) -> None:
        """Compare the numbers with those before."""
        before, now = self.before, self.watcher.scene.numbers
        if now is before:
            return
        self.before = now
        changed = sorted(atom for atom, number in now.items() if before.get(atom) != number)
        if changed:
            self.journal.write(
                "numbers",
                {
                    "t": round(runner.robot.clock.now(), 3),
                    "numbers": {str(atom): now[atom] for atom in changed},
                    "before": {str(atom): before.get(atom) for atom in changed},
                    "text": together(number_told(self.watcher.world.domain, atom, now[atom]) for atom in changed),
                },
            )


def _kind(name: str, world: World) -> str:
    """Return what a thing is, and who says so."""
    kind, origin = article(world.objects[name].class_name), world.origins[name]
    if origin.source in GUESSES:
        return f"{GUESSES[origin.source]}: {kind}, {origin.probability:.2f}"
    if origin.source == PERSON:
        return f"{kind}, says a person"
    return kind if origin.source else "nobody knows what it is"


def number_told(domain: Domain, atom: Atom, number: float) -> str:
    """Return in words the value of a number of a world."""
    model = domain.fluents.get(atom.predicate)
    return number_in_words(atom, Quantity(number, model.unit if model else ""), model.description if model else "")


COSTS = ("cost", "bound")


def every_document(goal: Goal) -> dict[str, Any]:
    """Return the field ``every`` of a goal, the words that mean all of a sort in each stage; nothing without such."""
    stages = [[asdict(each) for each in stage.every] for stage in goal.stages]
    return {"every": stages} if any(stages) else {}


def _is_free(folder: Path) -> bool:
    """Return whether a record can be made in a folder: there is none of that name, or it is empty.

    Raises:
        RecordError: The name is no possible one, or the folder cannot be read.
    """
    try:
        return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))
    except OSError as error:
        why = error.strerror or error
        raise RecordError(f"cannot make a record in '{shortened(str(folder))}': {why}") from error


def _in_units(fields: Mapping[str, Any], units: Units) -> dict[str, object]:
    converted = dict(fields)
    for name in COSTS:
        if converted.get(name) is not None:
            converted[name] = units(converted[name])
    return converted | {"costs": [units(cost) for cost in converted["costs"]]}
