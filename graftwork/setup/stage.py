"""Opening a world: its files, a body in it, the first look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import dist
from pathlib import Path

from affordances.mapping import EvidenceStore, ObjectAffordances
from affordances.mapping.beliefs import believed_things
from affordances.mapping.object_affordances import THRESHOLD
from affordances.scene import Scene
from affordances.watcher import Watcher
from bt.execution.step import interlocked
from bt.recovery import Parking
from domains.model import Domain, SceneFile
from domains.reader import load_domain, load_scene
from graftwork.memory import Memory
from graftwork.record.episode import Stopwatch
from graftwork.setup.bodies import body_named, robot_for
from graftwork.setup.limits import Weights
from graftwork.setup.prices import Pricing, pricing
from robots.perturb import perturbed
from robots.served import BodyServer
from semantics.protocols import Robot
from semantics.state import State

__all__ = ["Stage", "open_stage", "priced", "serve_body", "with_learned"]


NO_FURNITURE = 100.0
"""What has no place to work at (the floor) counts as this far, in metres: something is set down there only for want of
anything better."""


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
    def parking(self) -> Parking:
        """How far each place is from where the robot is, between where it stands to work at them, by what it sees now.

        Where a body tells nothing of that, one place is as good as another.
        """
        seen, robot, at_place = self.robot.observation(), self.robot.name, self.domain.conventions.at
        stands = {name: sighting.stand for name, sighting in seen.sightings.items() if sighting.stand is not None}
        if not stands:
            return Parking()

        def distance(place: str, state: State) -> float:
            target = stands.get(place)
            if target is None:
                return NO_FURNITURE
            at = (atom.args[1] for atom in state.atoms if atom.predicate == at_place and atom.args[:1] == (robot,))
            current = next((stands[name] for name in sorted(at) if name in stands), None)
            return 0.0 if current is None else dist((current.x, current.y), (target.x, target.y))

        return Parking(distance)


def open_stage(
    domain: str,
    scene: str,
    robot: str | Robot,
    seed: int,
    watch: Stopwatch,
    evidence: EvidenceStore | None = None,
    threshold: float = THRESHOLD,
    costs: Mapping[str, int] | None = None,
) -> Stage:
    """Read the files, build the body and look around.

    Args:
        domain: Name or path of the world.
        scene: Name or path of the scene.
        robot: Name of a body, or one of your own.
        seed: Moves the scene a little; 0 leaves it as written.
        watch: Takes the time.
        evidence: Evidence learned about classes in earlier runs, or None.
        threshold: From which probability on a class counts as having an affordance.
        costs: Of each action of a class of agents, other than the world says.

    Raises:
        EvidenceFileError: What was learned cannot be read.
        UsageError: A name or a file is wrong.
        OutsideError: The body is not there.
    """
    learned = (
        None if evidence is None else evidence.load()
    )  # first, so that a damaged file is told before anything is built
    with watch.stage("load"):
        world = load_domain(domain).with_costs(costs or {})
        written = load_scene(world, scene)
        if seed and written.layout is not None:
            written = replace(written, layout=perturbed(written.layout, seed))
        written = with_learned(written, world, learned, threshold)
    with watch.stage("robot"):
        body = robot_for(robot, world, written)
    try:
        with watch.stage("sense"):
            watcher = Watcher(body, Scene.start(written, world), world)
            watcher.refresh()
    except BaseException:
        body.close()
        raise
    kind = body_named(robot, written).partition(":")[0] if isinstance(robot, str) else body.name
    return Stage(world, written, interlocked(body), watcher, kind)


def priced(weights: Weights, stage: Stage, memory: Memory | None, evidence: EvidenceStore | None) -> Pricing:
    """Return what actions cost on a stage, by weights and by what is remembered of earlier runs.

    Raises:
        MemoryFileError, EvidenceFileError: A file cannot be read.
    """
    if not weights:
        return Pricing(stage.domain, stage.scene_file.things)
    return pricing(
        weights,
        stage.domain,
        stage.scene_file.things,
        stage.robot.observation(),
        None if evidence is None else evidence.load(),
        () if memory is None else memory.tried(stage.domain.name),
    )


def with_learned(scene: SceneFile, domain: Domain, learned: ObjectAffordances | None, threshold: float) -> SceneFile:
    """Return a scene whose things have the affordances that are probable enough, by what was learned of classes.

    Where nothing was, and the threshold is the usual one, it is the same scene: the author's word is more probable than
    that.
    """
    if not learned and threshold == THRESHOLD:
        return scene
    return replace(scene, things=believed_things(scene.things, domain, learned or ObjectAffordances(), threshold))


@contextmanager
def serve_body(domain: str, scene: str, robot: str, seed: int, at: Path) -> Iterator[tuple[BodyServer, SceneFile]]:
    """Build a body and the server that holds it, and close both in the end; `BodyServer.serve` is the caller's to call.

    Raises:
        UsageError: A name or a file is wrong.
        OutsideError: The body is not there, or no socket can be made at `at`.
    """
    world = load_domain(domain)
    written = load_scene(world, scene)
    if seed and written.layout is not None:
        written = replace(written, layout=perturbed(written.layout, seed))
    body = robot_for(robot, world, written)
    try:
        server = BodyServer(body, at)
        try:
            yield server, written
        finally:
            server.close()
    finally:
        body.close()
