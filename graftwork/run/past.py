"""`Past`: what a record tells of the run that left it, as far as going on needs it.

The record may have been cut off anywhere, in the middle of a line too. The first event has the instruction and the
settings; a `goal` event what was understood, in PDDL; the ticks what was believed, of which `stated` events name what
nobody had sensed. A run that goes on from another has all of this in its own first event, so that it can itself be cut
off before its first tick.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from affordances.scene import SENSED, Belief
from bt.errors import RecordError
from bt.record import FILE_NAME, read_record
from domains.model import Domain
from domains.reader import scene_path
from graftwork.record.episode import Outcome
from graftwork.setup.limits import Limits, Weights
from graftwork.setup.settings import Settings
from graftwork.setup.stage import Stage
from semantics.atoms import Atom
from semantics.errors import FormulaError
from semantics.goal import Goal
from semantics.parsing import parse_formula

__all__ = ["Past", "about", "folder_beside", "read_past", "world_digest"]


EARLIER = "an earlier run"
"""Source of a belief that an earlier run held and nobody had sensed."""
NAMED = ("domain", "scene", "robot", "model", "seed")
"""What the first event names besides its settings; all there is in records that have none."""
NOT_TAKEN = frozenset({"memory", "record", "domain_path"})
"""Settings of the place a run is started from, not of the run."""
SETTLED = frozenset({Outcome.ACHIEVED, Outcome.ALREADY})


@dataclass(frozen=True, slots=True)
class Past:
    """What is known of a run that ended or was broken off.

    Attributes:
        folder: Of its record.
        instruction: What was said.
        domain: Name of its world.
        settings: With which settings, by name; those of `graftwork.setup.settings.Settings` that it told.
        goal: What was understood; None when it had not got that far.
        outcome: How it ended; None when it was broken off.
        summary: The sentence it ended with.
        sensed: Facts that were held true at its end and had been sensed.
        stated: Facts that were held true and that nobody had sensed.
        time: Of its last event, in seconds of the body's clock.
        world: Digest of the files of its world; empty when it told none.
        notes: What is to be known of going on, one sentence each.
    """

    folder: Path
    instruction: str
    domain: str
    settings: Mapping[str, Any]
    goal: Goal | None = None
    outcome: Outcome | None = None
    summary: str = ""
    sensed: frozenset[Atom] = frozenset()
    stated: frozenset[Atom] = frozenset()
    time: float = 0.0
    world: str = ""
    notes: tuple[str, ...] = ()

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to be done: it had ended with its goal achieved."""
        return self.outcome in SETTLED

    def beliefs(self, now: float) -> dict[Atom, Belief]:
        """Return what was believed, for a body whose clock shows `now`.

        A clock that shows less than it did is another one: then nothing counts as having been sensed.
        """
        seen = self.time if now >= self.time else None
        beliefs = {atom: Belief(atom, SENSED, self.time, seen) for atom in self.sensed}
        if seen is None:
            beliefs = {atom: Belief(atom, EARLIER, now) for atom in self.sensed}
        return beliefs | {atom: Belief(atom, EARLIER, min(now, self.time)) for atom in self.stated}

    def at(self, stage: Stage, *, anew: bool) -> Past:
        """Return it as it is to be gone on with on a stage, with notes on what is another than it was.

        Args:
            stage: The world as it is now.
            anew: Whether the body's world has begun anew with its process: then nothing is believed of before.
        """
        notes = []
        if self.world and world_digest(stage.domain, str(self.settings.get("scene", ""))) not in ("", self.world):
            notes.append("the files of this world have changed since; it goes on by what they say now")
        if not anew:  # what the body had met in its way is no fact of the world, and is not believed for good
            sensed, stated = (
                frozenset(atom for atom in facts if atom.predicate in stage.domain.predicates)
                for facts in (self.sensed, self.stated)
            )
            return replace(self, sensed=sensed, stated=stated, notes=tuple(notes))
        notes.append(f"the world of the {stage.body} body ended with its process, and begins anew as its scene says")
        return replace(self, sensed=frozenset(), stated=frozenset(), time=0.0, notes=tuple(notes))

    def told(self) -> dict[str, Any]:
        """Return it as the field ``resumes`` of the first event of the run that goes on."""
        return {
            "record": str(self.folder),
            "goal": None if self.goal is None else _goal_document(self.goal),
            "sensed": sorted(map(str, self.sensed)),
            "stated": sorted(map(str, self.stated)),
            "t": self.time,
        }


