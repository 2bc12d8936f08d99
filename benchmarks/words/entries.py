"""The entries of the data files, one class for each kind; README.md tells what the keys mean.

Half a is read unless another one is asked for: b is held out and scored once, and so is c, where there is one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import yaml

from semantics.errors import UsageError

__all__ = [
    "AT_REST",
    "HELD",
    "KINDS",
    "Correction",
    "Dialogue",
    "Entry",
    "Instruction",
    "Moving",
    "Program",
    "Question",
    "Refusal",
    "SayCan",
    "Slip",
    "Spatial",
    "Turn",
    "Way",
    "Wording",
    "load",
]

HERE = Path(__file__).parent
HALVES = ("a", "b", "c", "d")
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
    has_copies: ClassVar[bool] = True
    """Whether a language model is told the worlds as they were when the entries were written, see `worlds`."""

    id: str
    sentence: str
    scene: str
    world: str = "kitchen"
    note: str = ""
    group: str = ""

    @property
    def groups(self) -> Texts:
        """The lines of the table, within its kind, in which it counts."""
        return (self.group,)

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


RENAMED = {"set": "group", "family": "group", "false": "untrue", "ask": "asks", "say": "sentence"}
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
    refuse: bool = False
    any_order: bool = False
    done: Texts = ()

    @property
    def must_decline(self) -> bool:
        """Whether nothing is to be done: only a refusal or a question is right."""
        return bool(self.inexpressible) or (self.refuse and not (self.ends or self.order))


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


@dataclass(frozen=True, kw_only=True)
class Wording(Instruction):
    """One of the wordings of a goal; its group is the world."""

    files = "wording_{half}.yaml"
    has_copies = False

    names: bool = True

    @classmethod
    def all_of(cls, document: Mapping[str, Any]) -> Iterator[Self]:
        """Yield an entry for each wording of a goal."""
        shared = {key: value for key, value in document.items() if key not in ("id", "wordings")}
        group = shared.get("world", cls.world)
        for number, words in enumerate(document.get("wordings", ()), 1):
            yield cls.read({**shared, "set": group, "id": f"{document.get('id')}.{number:02}", "sentence": words})


@dataclass(frozen=True, kw_only=True)
class SayCan(Instruction):
    """An instruction of SayCan, whose words stand in the data that are not part of the project."""

    files = "saycan_{half}.yaml"
    has_copies = False

    names: bool = True
    world: str = "office"
    sentence: str = ""

    @property
    def groups(self) -> Texts:
        """Its family, and whether it can be expressed at all."""
        possible = "inexpressible" if self.inexpressible else "to be declined" if self.must_decline else "expressible"
        return (self.group, possible)


@dataclass(frozen=True, kw_only=True)
class Moving(Entry):
    """A line that is said to a robot while it moves; `effect` is ``back``, ``stop`` or ``none``."""

    files = "moving_{half}.yaml"
    has_copies = False

    goal: str
    steps_done: int
    effect: str

    @property
    def groups(self) -> Texts:
        """What it has to bring about."""
        return (self.effect,)


class Way(NamedTuple):
    """A way in which an instruction may come out.

    Attributes:
        ends: Lists of conditions; one of each list must hold in the end.
        checks: What is measured in the end, all of it.
    """

    ends: tuple[Texts, ...]
    checks: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, kw_only=True)
class Spatial(Entry):
    """An instruction with values or places in ordinary words, carried out and measured."""

    files = "spatial_{half}.yaml"
    has_copies = False

    ends: Texts = ()
    checks: tuple[Mapping[str, Any], ...] = ()
    options: tuple[Mapping[str, Any], ...] = ()
    asks: bool = False
    refuse: bool = False
    reject: Texts = ()
    sort: str = ""

    @property
    def groups(self) -> Texts:
        """Its world, and its sort."""
        return tuple(filter(None, (self.world, self.sort)))

    @property
    def ways(self) -> tuple[Way, ...]:
        """The ways in which it may come out: each option with what holds beside them; none where nothing is given.

        Raises:
            UsageError: An option has a key that is unknown.
        """
        options = self.options or (({},) if self.ends or self.checks else ())
        return tuple(self._with(option) for option in options)

    def _with(self, option: Mapping[str, Any]) -> Way:
        if unknown := option.keys() - {"ends", "checks"}:
            raise UsageError(f"{self.id}: unknown key {sorted(unknown)[0]} of an option; there are ends and checks")
        ends = filter(None, (self.ends, tuple(option.get("ends", ()))))
        return Way(tuple(ends), (*self.checks, *option.get("checks", ())))


AT_REST, HELD = "idle", "held"
"""When a turn is said: the robot has finished or waits for an answer; or was told to wait and waits."""


@dataclass(frozen=True, kw_only=True)
class Turn(Entry):
    """What a person says in an exchange; the world, the scene and the topics are those of the exchange.

    Attributes:
        when: `AT_REST`, `HELD`, or after how many steps of what runs.
        expect: All reactions that are acceptable.
        number: Its number in the exchange, from 1.
    """

    files = ""

    expect: Texts
    when: str | int = AT_REST
    ends: Texts = ()
    never: Texts = ()
    order: tuple[tuple[str, str], ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    answer: Mapping[str, Any] = field(default_factory=dict)
    untrue: Texts = ()
    topics: Texts = ()
    number: int = 1

    @property
    def groups(self) -> Texts:
        """The topics of its exchange, and whether it opens it."""
        return ("openings" if self.number == 1 else "later turns", *self.topics)

    @property
    def takes_back(self) -> bool:
        """Whether the robot must not go on as before."""
        declined = {"ask", "refuse"}
        return declined < declined.union(self.expect) <= {"stop", "hold", "edit", "instead", *declined}


@dataclass(frozen=True, kw_only=True)
class Dialogue(Entry):
    """An exchange of several turns, from the beginning of a scene on."""

    files = "dialogue_{half}.yaml"
    has_copies = False

    turns: tuple[Turn, ...]
    topics: Texts = ()
    sentence: str = ""

    @property
    def groups(self) -> Texts:
        """Its topics."""
        return self.topics

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """Read an exchange.

        Raises:
            UsageError: It, or a turn, has a key that is unknown, or lacks one.
        """
        shared = {key: document[key] for key in ("world", "scene", "topics") if key in document}
        turns = [
            Turn.read({**_when(turn), **shared, "id": f"{document.get('id')}.{number}", "number": number})
            for number, turn in enumerate(document.get("turns", ()), 1)
        ]
        said = " / ".join(turn.sentence for turn in turns)
        return super().read({**document, "turns": turns, "sentence": said})


def _when(turn: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a turn whose time is a text, or the number of steps alone."""
    when = turn.get("when", AT_REST)
    return {**turn, "when": when["after_steps"] if isinstance(when, Mapping) else when}


