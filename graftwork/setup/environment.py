"""`Environment`: a body in a world, opened by reading the files, creating the body and observing once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from math import dist
from pathlib import Path
from types import MappingProxyType

from affordances.mapping import ObjectAffordances, believed_things
from affordances.mapping.object_affordances import THRESHOLD
from affordances.scene import Scene
from affordances.watcher import Watcher
from bt.recovery import Parking
from domains.diagnostics import expected
from domains.model import Domain, SceneFile
from domains.reader import load_domain, load_scene
from domains.world import World
from graftwork.memory.evidence import store_beside
from graftwork.record.episode import Stopwatch
from graftwork.setup.bodies import AUTO, body_named, kind_of, robot_for
from graftwork.setup.extensions import Extensions
from robots.informed import Informed
from robots.perturb import perturbed
from robots.real_time import PacedClock, RealTime
from robots.served import BodyServer
from semantics.body.interlock import interlocked
from semantics.body.protocols import Informable, LimitedMotion, Robot, Skill
from semantics.logic.rules import RuleBook
from semantics.logic.state import State

LOOKS, MOST_LOOKS, SENSING = 4, 12, 0.3
"""How often a body looks again at first where a picture may err, at most, and after how many seconds each time."""
NO_FURNITURE = 100.0
"""Distance of a place without a working position (the floor), in metres: an object is put there only if there is no
other place."""


@dataclass(frozen=True, slots=True)
class Environment:
    """A body in a world."""

    robot: Robot  # the body
    watcher: Watcher  # the beliefs, after the first observation; they hold the world at its present revision
    body: str  # name of the kind of body, such as ``pybullet``; for a body object, its own name
    skills: Mapping[str, Skill] = field(default_factory=dict)  # the skills of capabilities, by name of the capability
    notes: tuple[str, ...] = ()  # sentences for a person about what was chosen, such as the body
    pace: PacedClock | None = None  # the clock of the body, if it was slowed down to the wall clock

    @property
    def world(self) -> World:
        """The world at its present revision."""
        return self.watcher.world

    def begin_goal(self) -> None:
        """Sense, and forget what holds for one goal only, since another one is begun: momentary facts, distances."""
        self.watcher.refresh()
        self.watcher.require_distances({})
        momentary = self.world.domain.momentary
        gone = [atom for atom in self.watcher.state.atoms if atom.predicate in momentary] if momentary else []
        if gone:
            if isinstance(self.robot, Informable):
                self.robot.tell(dict.fromkeys(gone, False))
            self.watcher.forget(gone)

    @property
    def parking(self) -> Parking:
        """The distance of each place from the robot's current place, between the working positions that it senses now.

        If a body reports no such positions, all places are equal.
        """
        seen, robot, at_place = self.robot.observation(), self.robot.name, self.world.domain.conventions.at
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


def open_environment(
    domain: str,
    scene: str,
    robot: str | Robot,
    seed: int,
    watch: Stopwatch,
    memory: Path | None = None,
    threshold: float = THRESHOLD,
    costs: Mapping[str, int] | None = None,
    extensions: Extensions | None = None,
    labels: Mapping[str, tuple[str, float]] = MappingProxyType({}),
    *,
    checks: bool = False,
    real_time: bool = False,
) -> Environment:
    """Read the files, create the body and observe once.

    Args:
        domain: Name or path of the world.
        scene: Name or path of the scene.
        robot: Name of a body, or a body object.
        seed: Perturbs the poses of the scene; 0 leaves them as written.
        watch: Measures the time.
        memory: The memory's file; the evidence about classes beside it counts.
        threshold: Minimum probability at which a class counts as having an affordance.
        costs: Cost of each action by class of agent, which replaces the world's.
        extensions: Skills and sensors of the user.
        labels: What a person has let things be treated as earlier, see `World.labels`.
        checks: Whether goals are checked here. Then SWI-Prolog starts beside the body if the world has rules.
        real_time: Whether a simulated body runs no faster than the wall clock.

    Raises:
        EvidenceFileError: The evidence cannot be read.
        UsageError: A name or a file is wrong.
        OutsideError: The body is not available.
    """
    # First, so that a damaged file is reported before the body is created.
    learned = None if memory is None else store_beside(memory).load()
    with watch.stage("load"):
        world = load_domain(domain).with_costs(costs or {})
        extensions = extensions or Extensions()
        sensors = extensions.sensors_of(world)
        rules = RuleBook(world.rules)
        if checks:
            rules.warm_up()
        written = load_scene(world, scene)
        world = world.with_classes_of(written.things)
        if seed and written.layout is not None:
            written = replace(written, layout=perturbed(written.layout, seed))
        written = with_learned(written, world, learned, threshold)
    with watch.stage("robot"):
        body = robot_for(robot, world, written)
        pace = None
    try:
        if real_time and body.clock.simulated:
            body = RealTime(body)
            pace = body.clock
        believed = [name for name, model in world.predicates.items() if model.believed]
        seeing = (extensions.detector, extensions.noise)
        body = Informed(interlocked(body), sensors, believed, world.predicates, written.things, *seeing)
        primitives = body.primitives if isinstance(body, LimitedMotion) else None
        beyond = frozenset[str]() if primitives is None else world.beyond(primitives)
        skills = extensions.skills_of(world, beyond)
        kind = kind_of(body_named(robot, written)) if isinstance(robot, str) else body.name
        with watch.stage("sense"):
            lacking = beyond - skills.keys()
            known = replace(World.of(written, world, rules), labels=labels)
            if lacking:
                known = replace(known, domain=world.without(lacking), unlimited=world)
            watcher = Watcher(body, replace(Scene.start(written, world, body.clock.now()), world=known))
            watcher.refresh()
            for look in range(MOST_LOOKS if body.may_err else 0):
                if look >= LOOKS and body.is_settled:
                    break
                body.clock.sleep(SENSING)
                watcher.refresh()
    except BaseException:
        body.close()
        raise
    chosen = robot == AUTO and kind == "symbolic"
    notes = (f"scene '{written.name}' says nowhere where its things stand, so the body is symbolic",) if chosen else ()
    notes = (*notes, *_misnamed(body, written, world))
    return Environment(interlocked(body), watcher, kind, skills, notes, pace)


def _misnamed(body: Robot, scene: SceneFile, domain: Domain) -> Iterator[str]:
    """Yield what a body names and the world does not have: itself, and the predicates of facts that it tells."""
    agents = sorted(name for name, thing in scene.things.items() if thing.class_name in domain.agents)
    if agents and body.name not in agents:
        yield f"the body is called '{body.name}', and the agents of this scene are {', '.join(agents)}"
    for name in sorted({atom.predicate for atom in body.observation().told} - domain.predicates.keys()):
        remedy = expected(name, domain.predicates)
        yield f"the body tells facts of '{name}', a predicate that this world lacks; {remedy}"


def with_learned(scene: SceneFile, domain: Domain, learned: ObjectAffordances | None, threshold: float) -> SceneFile:
    """Return a scene whose objects have the affordances that are probable enough by the evidence.

    Without evidence and with the default threshold the scene does not change, because the affordances of the domain
    file are more probable than the threshold.
    """
    if not learned and threshold == THRESHOLD:
        return scene
    return replace(scene, things=believed_things(scene.things, domain, learned or ObjectAffordances(), threshold))


@contextmanager
def serve_body(domain: str, scene: str, robot: str, seed: int, at: Path) -> Iterator[tuple[BodyServer, SceneFile]]:
    """Create a body and its server, and close both at the end; the caller must call `BodyServer.serve`.

    Raises:
        UsageError: A name or a file is wrong.
        OutsideError: The body is not available, or the socket `at` cannot be created.
    """
    world = load_domain(domain)
    written = load_scene(world, scene)
    if seed and written.layout is not None:
        written = replace(written, layout=perturbed(written.layout, seed))
    body = robot_for(robot, world, written)
    with closing(body), closing(BodyServer(body, at)) as server:
        yield server, written