def read_past(record: Path | str) -> Past:
    """Read what a record, given as its file or folder, tells of its run.

    Raises:
        RecordError: There is none, it cannot be read, or it was cut off before it said what was asked for.
    """
    place = Path(record)
    events = read_record(place)
    if not events or events[0]["e"] != "start":
        raise RecordError(f"'{place}' was cut off before it said what was asked for; give the instruction again")
    begin = events[0]
    if any(event["e"] == "program" for event in events):
        raise RecordError(f"'{place}' is of a program, whose values went with it: begin that again with --program")
    try:
        past = _earlier(place, begin)
        return _folded(past, events[1:])
    except (KeyError, TypeError, ValueError, AttributeError, FormulaError) as error:
        raise RecordError(f"'{place}' is no record that this program can go on from: {error!r}") from error


def folder_beside(folder: Path) -> Path:
    """Return a new folder for the record of a run that goes on, beside that of the earlier one."""
    whole = folder.resolve()
    numbered = (whole.with_name(f"{whole.name}-{number}") for number in range(2, 1_000_000))
    return next(place for place in numbered if not place.exists())


def _earlier(place: Path, begin: Mapping[str, Any]) -> Past:
    """Return what the first event says, with what it was itself told of a run before."""
    before = begin.get("resumes") or {}
    settings = {name: begin[name] for name in NAMED if begin.get(name) is not None} | dict(begin.get("settings") or {})
    names = {setting.name for setting in fields(Settings)} - NOT_TAKEN
    goal = before.get("goal")
    return Past(
        folder=place.parent if place.name == FILE_NAME else place,
        instruction=str(begin["instruction"]),
        domain=str(begin["domain"]),
        settings={name: value for name, value in settings.items() if name in names and value is not None},
        goal=None if goal is None else _goal(goal, str(begin["instruction"])),
        sensed=_atoms(before.get("sensed", ())),
        stated=_atoms(before.get("stated", ())),
        time=float(before.get("t", 0.0)),
        world=str(begin.get("world") or ""),
    )


def _folded(past: Past, events: Sequence[Mapping[str, Any]]) -> Past:
    """Follow a run to its last event."""
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
        past = replace(past, outcome=Outcome(end["outcome"]), summary=str(end.get("summary", "")))
    times = (float(event["t"]) for event in events if isinstance(event.get("t"), int | float))
    return replace(past, goal=goal, time=max(times, default=past.time))


def _goal(document: Mapping[str, Any], instruction: str) -> Goal:
    formula = parse_formula(str(document["formula"]), adl=True)
    return Goal(formula, str(document.get("text") or instruction), tuple(map(str, document.get("notes", ()))))


def _goal_document(goal: Goal) -> dict[str, Any]:
    return {"formula": str(goal.formula), "text": goal.text, "notes": list(goal.notes)}


def _atoms(texts: Iterable[str]) -> frozenset[Atom]:
    """Read facts as a record writes them: ``(on cup0 table0)``."""
    return frozenset(_atom(str(text)) for text in texts)


def _atom(text: str) -> Atom:
    if not (text.startswith("(") and text.endswith(")")):
        raise ValueError(f"'{text}' is no fact")
    name, *args = text[1:-1].split()
    return Atom(name, tuple(args))


WHAT = (
    "domain",
    "scene",
    "robot",
    "model",
    "planner",
    "seed",
    "substitute",
    "part",
    "together",
    "affordance_threshold",
)
"""Arguments of a session that are kept as they are."""


def world_digest(domain: Domain, scene: str) -> str:
    """Return the SHA-256 of the files of a world and of one of its scenes; empty where one cannot be read."""
    digest = hashlib.sha256()
    try:
        for file in (Path(domain.source or ""), scene_path(domain, scene)):
            digest.update(file.read_bytes())
    except OSError:
        return ""
    return digest.hexdigest()


def about(stage: Stage, asked: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """Return what the first event of a record keeps, so that its run can be gone on with.

    Args:
        stage: The world and its scene.
        asked: What a session was made with, by the names of `graftwork.setup.settings.Settings`. What a program gave
            as an object of its own is None; a path is written so that it can be followed from anywhere.
        limits: How long things may take.
    """
    settings = {name: value for name, value in asked.items() if name in WHAT}
    settings |= {name: None for name in ("robot", "planner") if not isinstance(asked[name], str)}
    for name, value in settings.items():
        kind, colon, place = value.rpartition(":") if isinstance(value, str) else ("", "", "")
        if "/" in place:  # not in the kind: the name of a model may have one, as in openai:maker/model:size
            settings[name] = f"{kind}{colon}{Path(place).absolute()}"
    scene = str(asked["scene"])
    settings |= {
        "scene": settings["scene"] if "/" in scene else stage.scene_file.name,
        "costs": dict(asked["costs"] or {}),
    }
    patience = "auto" if limits.patience is None else limits.patience
    settings |= asdict(limits) | {"patience": patience, "weights": asdict(asked["weights"] or Weights())}
    return {"settings": settings, "world": world_digest(stage.domain, scene)}