KINDS: Mapping[str, type[Entry]] = {
    "household": Instruction,
    "refusals": Refusal,
    "programs": Program,
    "questions": Question,
    "corrections": Correction,
    "slips": Slip,
    "wording": Wording,
    "dialogue": Dialogue,
    "spatial": Spatial,
    "saycan": SayCan,
    "moving": Moving,
}
"""The class of the entries of each kind of file."""


def load(
    kind: str, half: str = "a", folder: Path = HERE, data: Path | None = None, *, bare: bool = False
) -> tuple[Any, ...]:
    """Return the entries of a kind, in the order of the files.

    Args:
        kind: One of `KINDS`.
        half: ``a``, or ``b``, ``c`` or ``d``, which are held out.
        folder: Where the files are.
        data: The folder of SayCan's instructions, for their words.
        bare: Whether these words are without "How would you".

    Raises:
        UsageError: There is no such half, a file cannot be used, or two entries have one name.
    """
    of_kind = KINDS[kind]
    files = sorted(folder.glob(of_kind.files.format(half=half)))
    if half not in HALVES or (half > "b" and not files):  # few sets have further parts
        known = [each for each in HALVES if [*folder.glob(of_kind.files.format(half=each))]]
        raise UsageError(f"there is no half '{half}' of {kind}; there is {', '.join(known)}")
    entries: dict[str, Entry] = {}
    for file in files:
        try:
            documents = yaml.safe_load(file.read_text(encoding="utf-8"))
        except (OSError, yaml.YAMLError) as error:
            raise UsageError(f"{file}: {error}") from error
        for entry in _entries_of(of_kind, documents or (), data, bare=bare):
            if entry.id in entries:
                raise UsageError(f"{file}: two entries are called {entry.id}")
            entries[entry.id] = entry
    return tuple(entries.values())


def _entries_of(
    of_kind: type[Entry], documents: Sequence[Mapping[str, Any]], data: Path | None, *, bare: bool
) -> Iterator[Entry]:
    said = _saycan(data, bare=bare) if of_kind is SayCan else {}
    for document in documents:
        if issubclass(of_kind, Wording):
            yield from of_kind.all_of(document)
        elif of_kind is SayCan:
            words = said.get(str(document.get("id")))
            if words is None:
                raise UsageError(f"{document.get('id')}: {data} has no such instruction")
            yield of_kind.read({**document, "sentence": words})
        else:
            yield of_kind.read(document)


def _saycan(data: Path | None, *, bare: bool) -> Mapping[str, str]:
    """Return the words of SayCan's instructions, by id.

    Raises:
        UsageError: They are not there.
    """
    if data is None:
        raise UsageError("the sentences of saycan are not part of the project; --data is the folder of saycan_101.json")
    try:
        read = json.loads((data / "saycan_101.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{data / 'saycan_101.json'}: {error}") from error
    return {each["id"]: each["instruction_bare" if bare else "instruction"] for each in read["instructions"]}


def _fixed(value: Any) -> Any:  # noqa: ANN401 - data
    """Return lists as tuples, and texts that were folded on one line."""
    if isinstance(value, list):
        return tuple(map(_fixed, value))
    return value
