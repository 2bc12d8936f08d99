"""Opening a world: its files, a body in it, the first look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from affordances.mapping import EvidenceStore
from affordances.mapping.believing import believed_things
from affordances.mapping.object_affordances import ObjectAffordances
from affordances.scene import Scene
from affordances.watcher import Watcher
from domains.model import Domain, SceneFile
from domains.reading import load_domain, load_scene
from graftwork.memory import Memory
from graftwork.pricing.pricing import Pricing, pricing
from graftwork.pricing.weights import Weights
from graftwork.staging.registry import kind_of, robot_for
from graftwork.stopwatch import Stopwatch
from robots.perturb import perturbed
from semantics.protocols import Robot

__all__ = ["Learned", "Stage", "open_stage", "priced", "with_learned"]


@dataclass(frozen=True, slots=True)
class Stage:
    """A world with a body in it.

    Attributes:
        domain: The world.
        scene_file: The scene as written, its layout moved a little when a seed says so, and its things with the
            affordances that are believed of them.
        robot: The body.
        watcher: What is believed, after the first look.
        body: Name of the kind of body, such as ``pybullet``; of one of your own, its class.
    """

    domain: Domain
    scene_file: SceneFile
    robot: Robot
    watcher: Watcher
    body: str

    @property
    def names(self) -> dict[str, Any]:
        """Fields of an episode that say where it is."""
        return {"domain": self.domain.name, "scene": self.scene_file.name}


@dataclass(frozen=True, slots=True)
class Learned:
    """What is believed of classes beyond their author's word, and the least probability that counts."""

    evidence: ObjectAffordances
    threshold: float


def open_stage(
    domain: str,
    scene: str,
    robot: str | Robot,
    seed: int,
    watch: Stopwatch,
    learned: Learned | None = None,
    costs: Mapping[str, int] | None = None,
) -> Stage:
    """Read the files, build the body and look around.

    Args:
        domain: Name or path of the world.
        scene: Name or path of the scene.
        robot: Name of a body, or one of your own.
        seed: Moves the scene a little; 0 leaves it as written.
        watch: Takes the time.
        learned: What is believed of classes beyond their author's word; None when that alone counts.
        costs: Of each action of a class of agents, other than the world says.

    Raises:
        UsageError: A name or a file is wrong.
        OutsideError: The body is not there.
    """
    with watch.stage("load"):
        world = load_domain(domain).with_costs(costs or {})
        written = load_scene(world, scene)
        if written.layout is not None:
            written = replace(written, layout=perturbed(written.layout, seed))
        written = with_learned(written, world, learned)
    with watch.stage("robot"):
        body = robot_for(robot, world, written)
    try:
        with watch.stage("sense"):
            watcher = Watcher(body, Scene.start(written, world), world)
            watcher.refresh()
    except BaseException:
        body.close()
        raise
    return Stage(world, written, body, watcher, kind_of(robot, body, written))


def priced(weights: Weights, stage: Stage, memory: Memory | None, kept: EvidenceStore | None) -> Pricing:
    """Return what actions cost on a stage, by weights and by what is remembered of earlier runs.

    Raises:
        MemoryFileError, EvidenceFileError: A file cannot be read.
    """
    known = bool(weights)
    return pricing(
        weights,
        stage.domain,
        stage.scene_file.things,
        stage.robot.observation(),
        kept.load() if known and kept is not None else None,
        memory.tried(stage.domain.name) if known and memory is not None else (),
    )


def with_learned(scene: SceneFile, domain: Domain, learned: Learned | None) -> SceneFile:
    """Return a scene whose things have the affordances that are probable enough; the same scene when none is known."""
    if learned is None:
        return scene
    return replace(scene, things=believed_things(scene.things, domain, learned.evidence, learned.threshold))
