"""`Past`: the contents of an earlier run's record that are needed to resume that run.

The record may end anywhere, even in the middle of a line. Its first event holds the instruction and the settings; a
`goal` event holds the goal in PDDL; the ticks hold the beliefs, and `stated` events name those that were never sensed.
A resumed run writes all of this into its own first event, so that it can itself be interrupted before its first tick.

A record is data from outside: it says what was wanted, and does not decide which model is asked, which socket is
driven and which file is opened (`Past.outside`).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from affordances.newcomers import NAME, KnownThing, box_of
from affordances.scene import SENSED, Belief, source_of
from bt.errors import RecordError
from bt.record import FILE_NAME, read_record
from domains.model import Domain
from domains.reader import scene_path
from domains.world import World
from domains.worlds import ENDINGS, placed
from graftwork.record.episode import Outcome
from graftwork.record.recorder import every_document
from graftwork.setup.limits import Weights
from graftwork.setup.settings import KEPT, Limits, Settings
from semantics.errors import FormulaError
from semantics.logic.atoms import Atom
from semantics.logic.goal import Every, Goal, read_values, values_document
from semantics.logic.parsing import parse_formula
from semantics.logic.quantity import QuantityError
from semantics.plain_text import shortened, whole_characters
from semantics.process.reading import real_path

EARLIER = "an earlier run"  # source of a belief from an earlier run that was never sensed
NAMED = ("domain", "scene", "robot", "model", "seed")
"""Fields of the first event other than its settings; old records have only these."""
SETTLED = frozenset({Outcome.ACHIEVED, Outcome.ALREADY})


@dataclass(frozen=True, slots=True)
class Past:
    """An earlier run that ended or was interrupted."""

    folder: Path  # folder of its record
    instruction: str  # its instruction
    domain: str  # name of its world
    settings: Mapping[str, Any]  # its recorded settings, by their names in `graftwork.setup.settings.Settings`
    goal: Goal | None = None  # its goal; None if it had none yet
    outcome: Outcome | None = None  # its outcome; None if it was interrupted
    sensed: frozenset[Atom] = frozenset()  # facts that it believed at its end and that were sensed
    stated: frozenset[Atom] = frozenset()  # facts that it believed at its end and that were never sensed
    time: float = 0.0  # time of its last event, in seconds of the body's clock
    world: str = ""  # digest of the files of its world; empty if the record has none
    notes: tuple[str, ...] = ()  # notes about resuming it, one sentence each
    things: Mapping[str, KnownThing] = field(default_factory=dict)  # what it knew of things that no file lists, by name
    given: frozenset[str] = frozenset()  # all names that were given to such things, also to those that it had forgotten

    @property
    def is_settled(self) -> bool:
        """Whether it ended with its goal achieved, so that nothing is left to do."""
        return self.outcome in SETTLED

    def outside(self, own: Settings) -> dict[str, str]:
        """Return what its settings name outside this program, and a person's own settings do not.

        This is what a person has to agree to: a model, a socket, a planning engine, a file of a world or a scene. A
        name that this program knows is not among it, nor is a world that the own settings find by its name.

        Args:
            own: The settings without those of the record.
        """
        known = {placed(self.domain, own.domain_path), *(str(getattr(own, name)) for name in self.settings)}
        named = {name: value for name, value in self.settings.items() if isinstance(value, str)}
        return {
            name: value
            for name, value in named.items()
            if value not in known and (re.search(r"[:/\\]|^\.", value) or value.endswith(ENDINGS))
        }

    def beliefs(self, now: float, domain: Domain) -> dict[Atom, Belief]:
        """Return its beliefs, for a body whose clock shows `now`.

        A clock with an earlier time is a different clock; then no belief counts as sensed.
        """
        seen = self.time if now >= self.time else None
        beliefs = {atom: Belief(atom, source_of(atom, domain, SENSED), self.time, seen) for atom in self.sensed}
        if seen is None:
            beliefs = {atom: Belief(atom, EARLIER, now) for atom in self.sensed}
        return beliefs | {atom: Belief(atom, EARLIER, min(now, self.time)) for atom in self.stated}

    def at(self, domain: Domain, body: str, *, anew: bool) -> Past:
        """Return it adapted to a world as it is now, with notes about the differences.

        Args:
            domain: The model of the world.
            body: The kind of body.
            anew: Whether the body's world started again with its process; then earlier beliefs are dropped.
        """
        notes = []
        if self.world and world_digest(domain, str(self.settings.get("scene", ""))) not in ("", self.world):
            notes.append("the files of this world have changed since; it goes on by what they say now")
        if not anew:  # facts about obstacles are not predicates of the world, and are not restored
            sensed, stated = (
                frozenset(atom for atom in facts if atom.predicate in domain.predicates)
                for facts in (self.sensed, self.stated)
            )
            return replace(self, sensed=sensed, stated=stated, notes=tuple(notes))
        notes.append(f"the world of the {body} body ended with its process, and begins anew as its scene says")
        return replace(self, sensed=frozenset(), stated=frozenset(), time=0.0, notes=tuple(notes))

    def told(self) -> dict[str, Any]:
        """Return it as the field ``resumes`` of the resumed run's first event."""
        return {
            "record": str(self.folder),
            "goal": None if self.goal is None else _goal_document(self.goal),
            "sensed": sorted(map(str, self.sensed)),
            "stated": sorted(map(str, self.stated)),
            "t": self.time,
            **({"things": [thing.as_dict() for thing in self.things.values()]} if self.things else {}),
            **({"given": sorted(self.given)} if self.given else {}),
        }


