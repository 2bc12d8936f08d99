"""The text of a program, from wherever it comes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from graftwork.errors import ProgramFileError
from semantics.limits import Limits
from semantics.wording import shortened

__all__ = ["Source", "read_source"]

MOST_BYTES = 4 * Limits().source + 1
"""What is read of a file at most: one more than the longest text takes, so that a longer one is told as too long."""


@dataclass(frozen=True, slots=True)
class Source:
    """A program as it was given.

    Attributes:
        text: The program.
        name: What it is called in the record: the name of its file, or its first line.
    """

    text: str
    name: str


def read_source(program: str | Path) -> Source:
    """Return a text as it is, or the text of a file.

    Raises:
        ProgramFileError: The file cannot be read, or is no text.
    """
    if isinstance(program, str):
        return Source(program, shortened(next(iter(program.strip().splitlines()), "an empty program")))
    if program.is_dir():
        raise ProgramFileError(program, "it is a folder")
    if not program.is_file():  # a pipe might never end, and a device never does
        raise ProgramFileError(program, "there is no such file")
    try:
        with program.open("rb") as file:
            text = file.read(MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        raise ProgramFileError(program, f"byte {exc.start + 1} is not text in UTF-8") from exc
    except OSError as exc:
        raise ProgramFileError(program, exc.strerror or str(exc)) from exc
    return Source(text, program.name)
