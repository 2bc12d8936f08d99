"""The worlds of the sentences: those of the project as they are now, or copies of them from an earlier time.

What is recorded of a language model hangs on the world that it was told. The sentences of the first sets are said to a
model in copies from the time when they were written, ``worlds/NAME``. The later sets are said in the worlds of today;
a recording keeps a copy of each, ``FILE.worlds/NAME``, which `replay:FILE` reads. Without a model, the worlds of today
count for all: their words and phrases are what is measured. The scenes never change.

A session is given the files by a path from the root of the checkout, so that what is told of a world is the same on
every machine. `digests` tells whether a file of the data or of the copies was changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from affordances.scene import Scene
from domains.capability import effects_of
from domains.model import Domain
from domains.reader import load_domain, load_scene
from domains.reader.bases import whole_text
from domains.world import World
from planning import Valid, validate_actions
from semantics.errors import UsageError
from semantics.logic.atoms import Formula
from semantics.logic.conditions import expanded
from semantics.logic.parsing import parse_formula
from semantics.logic.state import Action, State
from semantics.logic.vocabulary import Thing

__all__ = [
    "BODIES",
    "ROOT",
    "SUMS",
    "Place",
    "copy_of",
    "digest_of",
    "digests",
    "keep_worlds",
    "place_of",
    "scene_file",
    "world_file",
    "worlds_beside",
]

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
SUMS = HERE / "SHA256SUMS"
BODIES = {"kitchen": "fake", "office": "fake"}
"""The body of each world whose truth is known without physics; the other worlds have the symbolic one."""


def copy_of(world: str) -> Path:
    """Return the copy of a world from the time of the first sets, from the root of the checkout."""
    return (HERE / "worlds" / world / "domain.yaml").relative_to(ROOT)


def world_file(world: str, model: str = "offline", *, has_copies: bool = False) -> Path:
    """Return the file of a world, from the root of the checkout if it is in it.

    Args:
        world: Its name.
        model: Who reads the words: a model by name.
        has_copies: Whether a model is told the copy from the time of the first sets.
    """
    name, _, recording = model.partition(":")
    if name == "replay" and (kept := worlds_beside(Path(recording)) / world / "domain.yaml").exists():
        return kept.relative_to(ROOT) if kept.is_relative_to(ROOT) else kept
    today = ROOT / "domains" / world / "domain.yaml"
    if not today.exists() or (has_copies and name != "offline"):
        return copy_of(world)
    return today.relative_to(ROOT)


def worlds_beside(recording: Path) -> Path:
    """Return the folder of the worlds that a recording was made in."""
    return recording.with_name(f"{recording.name}.worlds")


def keep_worlds(recording: Path, worlds: Iterable[str]) -> None:
    """Copy worlds beside a recording, each as one file with all that it extends.

    Raises:
        UsageError: One of them is not any more what the recording was made in.
    """
    for world in worlds:
        file, text = worlds_beside(recording) / world / "domain.yaml", whole_text(ROOT / world_file(world))
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        elif file.read_text(encoding="utf-8") != text:
            raise UsageError(f"the world {world} has changed since {recording} was begun; record into another file")


@cache
def digest_of(file: Path) -> str:
    """Return the SHA-256 of a world with all that it extends."""
    return hashlib.sha256(whole_text(ROOT / file).encode()).hexdigest()


def scene_file(world: str, scene: str) -> Path:
    """Return the file of a scene, from the root of the checkout: one of the world, or one made for the sentences."""
    own = HERE / "worlds" / world / "scenes" / f"{scene}.yaml"
    return (own if own.exists() else HERE / "scenes" / f"{scene}.yaml").relative_to(ROOT)


def digests() -> dict[str, str]:
    """Return the SHA-256 of every file of the data and of the worlds, by its path from this folder."""
    files = (*HERE.glob("*.yaml"), *HERE.glob("scenes/*.yaml"), *HERE.glob("worlds/**/*.yaml"))
    return {str(file.relative_to(HERE)): hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(files)}


@dataclass(frozen=True)
class Place:
    """A scene with all that is true in it, also what the robot does not know.

    Attributes:
        domain: The world.
        things: What exists, by name.
        truth: The true state at the beginning.
        fixed: Predicates whose facts nothing changes.
        hidden: Things that the robot has not seen.
    """

    domain: Domain
    things: Mapping[str, Thing]
    truth: State
    fixed: frozenset[str]
    hidden: frozenset[str]

    def condition(self, text: str) -> Formula:
        """Read a condition in PDDL, and replace its quantifiers by the things they range over."""
        ranged = {
            name: Thing(name, thing.class_name, self._sets_of(thing), thing.kinds)
            for name, thing in self.things.items()
        }
        return expanded(parse_formula(text, variables=True, adl=True), ranged)

    def _sets_of(self, thing: Thing) -> frozenset[str]:
        """Return the classes and kinds of a thing, and what it affords unless a class or a kind has that name."""
        other = {*self.domain.classes, *self.domain.kinds}
        return (thing.affordances - other) | thing.kinds | {thing.class_name}

    def after(self, steps: tuple[str, ...]) -> State | None:
        """Return the state after steps, from the true beginning; None if one of them cannot be done there."""
        problem = World(self.domain, self.things).problem(self.truth)
        ended = validate_actions([Action.read(step) for step in steps], problem)
        return ended.state if isinstance(ended, Valid) else None


@cache
def place_of(world: str, scene: str, file: str = "") -> Place:
    """Return a scene.

    Args:
        world: The name of the world.
        scene: The name of the scene.
        file: The file of the world, from the root of the checkout; by default that of today.
    """
    domain = load_domain(str(ROOT / (file or world_file(world))))
    written = load_scene(domain, str(ROOT / scene_file(world, scene)))
    changing = {
        literal.atom.predicate for capability in domain.capabilities.values() for literal in effects_of(capability)
    }
    return Place(
        domain,
        written.things,
        Scene.as_written(written, domain).state,
        frozenset(domain.predicates) - changing - domain.on_demand,
        written.hidden,
    )
