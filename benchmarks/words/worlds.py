"""The worlds of the sentences, as they were when the sentences were written: copies, which later changes do not move.

A session is given their files by a path from the root of the checkout, so that a prompt that names its world is the
same on every machine. `digests` tells whether a file of the data or of the worlds was changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from affordances.scene import Scene
from domains.capability import effects_of
from domains.model import Domain
from domains.reader import load_domain, load_scene
from domains.world import World
from planning import Valid, validate_actions
from semantics.logic.atoms import Formula
from semantics.logic.conditions import expanded
from semantics.logic.parsing import parse_formula
from semantics.logic.state import Action, State
from semantics.logic.vocabulary import Thing

__all__ = ["BODIES", "ROOT", "SUMS", "Place", "digests", "place_of", "scene_file", "world_file"]

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
SUMS = HERE / "SHA256SUMS"
BODIES = {"kitchen": "fake"}
"""The body of each world whose truth is known without physics; the other worlds have the symbolic one."""


def world_file(world: str) -> Path:
    """Return the file of a world, from the root of the checkout."""
    return (HERE / "worlds" / world / "domain.yaml").relative_to(ROOT)


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
def place_of(world: str, scene: str) -> Place:
    """Return a scene."""
    domain = load_domain(str(ROOT / world_file(world)))
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
