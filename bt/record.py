"""The record of a run: `record.jsonl`, one JSON object a line, appended at once, never rewritten.

A run that was killed leaves a record that can be read up to its last whole line, and so does a disk that is full. After
a power failure the record is whole up to `SYNC_SECONDS` before it: a thread of its own brings it to the disk.

The last field of a line, ``"crc"``, is a checksum of the line without it and of all lines before: the CRC-32 of their
bytes, in eight hexadecimal digits. A line that was changed, left out, added or moved is named by `read_record`. Records
of earlier versions have no checksums.

Every line has ``"v": 1`` (the version of this contract) and ``"e"`` (the kind of event). Times `t` are seconds of the
body's clock, counted from the clock's start and rounded to milliseconds; lengths are metres, angles radians. Facts,
literals, steps and formulas are PDDL text. Readers ignore kinds and fields they do not know.

| e | fields |
|---|---|
| start | instruction, formula, domain, scene, robot, model, seed, date (ISO 8601), settings, world, resumes |
| goal | text (the sentence), words (the formula in words), formula, notes: [sentence], dropped |
| vocabulary | facts: {predicate: a sentence with ``{0}``, ``{1}`` for its arguments}, actions: the same of actions |
| plan | steps: [text], costs: [number], cost, optimal, planner, seconds (wall), why: who made it, or how |
| tree | root: node. Sent again whenever the tree has changed |
| tick | n (counts from 1), t; only when changed: status: {id: status}, resume: int or null, facts |
| stated | t, facts: [atom]. Facts that are believed but were never sensed; sent again whenever they change |
| resume | t, from: int or null, to: int or null, why (a sentence); of steps done at once, together: [int], what runs |
| feedback | t, node (path of names), feedback: `Feedback.as_dict()` |
| failure | t, node, feedback, step: text or null, plan: [text]. Where the lower rungs stand, before any is asked |
| rung | t, rung (``again``, ``rule``, …, ``ask``), code (that it answered), solved: bool, seconds (failure to answer) |
| disturbed | t, facts, text (a sentence). What has changed and no step explains; `t` is when it was first noticed |
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

`instruction` is the title of the tree, where a caller has recorded a tree of its own; such a record has a goal and a
plan for each subtree that has begun. `formula` is that of a goal that was given as such. `world` is a digest of the
files of the world and the scene. `settings` are by name what a run has to be begun with to be like this one; `resumes`,
of a run that goes on from an earlier one, is what that one knew: ``{"record": folder, "goal": {formula, text, notes} or
null, "sensed": [atom], "stated": [atom], "t"}``.

`dropped` of a goal, if anything was: the `Feedback.as_dict()` of each alternative, and each denial of what can never
hold, that is left out. The formula stays whole, so that a run that resumes this one decides anew what is possible.

The plan of a replan also has `how` (``tail``, ``repair``, ``fresh``), `bound` (what every plan costs at least, or null)
and `reason` (a sentence); the first one `choice` (which planner, and why not another; or null). Where a program plans
for a condition, `why` is ``achieve``. Otherwise it is ``first``, ``recalled``, ``cheaper`` or the rung it comes from.

A `turn` is what an upper rung does instead: another goal, or an errand after which the goal is planned for again.

The `facts` of a tick are ``{"+": [atom], "-": [atom]}``, the changes since the last tick that had them; those of
`disturbed` are what is so now and what was so before.

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
import os
import weakref
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self

from bt.errors import RecordError, RecordWriteError
from bt.sync import Sync
from semantics.reading import read_bounded
from semantics.state import Plan
from semantics.writing import OWNER_FOLDER, append_whole, owners_only

__all__ = [
    "WALL_CLOCK",
    "Entries",
    "Journal",
    "Journals",
    "RecordLine",
    "Recorder",
    "lines_of",
    "plan_fields",
    "read_record",
]

VERSION = 1
FILE_NAME = "record.jsonl"
MOST_BYTES = 500_000_000
"""The largest record that is read."""
SUM = b',"crc":"%08x"}'
"""The end of a line, in place of its last brace."""
SUM_LENGTH = len(SUM % 0)

WALL_CLOCK: Mapping[str, tuple[str, ...]] = {"start": ("date",), "plan": ("seconds",), "end": ("seconds",)}
"""By kind of event, the fields that are of the wall clock: all in which two runs of one seed differ, on the simulated
clock of a body of their own and with records of the same name. The checksums follow from them."""


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

    A line is in the file when `write` returns, so that it outlives this process. What cannot be written whole is taken
    back, and nothing is written any more: a record with a gap would tell of facts that never were.

    Args:
        directory: A folder that is empty or does not exist yet.

    Raises:
        RecordError: The path is no folder, is not empty, or cannot be created.
    """

    def __init__(self, directory: str | Path) -> None:
        self.directory = Path(directory)
        self.path = self.directory / FILE_NAME
        self._pictures = 0
        self._length = 0
        self._sum = 0
        self._error: RecordWriteError | None = None
        self._file = self._open()
        self._sync = Sync(self._file, self.directory)
        self._finish = weakref.finalize(self, _finished, self._file, self._sync)  # also at the end of the program

    def _open(self) -> int:
        try:
            self.directory.mkdir(parents=True, exist_ok=True, mode=OWNER_FOLDER)
            if any(self.directory.iterdir()):
                raise RecordError(f"'{self.directory}' is not empty; a record is never written over anything")
            return owners_only(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND)
        except (OSError, ValueError) as exc:  # a ValueError for a null character in the name
            why = getattr(exc, "strerror", None) or exc
            raise RecordError(f"cannot make a record in '{self.directory}': {why}") from exc

    def write(self, event: str, fields: Mapping[str, object]) -> None:
        """Append one event; after `close`, do nothing.

        Raises:
            RecordWriteError: The disk does not take it, or did not take an earlier one.
            TypeError: A field is not plain data.
            ValueError: A number is not finite.
        """
        if self._error is not None:
            raise self._error
        if not self._finish.alive:
            return
        text = json.dumps(
            {"v": VERSION, "e": event, **fields}, ensure_ascii=False, allow_nan=False, separators=(",", ":")
        )
        line = text.encode("utf-8", "backslashreplace")  # half a character becomes the escape that JSON has for it
        self._sum = zlib.crc32(line, self._sum)
        self._append(line[:-1] + SUM % self._sum + b"\n")

    def _append(self, line: bytes) -> None:
        try:
            if self._sync.error is not None:
                raise self._sync.error
            append_whole(self._file, line, self._length)
        except OSError as exc:
            self._error = RecordWriteError(f"cannot write '{self.path}': {exc.strerror or exc}")
            self.close()
            raise self._error from exc
        self._length += len(line)
        self._sync.soon()

    def picture(self, png: bytes, time: float) -> Path:
        """Store a picture, and note it in the record; return its path.

        Raises:
            RecordWriteError: The disk does not take it.
        """
        self._pictures += 1
        path = self.directory / "pictures" / f"{self._pictures:04}.png"
        try:
            path.parent.mkdir(exist_ok=True, mode=OWNER_FOLDER)
            path.write_bytes(png)
        except OSError as exc:
            with suppress(OSError):
                path.unlink()  # half a picture
            raise RecordWriteError(f"cannot write '{path}': {exc.strerror or exc}") from exc
        self.write("picture", {"t": round(time, 3), "file": path.relative_to(self.directory).as_posix()})
        return path

    def close(self) -> None:
        """End the record, and wait until it is on the disk; safe to call twice."""
        self._finish()

    def withdraw(self) -> None:
        """End a record that could not be begun, and remove its file, so that the folder can be used again."""
        self.close()
        if not self._length:
            with suppress(OSError):
                self.path.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _finished(file: int, sync: Sync) -> None:
    sync.close()
    with suppress(OSError):  # every line was written when `write` returned
        os.close(file)


