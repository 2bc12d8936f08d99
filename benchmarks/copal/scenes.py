"""From an environment state of CoPAL to a scene of the worlds `barman` and `pizza`.

``python -m benchmarks.copal.scenes FILE.json --into DIR [--domain barman] [--name NAME]`` writes one as a file.

Bottles are capped unless the state says that they are open. A name that a bowl lists several times becomes that many
numbered pieces, made of the ingredient of that name. Notes report everything that was left out or assumed.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.copal.entries import ImportedObject, ImportedState, read_state
from domains.diagnostics import Diagnostics, Mark
from domains.model import Domain
from domains.reader import load_domain
from graftwork.cli.options import echo
from graftwork.setup.settings import worlds_named
from semantics.errors import UsageError
from semantics.logic.atoms import Atom
from semantics.plain_text import plain

__all__ = ["Imported", "import_copal", "main"]

LEGAL = re.compile(r"[a-z][a-z0-9_-]*")
COUNTS = ("one_portion", "two_portions", "three_portions", "four_portions")
SLACK = 1e-9
FURNITURE = ("table", "shelf", "fridge", "shaker", "oven")
TYPES = ("robot", "hand", "bottle", "bowl", "glass", "tray", "mixing_container", "dough", "big_plate", "oven")
SUBSTANCES = ("ingredient", "liquid")
IGNORED = ("room",)
KNOWN = (*TYPES, *SUBSTANCES, *FURNITURE, *IGNORED)
HOLDERS = ("bowl", "glass", "dough", "mixing_container")


@dataclass
class Imported:
    """An imported scene that can be written to a file.

    Attributes:
        domain: The world of the scene.
        things: Class of each object, by name.
        facts: Facts that hold.
        numbers: Values of numeric fluents, in litres.
        notes: What the import left out, changed or assumed.
    """

    domain: Domain
    things: dict[str, str] = field(default_factory=dict)
    facts: list[Atom] = field(default_factory=list)
    numbers: dict[Atom, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def text(self, source: str) -> str:
        """Return the text of the scene file; its first line names the `source`."""
        comments = (f"Imported from {source}, an environment state of CoPAL.", *(f"- {note}" for note in self.notes))
        # A name in the source may hold anything, line ends too.
        lines = [f"# {' '.join(plain(comment).split())}" for comment in comments]
        lines += [f"domain: {self.domain.name}", "things:"]
        lines += [f"  {name}: {{class: {class_name}}}" for name, class_name in self.things.items()]
        lines += ["facts:", *(f"  - {fact}" for fact in self.facts)] if self.facts else []
        lines += ["numbers:", *(f"  {atom}: {value}" for atom, value in self.numbers.items())] if self.numbers else []
        return "\n".join([*lines, ""])


def import_copal(path: Path, domain: Domain, shown: str = "") -> Imported:
    """Read an environment state as a scene of `domain`.

    Raises:
        DomainFileError: The state cannot be used; lists every problem with its line and column.
    """
    state = read_state(path, shown)
    imported = _Import(state, Imported(domain)).run()
    state.diagnostics.settle()
    return imported


class _Import:
    def __init__(self, state: ImportedState, imported: Imported) -> None:
        self._state = state
        self._out = imported
        self._domain = imported.domain
        self._diagnostics: Diagnostics = state.diagnostics
        self._classes = classes_of(state, imported.domain)
        self._names = self._legal_names()

    def run(self) -> Imported:
        for name, class_name in self._classes.items():
            self._out.things[self._names[name]] = class_name
        for name in self._classes:
            entry = self._state.entries[name]
            self._check_names(entry)
            self._place(entry)
            self._hold(entry)
            self._fill(entry)
            self._switch(entry)
        self._tell_left_out()
        return self._out

    def _legal_names(self) -> dict[str, str]:
        names: dict[str, str] = {}
        for name in self._classes:
            legal = name if LEGAL.fullmatch(name) else re.sub(r"[^a-z0-9_-]+", "_", name.lower()).strip("_-")
            legal = legal if LEGAL.fullmatch(legal) else f"thing_{legal}".rstrip("_")
            if legal in names.values() or legal in self._domain.constants:
                mark = self._state.mark(name)
                self._diagnostics.add(
                    mark, f"'{name}' would be called '{legal}' like another thing", "named-twice", name
                )
            if legal != name:
                self._out.notes.append(f"'{name}' is called {legal}")
            names[name] = legal
        return names

    def _check_names(self, entry: ImportedObject) -> None:
        contents = (("holdsObject", entry.holds), ("holdsLiquid", entry.liquids))
        for key, names in (*contents, ("isHeldByObject", (entry.held_by,) if entry.held_by else ())):
            for name in dict.fromkeys(names):
                mark = self._state.mark(entry.name, key, name)
                if name not in self._state.entries and name not in self._state.without_type:
                    self._unknown(entry, key, name)
                elif key == "holdsLiquid" and self._classes.get(name) != "liquid":
                    self._diagnostics.add(mark, f"'{name}' is no liquid; expected one", "wrong-kind", name)

    def _unknown(self, entry: ImportedObject, key: str, name: str) -> None:
        """Report an unknown name, unless it resembles an object that names this entry as its holder."""
        meant = [other for other in self._state.entries if _letters(other) == _letters(name)]
        if key == "holdsObject" and any(self._state.entries[other].held_by == entry.name for other in meant):
            self._out.notes.append(f"{entry.name}: '{name}' is taken to be {meant[0]}")
        else:
            self._diagnostics.unknown(self._state.mark(entry.name, key, name), "object", name, self._state.entries)

    def _affords(self, name: str, affordance: str) -> bool:
        return affordance in self._domain.classes[self._classes[name]].affordances

    def _place(self, entry: ImportedObject) -> None:
        """Add the place of a movable object; if the entries disagree, the object's own entry counts."""
        holder = entry.held_by
        if self._classes[entry.name] == "hand" and not entry.holds:
            self._fact("free", entry.name)
        if holder is None or holder not in self._classes or not self._affords(entry.name, "carry"):
            return
        if self._affords(holder, "hold"):
            self._fact("holding", holder, entry.name)
            return
        if not self._keeps(holder, entry.name, self._state.mark(entry.name, "isHeldByObject")):
            return
        self._fact("on", entry.name, holder)
        if self._affords(holder, "door"):
            self._fact("inside", entry.name)

    def _keeps(self, holder: str, name: str, mark: Mark) -> bool:
        """Return whether an object can be on a holder; report a mistake if not."""
        if self._affords(holder, "keep"):
            return True
        message = f"'{name}' cannot be on '{holder}', a {self._classes[holder]}; expected furniture or a hand"
        self._diagnostics.add(mark, message, "wrong-affordance", holder)
        return False

    def _hold(self, entry: ImportedObject) -> None:
        """Number the pieces that an object holds, and note each held object that names another holder."""
        counts: dict[str, int] = {}
        for name in entry.holds:
            if self._classes.get(name) == "ingredient":
                counts[name] = counts.get(name, 0) + 1
                self._piece(self._names[name], counts[name], entry)
            elif name in self._state.entries and self._state.entries[name].held_by != entry.name:
                other = self._state.entries[name].held_by
                self._out.notes.append(f"{name}: {entry.name} says to hold it too; it says that {other} does")

    def _piece(self, substance: str, number: int, entry: ImportedObject) -> None:
        joint = "_" if substance[-1].isdigit() else ""
        while (name := f"{substance}{joint}{number}") in self._out.things:
            number += 1
        self._out.things[name] = "piece"
        self._out.facts.append(Atom("made_of", (name, substance)))
        if self._affords(entry.name, "vessel"):
            vessel = self._names[entry.name]
            self._out.facts += [Atom("in", (name, vessel)), Atom("contains", (vessel, substance))]
        elif self._affords(entry.name, "hold"):
            self._out.facts.append(Atom("holding", (self._names[entry.name], name)))
        elif self._keeps(entry.name, substance, self._state.mark(entry.name, "holdsObject", substance)):
            self._out.facts.append(Atom("on", (name, self._names[entry.name])))

    def _fill(self, entry: ImportedObject) -> None:
        if not self._affords(entry.name, "fill"):
            return
        volume, level = self._litres(entry)
        self._number("volume", entry.name, volume)
        self._number("level", entry.name, level)
        if level > volume + SLACK:
            mark = self._state.mark(entry.name, "fillLevel")
            message = f"'{entry.name}' holds {level} l and has room for {volume} l; expected no more than that"
            self._diagnostics.add(mark, message, "too-full", entry.name)
        if self._affords(entry.name, "bottle"):
            self._bottle(entry)
        elif entry.liquids:
            for name in entry.liquids:
                self._fact("contains", entry.name, name)
            self._amounts(entry, level)
        if self._affords(entry.name, "vessel") and "room_for" in self._domain.predicates:
            self._room(entry, volume - level)

    def _litres(self, entry: ImportedObject) -> tuple[float, float]:
        is_bottle = self._affords(entry.name, "bottle")
        volume = 1.0 if entry.volume is None else entry.volume
        level = entry.fill_level if entry.fill_level is not None else volume if is_bottle and entry.liquids else 0.0
        if entry.volume is None or entry.fill_level is None:
            self._out.notes.append(f"{entry.name}: no volume or fill level, taken as {level} of {volume} l")
        return volume, level

    def _bottle(self, entry: ImportedObject) -> None:
        if len(entry.liquids) > 1:
            mark = self._state.mark(entry.name, "holdsLiquid")
            message = f"bottle '{entry.name}' holds {len(entry.liquids)} liquids; expected one"
            self._diagnostics.add(mark, message, "wrong-kind", entry.name)
        for name in entry.liquids:
            self._fact("filled", entry.name, name)

    def _amounts(self, entry: ImportedObject, level: float) -> None:
        if "amount" not in self._domain.fluents:
            return
        if len(entry.liquids) > 1:
            self._out.notes.append(f"{entry.name}: its {len(entry.liquids)} liquids are taken to be equal parts")
        for name in entry.liquids:
            self._number("amount", entry.name, level / len(entry.liquids), name)

    def _room(self, entry: ImportedObject, litres: float) -> None:
        """Add the free volume in portions, if not all liquids of the scene would fit."""
        portion = self._domain.fluents["portion"].default or 0.05
        room = int(litres / portion + SLACK)
        if room <= 0:
            self._fact("full", entry.name)
        elif room < min(sum(class_name == "liquid" for class_name in self._classes.values()), len(COUNTS) + 1):
            self._fact("room_for", entry.name, COUNTS[room - 1])

    def _switch(self, entry: ImportedObject) -> None:
        if (
            self._affords(entry.name, "shut")
            and (entry.closure or ("closed" if self._capped(entry) else "")) == "closed"
        ):
            self._fact("closed", entry.name)
        elif entry.closure and not self._affords(entry.name, "shut"):
            self._out.notes.append(f"{entry.name}: its closure ({entry.closure}) is left out")
        if entry.power == "on" and self._affords(entry.name, "push"):
            self._fact("powered", entry.name)
        elif entry.power and not self._affords(entry.name, "push"):
            self._out.notes.append(f"{entry.name}: its power ({entry.power}) is left out")

    def _capped(self, entry: ImportedObject) -> bool:
        return self._affords(entry.name, "twist") and not entry.closure

    def _fact(self, predicate: str, *names: str) -> None:
        arguments = tuple(self._names.get(name, name) for name in names)
        atom = Atom(predicate, arguments)
        if atom not in self._out.facts:
            self._out.facts.append(atom)

    def _number(self, fluent: str, name: str, value: float, *more: str) -> None:
        self._out.numbers[
            Atom(fluent, (self._names[name], *(self._names.get(argument, argument) for argument in more)))
        ] = value

    def _tell_left_out(self) -> None:
        entries = self._state.entries
        capped = [name for name in self._classes if self._capped(entries[name])]
        if capped:
            self._out.notes.append(f"{len(capped)} bottles are taken to be capped")
        for name in self._state.without_type:
            self._out.notes.append(f"left out: {name}, which has no type")
        ignored = [name for name, entry in entries.items() if entry.type in IGNORED]
        if ignored:
            self._out.notes.append(f"left out: {', '.join(ignored)} (room)")
        fixed = [name for name in self._classes if entries[name].held_by and self._is_fixed(name)]
        if fixed:
            self._out.notes.append(f"left out: where {', '.join(fixed)} stand")
        for key, names in _by_key((entry.name, entry.left_out) for entry in entries.values()).items():
            self._out.notes.append(f"left out: {key} of {', '.join(names)}")

    def _is_fixed(self, name: str) -> bool:
        return self._classes[name] not in (*SUBSTANCES, "robot", "hand") and not self._affords(name, "carry")


