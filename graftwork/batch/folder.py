"""`BatchFolder`: the folder of a batch, with the results so far and the records of its runs.

Results are in ``batch.jsonl``, one JSON object a line, each appended as soon as its run has ended. The first line holds
the settings and the SHA-256 of the files of the world. The same batch can go on in the folder: runs that have a result
are not repeated. Another batch is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from bt.errors import RecordError, RecordWriteError
from graftwork.batch.model import BatchResult, BatchRun
from graftwork.setup.settings import KEPT, Settings
from semantics.process.reading import read_bounded
from semantics.process.writing import OWNER_FOLDER, append_whole, owners_only

FILE_NAME = "batch.jsonl"
VERSION = 1
MOST_BYTES = 500_000_000
IN_COMMON = (KEPT | {"skills", "conversation"}) - {"seed"}  # the settings that all runs of a batch share


class BatchFolder:
    """The folder of a batch, created when its block is entered.

    Args:
        path: A new folder, or that of the same batch.
        settings: The settings of the runs.
        world: The SHA-256 of the files of the world.

    Raises:
        RecordError: The folder holds something else, or a batch with other settings or another world.
    """

    def __init__(self, path: Path, settings: Settings, world: str) -> None:
        self.path = path
        self._settings = {name: str(getattr(settings, name)) for name in sorted(IN_COMMON)}
        self._world = world
        self._results: dict[str, BatchResult] = {}
        self._length = 0
        self._read()

    def results(self, runs: Sequence[BatchRun]) -> list[BatchResult]:
        """Return the final results of these runs, in their order.

        Raises:
            RecordError: One of the results is of a run with the same name and another request.
        """
        found = [(run, self._results[run.name]) for run in runs if run.name in self._results]
        for run, result in found:
            if result.run != run:
                raise self._other(f"its {run.name} is '{result.run.request}', and now it is '{run.request}'")
        return [result for _, result in found if result.is_final]

    def add(self, result: BatchResult) -> None:
        """Append a result.

        Raises:
            RecordWriteError: The disk does not take it.
        """
        try:
            self._append(result.as_dict())
        except OSError as error:
            raise RecordWriteError(f"cannot write '{self.path / FILE_NAME}': {error.strerror or error}") from error
        self._results[result.run.name] = result

    def _append(self, document: dict[str, Any]) -> None:
        line = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
        append_whole(self._file, line + b"\n", self._length)
        self._length += len(line) + 1

    def _read(self) -> None:
        """Read the results of a batch that is there already."""
        file = self.path / FILE_NAME
        try:
            is_other = self.path.exists() and not (self.path.is_dir() and (file.exists() or not os.listdir(self.path)))
            if is_other:
                raise RecordError(f"'{self.path}' is not empty and no batch; a record is never written over anything")
            content = read_bounded(file, MOST_BYTES) if file.exists() else b""
        except OSError as error:
            raise RecordError(f"cannot read the batch in '{self.path}': {error.strerror or error}") from error
        *lines, _ = content.split(b"\n")
        self._length = sum(len(line) + 1 for line in lines)
        for number, line in enumerate(lines, 1):
            try:
                document = json.loads(line)
                if number == 1:
                    self._compare(document)
                else:
                    result = BatchResult.from_dict(document)
                    self._results[result.run.name] = result
            except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
                raise RecordError(f"{file}:{number}: not a line of a batch of version {VERSION}") from error

    def _compare(self, about: dict[str, Any]) -> None:
        if about["v"] != VERSION:
            raise ValueError
        for name, value in self._settings.items():
            if about["settings"].get(name, value) != value:
                raise self._other(f"its {name} is {about['settings'][name]}, and now it is {value}")
        if about["world"] != self._world:
            raise self._other("the files of its world or its program have changed since")

    def _other(self, why: str) -> RecordError:
        return RecordError(f"'{self.path}' is of another batch: {why}; name another folder with --record")

    def __enter__(self) -> Self:
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=OWNER_FOLDER)
            self._file = owners_only(self.path / FILE_NAME, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            os.ftruncate(self._file, self._length)  # half a line of a batch that was killed
            if not self._length:
                self._append({"v": VERSION, "settings": self._settings, "world": self._world})
        except (OSError, ValueError) as error:  # a ValueError for a null character in the name
            why = getattr(error, "strerror", None) or error
            raise RecordError(f"cannot make a batch in '{self.path}': {why}") from error
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # every line was written when `add` returned
            os.close(self._file)
        if not self._results and os.listdir(self.path) == [FILE_NAME]:  # nothing was begun
            with suppress(OSError):
                (self.path / FILE_NAME).unlink()
                self.path.rmdir()
