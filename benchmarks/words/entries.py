"""The entries of the data files, one class for each kind; README.md tells what the keys mean.

Half a is read unless half b is asked for, which is held out and scored once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar, Self

import yaml

from semantics.errors import UsageError

__all__ = ["KINDS", "Correction", "Entry", "Instruction", "Program", "Question", "Refusal", "Slip", "load"]

HERE = Path(__file__).parent
HALVES = ("a", "b")
Texts = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Entry:
    """Something that a person says in a scene.

    Attributes:
        id: Its name.
        sentence: The words.
        world: Name of the domain.
        scene: Name of the scene, where everything is at the beginning.
        note: What a reader may need to know.
        group: Its set within its kind; empty where there are none.
    """

    files: ClassVar[str]
    """Pattern of the names of the files, with the half."""

    id: str
    sentence: str
    scene: str
    world: str = "kitchen"
    note: str = ""
    group: str = ""

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """Read an entry of a file.

        Raises:
            UsageError: It has a key that is unknown, or lacks one.
        """
        known = {each.name for each in fields(cls)}
        named = {RENAMED.get(key, key): _fixed(value) for key, value in document.items()}
        if unknown := named.keys() - known:
            raise UsageError(f"{document.get('id')}: unknown key {sorted(unknown)[0]}; there are {sorted(known)}")
        try:
            return cls(**named)
        except TypeError as error:
            raise UsageError(f"{document.get('id')}: {error}") from error


RENAMED = {"set": "group", "false": "untrue", "ask": "asks"}
"""The field of a key that is no good name here."""


@dataclass(frozen=True, kw_only=True)
class Instruction(Entry):
    """An instruction to a household robot, with all acceptable ends."""

    files = "household_{half}[12].yaml"

    names: bool
    ends: Texts = ()
    order: tuple[tuple[str, str], ...] = ()
    reject: Texts = ()
    asks: bool = False
    inexpressible: str = ""
    part: Texts = ()
    substitutes: Texts = ()
    find: str = ""


@dataclass(frozen=True, kw_only=True)
class Refusal(Entry):
    """What must not be carried out as said."""

    files = "refusals_{half}.yaml"

    right: Texts
    never: Texts
    why: str


@dataclass(frozen=True, kw_only=True)
class Program(Entry):
    """A request whose natural answer is a little program."""

    files = "programs_{half}.yaml"

    ends: Texts
    answers: Mapping[str, str]
    says: Texts
    never: Texts
    passes: Texts = ()


@dataclass(frozen=True, kw_only=True)
class Question(Entry):
    """A question about the scene or the doings; `asks` is its sort."""

    files = "questions_{half}.yaml"

    done: Texts
    asks: str
    about: Texts
    answer: Mapping[str, Any]
    untrue: Texts
    also: Texts = ()


@dataclass(frozen=True, kw_only=True)
class Correction(Entry):
    """A change of what is planned or runs."""

    files = "corrections_{half}.yaml"

    goal: str
    steps_done: int
    right: Texts
    ends: Texts
    never: Texts
    order: tuple[tuple[str, str], ...]
    held: bool = False
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Slip(Entry):
    """A malformed answer of a language model; it has no scene and no sentence."""

    files = "slips_{half}.yaml"

    format: str
    text: str
    means: Mapping[str, Any] | str
    why: str
    sentence: str = ""
    scene: str = ""


KINDS: Mapping[str, type[Entry]] = {
    "household": Instruction,
    "refusals": Refusal,
    "programs": Program,
    "questions": Question,
    "corrections": Correction,
    "slips": Slip,
}
"""The class of the entries of each kind of file."""


def load(kind: str, half: str = "a", folder: Path = HERE) -> tuple[Any, ...]:
    """Return the entries of a kind, in the order of the files.

    Args:
        kind: One of `KINDS`.
        half: ``a``, or ``b``, which is held out.
        folder: Where the files are.

    Raises:
        UsageError: There is no such half, a file cannot be used, or two entries have one name.
    """
    if half not in HALVES:
        raise UsageError(f"there is no half '{half}'; there is {', '.join(HALVES)}")
    of_kind = KINDS[kind]
    entries: dict[str, Entry] = {}
    for file in sorted(folder.glob(of_kind.files.format(half=half))):
        try:
            documents = yaml.safe_load(file.read_text(encoding="utf-8"))
        except (OSError, yaml.YAMLError) as error:
            raise UsageError(f"{file}: {error}") from error
        for document in documents:
            entry = of_kind.read(document)
            if entry.id in entries:
                raise UsageError(f"{file}: two entries are called {entry.id}")
            entries[entry.id] = entry
    return tuple(entries.values())


def _fixed(value: Any) -> Any:  # noqa: ANN401 - data
    """Return lists as tuples, and texts that were folded on one line."""
    if isinstance(value, list):
        return tuple(map(_fixed, value))
    return value
