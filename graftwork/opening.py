"""Opening a world: its files, a body in it, the first look."""

from __future__ import annotations

from dataclasses import dataclass, replace

from affordances.scene import Scene
from affordances.watcher import Watcher
from domains.model import Domain, SceneFile
from domains.reading import load_domain, load_scene
from graftwork.registry import robot_for
from graftwork.stopwatch import Stopwatch
from robots.perturb import perturbed
from semantics.protocols import Robot

__all__ = ["Stage", "open_stage"]


@dataclass(frozen=True, slots=True)
class Stage:
    """A world with a body in it.

    Attributes:
        domain: The world.
        scene_file: The scene as written, its layout moved a little when a seed says so.
        robot: The body.
        watcher: What is believed, after the first look.
    """

    domain: Domain
    scene_file: SceneFile
    robot: Robot
    watcher: Watcher


def open_stage(domain: str, scene: str, robot: str | Robot, seed: int, watch: Stopwatch) -> Stage:
    """Read the files, build the body and look around.

    Raises:
        UsageError: A name or a file is wrong.
        OutsideError: The body is not there.
    """
    with watch.stage("load"):
        world = load_domain(domain)
        written = load_scene(world, scene)
        written = replace(written, layout=perturbed(written.layout, seed))
    with watch.stage("robot"):
        body = robot_for(robot, written.layout)
    try:
        with watch.stage("sense"):
            watcher = Watcher(body, Scene.start(written, world), world)
            watcher.refresh()
    except BaseException:
        body.close()
        raise
    return Stage(world, written, body, watcher)
