"""The record of a run: `record.jsonl`, one JSON object a line, appended at once, never rewritten.

A run that was killed leaves a record that can be read up to its last whole line, and so does a disk that is full. After
a power failure the record is whole up to `SYNC_SECONDS` before it: a thread of its own brings it to the disk.

The last field of a line, ``"crc"``, is a checksum of the line without it and of all lines before: the CRC-32 of their
bytes, in eight hexadecimal digits. A line that was changed, left out, added or moved is named by `read_record`. Records
of earlier versions have no checksums.

Every line has ``"v": 1`` (the version of this contract) and ``"e"`` (the kind of event). `bt.record_format` lists the
kinds with their fields, and docs/record.md explains them. A version may get new kinds and fields, so readers ignore
those that they do not know; a change of meaning increases the version.
"""

from __future__ import annotations

import json
import os
import threading
import weakref
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self, cast

from bt.errors import RecordError, RecordWriteError
from semantics.logic.state import Plan
from semantics.process.reading import read_bounded
from semantics.process.writing import OWNER_FOLDER, append_whole, owners_only

VERSION = 1
FILE_NAME = "record.jsonl"
MOST_BYTES = 500_000_000  # the largest record that is read
SUM = b',"crc":"%08x"}'  # the end of a line, in place of its last brace
SUM_LENGTH = len(SUM % 0)

WALL_CLOCK: Mapping[str, tuple[str, ...]] = {"start": ("date",), "plan": ("seconds",), "end": ("seconds",)}
"""By kind of event, the fields that are of the wall clock: all in which two runs of one seed differ, on the simulated
clock of a body of their own and with records of the same name. The checksums follow from them."""


class Journal(Protocol):
    """The interface for events of nodes and of the runner."""

    def write(self, event: str, fields: Mapping[str, object]) -> None:
        """Add an event of a kind that `bt.record_format` lists."""


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
    """Writes every event to several journals."""

    journals: Sequence[Journal] = ()  # the journals that get every event

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

    def __exit__(self, *_: object) -> None:
        self.close()


def _finished(file: int, sync: Sync) -> None:
    sync.close()
    with suppress(OSError):  # every line was written when `write` returned
        os.close(file)


class RecordLine(NamedTuple):
    """A line of a record."""

    number: int  # from 1
    text: bytes  # the line
    is_sound: bool  # whether its checksum is right; also true in a record that has none


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
        RecordError: There is none, a line that is not the last cannot be read, a checksum is wrong, or the record is of
            a later version.
    """
    file = record_file(path)
    try:
        content = read_bounded(file, MOST_BYTES)
    except OSError as exc:
        raise RecordError(f"cannot read the record '{file}': {exc.strerror or exc}") from exc
    events: list[dict[str, Any]] = []
    lines = list(lines_of(content))
    for line in lines:
        try:
            events.append(event_of(line, file))
        except _UnreadableLineError:
            is_cut = line is lines[-1] and (events or line.text.startswith(b"{"))
            if not is_cut:
                raise
    return events


def record_file(path: str | Path) -> Path:
    """Return the file of a record, given that or its folder.

    Raises:
        RecordError: No file can have that name.
    """
    try:
        return Path(path) / FILE_NAME if Path(path).is_dir() else Path(path)
    except OSError as exc:
        raise RecordError(f"cannot read the record '{path}': {exc.strerror or exc}") from exc


class _UnreadableLineError(RecordError):
    """A line that is no JSON, such as an incomplete one."""


def event_of(line: RecordLine, file: Path) -> dict[str, Any]:
    """Read the event of a line, without its checksum.

    Raises:
        RecordError: It cannot be read, its checksum is wrong, or it is of a later version; the error names the line.
    """
    place = f"{file}:{line.number}"
    try:
        event = json.loads(line.text.decode("utf-8"))
    except (ValueError, RecursionError) as exc:
        raise _UnreadableLineError(f"{place}: not a line of a record") from exc
    if not line.is_sound:
        raise RecordError(
            f"{place}: its checksum is wrong: this line was changed after it was written, or one before it is missing; "
            f"what stands before it can be used (head -n {line.number - 1})"
        )
    version = event.get("v") if isinstance(event, dict) else None
    if isinstance(version, int) and version > VERSION:
        raise RecordError(
            f"{place}: a record of version {version}, from a later graftwork; this one reads version {VERSION}"
        )
    if version != VERSION or "e" not in event:
        raise RecordError(f"{place}: not an event of a version {VERSION} record")
    event.pop("crc", None)
    return cast(dict[str, Any], event)


SYNC_SECONDS = 1.0
"""How long what was written may be lost by a power failure, seconds; the time that the disk takes comes on top."""
LAST_SECONDS = 5.0  # how long `Sync.close` waits for the disk, seconds


class Sync:
    """Brings a file to the disk once a second while it is written to, and at its end.

    A thread that is not the writer's does it, from the first call of `soon`; a process forked from this one has no such
    thread, and must not write the file.

    Args:
        file: Descriptor of the file.
        folder: Its folder, which is brought to the disk first, so that the file has its name there.

    Attributes:
        error: What the disk said when it failed; what was written may be lost then.
    """

    def __init__(self, file: int, folder: Path) -> None:
        self.error: OSError | None = None
        self._file = os.dup(file)
        self._folder = folder
        self._written, self._over = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None

    def soon(self) -> None:
        """Bring what has been written to the disk, within a second; return at once."""
        if self._written.is_set():
            return
        self._written.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="record-sync", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Wait until everything is on the disk, or the disk does not answer; call this once."""
        self._over.set()
        self._written.set()
        if self._thread is None:
            os.close(self._file)
        else:
            self._thread.join(LAST_SECONDS)

    def _run(self) -> None:
        try:
            self._sync_folder()
            while self._written.wait():
                self._written.clear()  # first, so that no call is missed
                is_last = self._over.is_set()
                os.fdatasync(self._file)
                if is_last:
                    return
                self._over.wait(SYNC_SECONDS)
        except OSError as error:
            self.error = error
        finally:
            os.close(self._file)

    def _sync_folder(self) -> None:
        folder = os.open(self._folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