class RecordLine(NamedTuple):
    """A line of a record.

    Attributes:
        number: From 1.
        text: The line.
        is_sound: Whether its checksum is right; also true in a record that has none.
    """

    number: int
    text: bytes
    is_sound: bool


def lines_of(content: bytes) -> Iterator[RecordLine]:
    """Yield the lines of a record that are not empty.

    A checksum covers all lines before by the checksum of the last of them, so that one wrong line is one, and what
    follows is judged by itself.
    """
    lines = [(number, line) for number, line in enumerate(content.split(b"\n"), 1) if line.strip()]
    is_sealed = any(_sum_of(line) is not None for _, line in lines)
    before: int | None = 0
    for number, line in lines:
        told = _sum_of(line)
        right = before is not None and told == zlib.crc32(line[:-SUM_LENGTH] + b"}", before)
        yield RecordLine(number, line, right or not is_sealed)
        before = told


def _sum_of(line: bytes) -> int | None:
    """Return the checksum that a line tells; None if it tells none."""
    start, end = SUM.split(b"%08x")
    if not (line[-SUM_LENGTH:].startswith(start) and line.endswith(end)):
        return None
    try:
        return int(line[-SUM_LENGTH:][len(start) : -len(end)], 16)
    except ValueError:
        return None


def read_record(path: str | Path) -> list[dict[str, Any]]:
    """Read the events of a record, given its file or folder, without their checksums; the record may be cut off.

    Raises:
        RecordError: There is none, a line that is not the last cannot be read, or a checksum is wrong.
    """
    file = Path(path)
    try:
        file = file / FILE_NAME if file.is_dir() else file
        content = read_bounded(file, MOST_BYTES)
    except OSError as exc:
        raise RecordError(f"cannot read the record '{file}': {exc.strerror or exc}") from exc
    lines = list(lines_of(content))
    events = (_event(file, line, line is lines[-1]) for line in lines)
    return [event for event in events if event is not None]


def _event(file: Path, line: RecordLine, last: bool) -> dict[str, Any] | None:
    """Read a line; return None for an incomplete last line."""
    place = f"{file}:{line.number}"
    try:
        event = json.loads(line.text.decode("utf-8"))
    except (ValueError, RecursionError) as exc:
        if last:
            return None
        raise RecordError(f"{place}: not a line of a record") from exc
    if not line.is_sound:
        raise RecordError(
            f"{place}: its checksum is wrong: this line was changed after it was written, or one before it is missing; "
            f"what stands before it can be used (head -n {line.number - 1})"
        )
    if not isinstance(event, dict) or event.get("v") != VERSION or "e" not in event:
        raise RecordError(f"{place}: not an event of a version {VERSION} record")
    event.pop("crc", None)
    return event
