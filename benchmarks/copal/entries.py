"""The reader of CoPAL's environment states: JSON with one entry for each object; it reports mistakes with their place.

The format is the scene graph of Joublin et al. (2024). An entry has a type, lists what it holds (``holdsObject``,
``holdsLiquid``) and its holder (``isHeldByObject``), and may have a volume and a fill level in litres, a closure and a
power state.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from domains.diagnostics import Diagnostics, Mark
from domains.reader.nodes.document import read_text
from semantics.hints import nearest

__all__ = ["ImportedObject", "ImportedState", "read_state"]

LISTS = ("holdsObject", "isHeldByObject", "holdsLiquid")
NUMBERS = ("volume", "fillLevel")
CHOICES: Mapping[str, tuple[str, ...]] = {"closure": ("open", "closed"), "power": ("on", "off")}
USED = ("type", *LISTS, *NUMBERS, *CHOICES)


@dataclass(frozen=True, slots=True)
class ImportedObject:
    """An object of the state; `held_by`, `volume` and `fill_level` are None if the state does not give them."""

    name: str
    type: str
    holds: tuple[str, ...] = ()
    held_by: str | None = None
    liquids: tuple[str, ...] = ()
    volume: float | None = None
    fill_level: float | None = None
    closure: str = ""
    power: str = ""
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class ImportedState:
    """A complete environment state.

    Attributes:
        text: The text of the file.
        entries: The objects by name, in the order of the file.
        diagnostics: The mistakes so far.
        without_type: Names of entries that have no type.
    """

    text: str
    entries: Mapping[str, ImportedObject]
    diagnostics: Diagnostics
    without_type: tuple[str, ...] = field(default=())

    def mark(self, name: str, key: str = "", value: str = "") -> Mark:
        """Return the position of an entry, of one of its keys, or of a value of that key."""
        at = _after(self.text, rf'"{re.escape(name)}"\s*:', 0)
        for pattern in (rf'"{re.escape(key)}"\s*:' if key else "", f'"{re.escape(value)}"' if value else ""):
            at = _after(self.text, pattern, at) if pattern else at
        return Mark(self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at))


def _after(text: str, pattern: str, at: int) -> int:
    match = re.compile(pattern).search(text, at)
    return match.start() if match else at


def read_state(path: Path, shown: str = "") -> ImportedState:
    """Read a file; mistakes in single entries go to the diagnostics of the returned state.

    A semicolon at the end is accepted, because CoPAL's own files have one.

    Raises:
        DomainFileError: The file cannot be read, is not UTF-8, or is no JSON object of objects.
    """
    shown = shown or str(path)
    text = read_text(path, shown)
    diagnostics = Diagnostics(shown, text)
    twice: list[str] = []

    def pairs(items: list[tuple[str, object]]) -> dict[str, object]:
        twice.extend(key for key, count in Counter(key for key, _ in items).items() if count > 1)
        return dict(items)

    try:
        data = json.loads(text.rstrip().removesuffix(";"), object_pairs_hook=pairs)
    except json.JSONDecodeError as error:
        message = f"this is no JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        raise diagnostics.fatal(Mark(error.lineno, error.colno), message) from error
    except ValueError as error:
        raise diagnostics.fatal(Mark(), "this holds a number with too many digits") from error
    except RecursionError as error:
        raise diagnostics.fatal(Mark(), "this is nested too deeply; expected an object for each thing") from error
    if not isinstance(data, dict) or not data:
        raise diagnostics.fatal(Mark(), 'expected a JSON object such as {"tray": {"type": "tray"}}')
    return _EntryReader(ImportedState(text, {}, diagnostics), twice).read(data)


class _EntryReader:
    def __init__(self, state: ImportedState, twice: list[str]) -> None:
        self._state = state
        self._diagnostics = state.diagnostics
        self._twice = twice

    def read(self, data: dict[str, object]) -> ImportedState:
        for key in self._twice:
            self._diagnostics.add(self._state.mark(key), f"'{key}' stands twice; expected it once", "named-twice", key)
        without = tuple(name for name, entry in data.items() if isinstance(entry, dict) and "type" not in entry)
        entries = {
            name: self._entry(name, entry)
            for name, entry in data.items()
            if isinstance(entry, dict) and "type" in entry
        }
        for name in data.keys() - entries.keys() - set(without):
            self._wrong(name, "", f"'{name}' is no object", 'one such as {"type": "glass"}')
        return ImportedState(self._state.text, entries, self._diagnostics, without)

    def _entry(self, name: str, data: Mapping[str, object]) -> ImportedObject:
        others = tuple(key for key in data if key not in USED)
        for key in others:
            if nearest(key, USED) and nearest(key, USED)[0].lower()[:5] == key.lower()[:5]:
                self._diagnostics.unknown(self._state.mark(name, key), "key", key, USED)
        lists = {key: self._names(name, key, data.get(key, [])) for key in LISTS}
        numbers = {key: self._number(name, key, data[key]) for key in NUMBERS if key in data}
        choices = {key: self._choice(name, key, data[key]) for key in CHOICES if key in data}
        holders = lists["isHeldByObject"]
        if len(holders) > 1:
            self._wrong(name, "isHeldByObject", f"'{name}' is held by {len(holders)} things", "one")
        type_name = data["type"]
        if not isinstance(type_name, str):
            self._wrong(name, "type", f"the type of '{name}' is no text", 'one such as "glass"')
        return ImportedObject(
            name=name,
            type=str(type_name),
            holds=lists["holdsObject"],
            held_by=next(iter(holders), None),
            liquids=lists["holdsLiquid"],
            volume=numbers.get("volume"),
            fill_level=numbers.get("fillLevel"),
            closure=choices.get("closure", ""),
            power=choices.get("power", ""),
            left_out=others,
        )

    def _names(self, name: str, key: str, data: object) -> tuple[str, ...]:
        if isinstance(data, list) and all(isinstance(item, str) for item in data):
            return tuple(data)
        self._wrong(name, key, f"'{key}' of '{name}' is no list of names", 'a list such as ["table"]')
        return ()

    def _number(self, name: str, key: str, data: object) -> float | None:
        if isinstance(data, int | float) and not isinstance(data, bool) and 0 <= data < float("inf"):
            return float(data)
        self._wrong(name, key, f"'{key}' of '{name}' is {json.dumps(data)}", "litres, a number from 0")
        return None

    def _choice(self, name: str, key: str, data: object) -> str:
        if data in CHOICES[key]:
            return str(data)
        self._wrong(name, key, f"'{key}' of '{name}' is {json.dumps(data)}", " or ".join(CHOICES[key]))
        return ""

    def _wrong(self, name: str, key: str, what: str, wanted: str) -> None:
        self._diagnostics.add(self._state.mark(name, key), f"{what}; expected {wanted}", "wrong-kind", name)