def read_past(record: Path | str) -> Past:
    """Read a record, given by its file or folder.

    Raises:
        RecordError: The record is missing, cannot be read, or ends before its first event.
    """
    place = Path(record)
    events = read_record(place)
    if not events or events[0]["e"] != "start":
        raise RecordError(f"'{place}' was cut off before it said what was asked for; give the instruction again")
    begin = events[0]
    if any(event["e"] == "program" for event in events):
        raise RecordError(f"'{place}' is of a program, whose values went with it: begin that again with --program")
    try:
        past = _folded(_earlier(place, begin), events[1:])
        # The record of the resumed run must be able to hold it: no half characters, no numbers that are not finite.
        json.dumps([past.instruction, past.settings, past.told()], ensure_ascii=False, allow_nan=False).encode()
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, FormulaError, QuantityError) as error:
        raise RecordError(
            f"'{place}' is no record that this program can go on from: {shortened(repr(error), 300)}"
        ) from error
    return past


def folder_beside(folder: Path) -> Path:
    """Return a new folder for the record of a resumed run, beside that of the earlier run."""
    whole = real_path(folder)
    numbered = (whole.with_name(f"{whole.name}-{number}") for number in range(2, 1_000_000))
    return next(place for place in numbered if not place.exists())


def _earlier(place: Path, begin: Mapping[str, Any]) -> Past:
    """Read the first event, with the earlier run that it may itself have resumed."""
    before = begin.get("resumes") or {}
    settings = {name: begin[name] for name in NAMED if begin.get(name) is not None} | dict(begin.get("settings") or {})
    goal = before.get("goal") or (
        {"formula": begin["formula"], "values": begin.get("values")} if begin.get("formula") else None
    )
    return Past(
        folder=place.parent if place.name == FILE_NAME else place,
        instruction=str(begin["instruction"]),
        domain=str(begin["domain"]),
        settings={name: value for name, value in settings.items() if name in KEPT and value is not None},
        goal=None if goal is None else _goal(goal, str(begin["instruction"])),
        sensed=_atoms(before.get("sensed", ())),
        stated=_atoms(before.get("stated", ())),
        time=float(before.get("t", 0.0)),
        world=str(begin.get("world") or ""),
        things=_things(before.get("things", ())),
        given=frozenset(filter(NAME.fullmatch, map(str, before.get("given", ())))),
    )


def _folded(past: Past, events: Sequence[Mapping[str, Any]]) -> Past:
    """Update a past with all later events of its record."""
    goal, stated, end = past.goal, past.stated, None
    believed: set[Atom] | None = None
    for event in events:
        match event["e"]:
            case "goal":
                goal = _goal(event, past.instruction)
            case "stated":
                stated = _atoms(event["facts"])
            case "tick" if event.get("facts"):
                believed = believed or set()
                believed |= _atoms(event["facts"]["+"])
                believed -= _atoms(event["facts"]["-"])
            case "end":
                end = event
    if believed is not None:
        past = replace(past, sensed=frozenset(believed) - stated, stated=stated & believed)
    if end is not None:
        past = replace(past, outcome=Outcome(end["outcome"]))
    times = (float(event["t"]) for event in events if isinstance(event.get("t"), int | float))
    return _grown(replace(past, goal=goal, time=max(times, default=past.time)), events)