def _by_key(left_out: Iterable[tuple[str, tuple[str, ...]]]) -> Mapping[str, list[str]]:
    names_by_key: dict[str, list[str]] = {}
    for name, keys in left_out:
        for key in keys:
            names_by_key.setdefault(key, []).append(name)
    return names_by_key


def _letters(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def classes_of(state: ImportedState, domain: Domain) -> Mapping[str, str]:
    """Return the class of each object; report the objects whose class `domain` does not have.

    CoPAL may use the name of a single object (``bacon``, ``salt``) as its type. Such an object is a liquid if another
    one holds it as a liquid, and an ingredient if a bowl lists it.
    """
    liquids = {name for entry in state.entries.values() for name in entry.liquids}
    ingredients = {name for entry in state.entries.values() if entry.type in HOLDERS for name in entry.holds}
    classes = {}
    for name, entry in state.entries.items():
        class_name = next(
            (piece for piece in FURNITURE if entry.type in ("furniture", piece) and piece in entry.name), entry.type
        )
        if class_name not in KNOWN and name in liquids | ingredients:
            class_name = "liquid" if name in liquids else "ingredient"
        if class_name in domain.classes:
            classes[name] = class_name
        elif class_name not in IGNORED:
            _complain(entry, class_name, state, domain)
    return classes


def _complain(entry: ImportedObject, class_name: str, state: ImportedState, domain: Domain) -> None:
    mark = state.mark(entry.name, "type")
    if class_name in KNOWN and class_name not in IGNORED:
        message = f"the world {domain.name} has no class {class_name}; expected a state that belongs to it"
        state.diagnostics.add(mark, message, "unknown-class", class_name)
    elif entry.type == "furniture":
        state.diagnostics.unknown(mark, "piece of furniture", entry.name, FURNITURE)
    else:
        state.diagnostics.unknown(mark, "type", class_name, (*KNOWN, "furniture"))


def main(words: Sequence[str]) -> int:
    """Write the scene of an environment state as a new file, and tell what was left out or assumed.

    Raises:
        UsageError: The file to write is there already, or the state cannot be used.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("file", type=Path, metavar="FILE.json", help="environment state of CoPAL")
    parser.add_argument("--into", type=Path, required=True, metavar="DIR", help="folder to write to; it is made")
    parser.add_argument("--domain", default="barman", help="world: barman, pizza, or the path of one")
    parser.add_argument("--name", help="name of the scene (default: that of the file)")
    given = parser.parse_args(words)
    imported = import_copal(given.file, load_domain(*worlds_named([given.domain])), str(given.file))
    path = given.into / f"{given.name or given.file.stem}.yaml"
    if path.exists():
        raise UsageError(f"{path} is there already; name another folder, or another --name")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(imported.text(given.file.name), encoding="utf-8")
    for note in imported.notes:
        echo(f"note     {note}")
    echo(f"wrote    {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
