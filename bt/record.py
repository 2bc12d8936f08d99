"""The record of a run: `record.jsonl`, one JSON object a line, appended and flushed, never rewritten.

A run that was killed leaves a record that can be read up to its last whole line. Every line has ``"v": 1`` (the
version of this contract) and ``"e"`` (the kind of event). Times `t` are seconds of the body's clock, counted from the
clock's start and rounded to milliseconds; lengths are metres, angles radians. Facts, literals, steps and formulas are
PDDL text. Readers ignore kinds and fields they do not know.

| e | fields |
|---|---|
| start | instruction, domain, scene, robot, model, seed, date (ISO 8601), settings, world (a digest), resumes |
| goal | text (the sentence), words (the formula in words), formula, notes: [sentence], dropped |
| plan | steps: [text], costs: [number], cost, optimal, planner, seconds (wall), why: who made it, or how |
| tree | root: node. Sent again whenever the tree has changed |
| tick | n (counts from 1), t; only when changed: status: {id: status}, resume: int or null, facts |
| stated | t, facts: [atom]. Facts that are believed but were never sensed; sent again whenever they change |
| resume | t, from: int or null, to: int or null, why (a sentence); of steps done at once, together: [int], what runs |
| feedback | t, node (path of names), feedback: `Feedback.as_dict()` |
| failure | t, node, feedback, step: text or null, plan: [text]. Where the lower rungs stand, before any is asked |
| rung | t, rung (``again``, ``rule``, …, ``ask``), code (that it answered), solved: bool, seconds (failure to answer) |
| turn | t, rung, said (a sentence), goal: [[literal]], any of which will do, or null, errand: [text] or null |
| asked | t, rung, question, options: [text]. Put to a person while the run waits |
| answered | t, rung, words, or null when no answer came in time |
| request | t, agent (a person), step, text: what they are asked to do (``please: unscrew jar0``) |
| view | t, things: {name: [x0, y0, z0, x1, y1, z1]}, robot: [x, y, yaw], held: [name], doors: {name: opening 0 to 1} |
| picture | t, file: path of a PNG relative to the record's folder |
| program | text. Sent again when it was corrected |
| heard | t, words (of a person, no answer to a question), means: ``stop``, ``wait``, ``go_on`` or null, reply |
| line | t, line (of that text, from 1), text. Where the program is, whenever that has changed |
| note | t, text |
| end | outcome, seconds, summary |

`world` is a digest of the files of the world and the scene. `settings` are by name what a run has to be begun with to
be like this one; `resumes`, of a run that goes on from an earlier one, is what that one knew: ``{"record": folder,
"goal": {formula, text, notes} or null, "sensed": [atom], "stated": [atom], "t"}``.

`dropped` of a goal, if anything was: the `Feedback.as_dict()` of each alternative, and each denial of what can never
hold, that is left out. The formula stays whole, so that a run that resumes this one decides anew what is possible.

The plan of a replan also has `how` (``tail``, ``repair``, ``fresh``), `bound` (what every plan costs at least, or null)
and `reason` (a sentence); the first one `choice` (which planner, and why not another; or null). Where a program plans
for a condition, `why` is ``achieve``. Otherwise it is ``first``, ``recalled``, ``cheaper`` or the rung it comes from.

A `turn` is what an upper rung does instead: another goal, or an errand after which the goal is planned for again.

The `facts` of a tick are ``{"+": [atom], "-": [atom]}``, the changes since the last tick that had them.

A node is ``{"id", "name", "kind", "what", "children": [node]}``. Its `id` is a short string that stays with the node
for the whole run; a node of a new tree gets a new one. `kind` is ``goal``, ``replan``, ``execute``, ``step``,
``condition``, ``act`` or ``effect``, or the lower-case class name of any other behaviour (records of earlier versions
have ``resume`` or ``weave`` in place of ``execute``); `what` is one line of detail (the action, the literals).
A status is ``running``,
``success``, ``failure`` or ``invalid``; of `status`, too, only the changes are given, and a node is ``invalid`` until a
tick says otherwise. The resume point is the index of the step that
is worked on; the number of steps means that the goal is reached, null that no step leads to it. Each `view` is
complete: it lists everything in view, when that has changed, at most ten times a second; `robot` is missing while its
pose is unknown.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self, TextIO

from bt.errors import RecordError, RecordWriteError
from semantics.state import Plan

__all__ = ["WALL_CLOCK", "Entries", "Journal", "Journals", "Recorder", "plan_fields", "read_record"]

VERSION = 1
FILE_NAME = "record.jsonl"


WALL_CLOCK: Mapping[str, tuple[str, ...]] = {"start": ("date",), "plan": ("seconds",), "end": ("seconds",)}
"""By kind of event, the fields that are of the wall clock: all in which two runs of one seed differ, on the simulated
clock of a body of their own and with records of the same name."""


class Journal(Protocol):
    """The interface for events of nodes and of the runner."""

    def write(self, event: str, fields: Mapping[str, object]) -> None:
        """Add an event of a kind listed above."""
        ...


@dataclass(eq=False, slots=True)
class Entries:
    """A journal kept in memory.

    Attributes:
        events: The events, each as ``{"e": kind, …}``.
    """

    events: list[dict[str, Any]] = field(default_factory=list)

    def write(self, event: str, fields: Mapping[str, object]) -> None:
        """Keep an event."""
        self.events.append({"e": event, **fields})

    def of(self, event: str) -> list[dict[str, Any]]:
        """Return the events of one kind, oldest first."""
        return [entry for entry in self.events if entry["e"] == event]


@dataclass(frozen=True, slots=True)
class Journals:
    """Writes every event to several journals.

    Attributes:
        journals: The journals that get every event.
    """

    journals: Sequence[Journal] = ()

    def write(self, event: str, fields: Mapping[str, object]) -> None:
        """Pass an event on."""
        for journal in self.journals:
            journal.write(event, fields)


def plan_fields(plan: Plan, why: str) -> dict[str, object]:
    """Return the fields of a ``plan`` event of the record."""
    return {
        "steps": [str(step) for step in plan.steps],
        "costs": [step.cost for step in plan.steps],
        "cost": plan.cost,
        "optimal": plan.optimal,
        "planner": plan.planner,
        "seconds": round(plan.seconds, 3),
        "why": why,
    }


class Recorder:
    """Writes the record of a run into a separate folder.

    Args:
        directory: A folder that is empty or does not exist yet.

    Raises:
        RecordError: The path is no folder, is not empty, or cannot be created.
    """

    def __init__(self, directory: str | Path) -> None:
        self.directory = Path(directory)
        self.path = self.directory / FILE_NAME
        self._pictures = 0
        self._file = self._open()

    def _open(self) -> TextIO:
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            if any(self.directory.iterdir()):
                raise RecordError(f"'{self.directory}' is not empty; a record is never written over anything")
            return self.path.open("x", encoding="utf-8", newline="\n")
        except OSError as exc:
            raise RecordError(f"cannot make a record in '{self.directory}': {exc.strerror or exc}") from exc

    def write(self, event: str, fields: Mapping[str, object]) -> None:
        """Append one event and flush it; after `close`, do nothing.

        Raises:
            RecordWriteError: The disk does not take it.
            TypeError: A field is not plain data.
            ValueError: A number is not finite.
        """
        if self._file.closed:
            return
        line = json.dumps(
            {"v": VERSION, "e": event, **fields}, ensure_ascii=False, allow_nan=False, separators=(",", ":")
        )
        try:
            self._file.write(line + "\n")
            self._file.flush()
        except OSError as exc:
            raise RecordWriteError(f"cannot write '{self.path}': {exc.strerror or exc}") from exc

    def picture(self, png: bytes, time: float) -> Path:
        """Store a picture, and note it in the record; return its path.

        Raises:
            RecordWriteError: The disk does not take it.
        """
        self._pictures += 1
        path = self.directory / "pictures" / f"{self._pictures:04}.png"
        try:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(png)
        except OSError as exc:
            raise RecordWriteError(f"cannot write '{path}': {exc.strerror or exc}") from exc
        self.write("picture", {"t": round(time, 3), "file": path.relative_to(self.directory).as_posix()})
        return path

    def close(self) -> None:
        """End the record; safe to call twice."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_record(path: str | Path) -> list[dict[str, Any]]:
    """Read the events of a record, given its file or folder; the record may be cut off.

    Raises:
        RecordError: There is none, or a line that is not the last cannot be read.
    """
    file = Path(path)
    file = file / FILE_NAME if file.is_dir() else file
    try:
        lines = file.read_bytes().split(b"\n")
    except OSError as exc:
        raise RecordError(f"cannot read the record '{file}': {exc.strerror or exc}") from exc
    last = max((number for number, line in enumerate(lines) if line.strip()), default=-1)
    events = (_event(file, number, line, number == last) for number, line in enumerate(lines) if line.strip())
    return [event for event in events if event is not None]


def _event(file: Path, number: int, line: bytes, last: bool) -> dict[str, Any] | None:
    """Read a line; return None for an incomplete last line."""
    try:
        event = json.loads(line.decode("utf-8"))
    except ValueError as exc:
        if last:
            return None
        raise RecordError(f"{file}:{number + 1}: not a line of a record") from exc
    if not isinstance(event, dict) or event.get("v") != VERSION or "e" not in event:
        raise RecordError(f"{file}:{number + 1}: not an event of a version {VERSION} record")
    return event