def _grown(past: Past, events: Sequence[Mapping[str, Any]]) -> Past:
    """Update what a past knows of things that no file lists, and where each was seen last."""
    things, given = dict(past.things), past.given
    for event in events:
        if event["e"] == "revision":
            things |= (new := _things(event["things"]))
            given |= new.keys()
            things = {name: thing for name, thing in things.items() if name not in event["forgotten"]}
        elif event["e"] == "view" and things:
            boxes = {name: box for name, box in event["things"].items() if name in things}
            things |= {name: replace(things[name], box=box_of(box)) for name, box in boxes.items()}
    return replace(past, things=things, given=given)


def _goal(document: Mapping[str, Any], instruction: str) -> Goal:
    formula = parse_formula(str(document["formula"]), adl=True)
    text, *notes = map(whole_characters, map(str, (document.get("text") or instruction, *document.get("notes", ()))))
    later = tuple(_goal(stage, "") for stage in document.get("later", ()))
    goal = Goal(formula, text, tuple(notes), later, read_values(document.get("values") or {}))
    first, *others = (
        tuple(Every(str(each["words"]), tuple(map(str, each["names"])), str(each["affordance"])) for each in stage)
        for stage in document.get("every") or [()] * len(goal.stages)
    )
    later = tuple(replace(stage, every=every) for stage, every in zip(later, others, strict=True))
    return replace(goal, every=first, later=later)


def _goal_document(goal: Goal) -> dict[str, Any]:
    later = [
        {"formula": str(stage.formula), "text": stage.text} | values_document(stage.values) for stage in goal.later
    ]
    document = {"formula": str(goal.formula), "text": goal.text, "notes": list(goal.notes)} | values_document(
        goal.values
    )
    return document | ({"later": later} if later else {}) | every_document(goal)


def _things(documents: Iterable[Mapping[str, Any]]) -> dict[str, KnownThing]:
    return {thing.name: thing for thing in map(KnownThing.from_dict, documents)}


def _atoms(texts: Iterable[str]) -> frozenset[Atom]:
    """Read facts in the form of a record: ``(on cup0 table0)``."""
    return frozenset(_atom(str(text)) for text in texts)


def _atom(text: str) -> Atom:
    if not (text.startswith("(") and text.endswith(")")):
        raise ValueError(f"'{text}' is no fact")
    name, *args = text[1:-1].split()
    return Atom(name, tuple(args))


def world_digest(domain: Domain, scene: str) -> str:
    """Return the SHA-256 of the files of a world and one of its scenes; empty if a file cannot be read."""
    digest = hashlib.sha256()
    try:
        for file in (*map(Path, (domain.source or "", *domain.ancestry.bases)), scene_path(domain, scene)):
            digest.update(file.read_bytes())
    except OSError:
        return ""
    return digest.hexdigest()


def about(world: World, asked: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """Return the fields of a record's first event that resuming its run needs.

    Args:
        world: The world and its scene.
        asked: The arguments of the session, by their names in `graftwork.setup.settings.Settings`. A custom object is
            stored as None; a path is stored as an absolute path.
        limits: The time limits.
    """
    settings = {name: value for name, value in asked.items() if name in KEPT}
    settings |= {name: None for name in ("robot", "planner") if not isinstance(asked[name], str)}
    for name, value in settings.items():
        kind, colon, place = value.rpartition(":") if isinstance(value, str) else ("", "", "")
        # Only the last part may be a path: a model's name may hold a slash, as in openai:maker/model:size.
        if "/" in place:
            settings[name] = f"{kind}{colon}{Path(place).absolute()}"
    scene = str(asked["scene"])
    if "/" not in scene:
        settings["scene"] = world.scene
    settings |= {name: value for name, value in asdict(limits).items() if name in KEPT}
    settings |= {"patience": "auto" if limits.patience is None else limits.patience}
    settings |= {"costs": dict(asked["costs"] or {}), "weights": asdict(asked["weights"] or Weights())}
    return {"settings": settings, "world": world_digest(world.domain, scene)}
