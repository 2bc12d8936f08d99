"""The entries of the data, as README.md describes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from benchmarks.teaching.scenes import Change
from semantics.logic.atoms import Atom, Formula, literals
from semantics.logic.parsing import parse_formula

__all__ = [
    "HALVES",
    "KINDS",
    "Case",
    "Correction",
    "Due",
    "Entry",
    "Poisoned",
    "Preference",
    "Said",
    "Value",
    "Variation",
    "load",
]

HERE = Path(__file__).parent
HALVES = ("a", "b")
MOVING = "moving"
Document = Mapping[str, Any]


class Value(NamedTuple):
    """A value that is due: how what a fact says is brought about.

    Attributes:
        of: The fact.
        name: What is said of it: ``speed``, ``amount``.
        bound: ``most``, ``least`` or ``equals``.
        quantity: The bound, as it is written.
    """

    of: Atom
    name: str
    bound: str
    quantity: str


@dataclass(frozen=True, slots=True)
class Due:
    """What has to be so afterwards, and on the way.

    Attributes:
        ends: Conditions, any of which holds in the end.
        order: Pairs, of which the first has to become true before the second.
        never: Conditions that become true at no time.
        values: How something is done.
    """

    ends: tuple[Formula, ...] = ()
    order: tuple[tuple[Formula, Formula], ...] = ()
    never: tuple[Formula, ...] = ()
    values: tuple[Value, ...] = ()

    @classmethod
    def read(cls, document: Document) -> Due:
        """Read what the data writes."""
        return cls(
            tuple(map(_condition, document.get("ends", ()))),
            tuple((_condition(first), _condition(then)) for first, then in document.get("order", ())),
            tuple(map(_condition, document.get("never", ()))),
            tuple(_values(document.get("values", ()))),
        )

    @property
    def atoms(self) -> frozenset[Atom]:
        """All facts that its conditions speak of."""
        conditions = (*self.ends, *self.never, *(part for pair in self.order for part in pair))
        return frozenset(literal.atom for condition in conditions for literal in literals(condition))

    def __str__(self) -> str:
        parts = [" or ".join(map(str, self.ends)) or "a question or a refusal"]
        parts += [f"{first} before {then}" for first, then in self.order]
        parts += [f"never {condition}" for condition in self.never]
        parts += [f"{name} {bound} {quantity} for {of}" for of, name, bound, quantity in self.values]
        return "; ".join(parts)


class Case(NamedTuple):
    """A sentence in a scene, and what is due then.

    Attributes:
        world: The world.
        scene: The scene.
        change: What is otherwise than in the scene.
        say: The sentence.
        due: What is due.
    """

    world: str
    scene: str
    change: tuple[Change, ...]
    say: str
    due: Due = Due()


class Said(NamedTuple):
    """A sentence, and what the person says when it was done; empty if it was right."""

    say: str
    correct: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """What all entries have.

    Attributes:
        id: Its name.
        case: What the person asks for, and what is due if that is asked for with what was taught.
    """

    id: str
    case: Case


@dataclass(frozen=True, slots=True)
class Correction(Entry):
    """A correction.

    Attributes:
        sort: What sort of correction it is: ``argument``, ``order``, ….
        plain: What is due without a lesson.
        correct: What the person says.
        moving: Whether it is said while the robot does it.
        next: Another case of the same lesson.
    """

    sort: str
    plain: Due
    correct: str
    moving: bool
    next: Case


@dataclass(frozen=True, slots=True)
class Preference(Entry):
    """A preference that holds only under a condition.

    Attributes:
        correct: What the person says.
        inside: Cases to which it applies.
        near: Cases to which it does not.
    """

    correct: str
    inside: tuple[Case, ...]
    near: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Poisoned(Entry):
    """A correction that must not be kept just like that.

    Attributes:
        correct: What the person says.
        taught: Earlier lessons.
        conflict: Words, any of which a question about it has.
    """

    correct: str
    taught: tuple[Said, ...]
    conflict: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Variation(Entry):
    """A variation of sentences from before.

    Attributes:
        taught: These sentences.
        same: Whether it differs in arguments only; else it is a trap.
    """

    taught: tuple[Said, ...] = field(default=())
    same: bool = True


def load(kind: str, half: str = "a") -> list[Entry]:
    """Return the entries of a kind, in the order of the file; the poisoned ones have no halves."""
    name, read = KINDS[kind]
    file = HERE / name.format(half=half)
    return [read(document) for document in yaml.safe_load(file.read_text(encoding="utf-8"))]


def _correction(document: Document) -> Entry:
    return Correction(
        document["id"],
        _case(document, document, document["lesson"]),
        document["kind"],
        Due.read(document["plain"]),
        document["correct"],
        document.get("when") == MOVING,
        _case(document, document["next"], document["next"]["lesson"]),
    )


def _preference(document: Document) -> Entry:
    inside, near = (
        tuple(_case(document, case, case["lesson"]) for case in document[name]) for name in ("inside", "near")
    )
    return Preference(document["id"], _case(document, document, {}), document["correct"], inside, near)


def _poisoned(document: Document) -> Entry:
    taught, conflict = tuple(_said(document)), tuple(map(str, document["conflict"]))
    return Poisoned(document["id"], _case(document, document, {}), document["correct"], taught, conflict)


def _variation(document: Document) -> Entry:
    return Variation(document["id"], _case(document, document, document), tuple(_said(document)), document["same"])


def _case(entry: Document, case: Document, due: Document) -> Case:
    change = tuple({key: str(value) for key, value in each.items()} for each in case.get("change") or ())
    return Case(entry["world"], entry["scene"], change, case["say"], Due.read(due))


def _said(document: Document) -> Iterator[Said]:
    for each in document.get("taught") or ():
        yield Said(each["say"], each.get("correct", ""))


def _values(documents: Sequence[Document]) -> Iterator[Value]:
    for each in documents:
        (of,) = (literal.atom for literal in literals(_condition(each["of"])))
        yield from (
            Value(of, each["name"], bound, each[bound]) for bound in ("most", "least", "equals") if bound in each
        )


def _condition(text: str) -> Formula:
    return parse_formula(text, adl=True)


KINDS = {
    "corrections": ("corrections_{half}.yaml", _correction),
    "near": ("near_{half}.yaml", _preference),
    "poisoned": ("poisoned.yaml", _poisoned),
    "variations": ("variations_{half}.yaml", _variation),
}
"""The file of each kind of entries, and what reads one."""
