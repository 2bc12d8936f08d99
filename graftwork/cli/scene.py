"""``graftwork scene``: show the beliefs about the objects of a scene, and their sources."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import closing, redirect_stdout
from pathlib import Path

from affordances.scene import Belief, InventoryRow, Scene, inventory
from domains.reader import load_domain, load_scene
from graftwork.cli.options import echo, print_json
from graftwork.memory.evidence import store_beside
from graftwork.record.episode import Stopwatch
from graftwork.setup.bodies import robot_for
from graftwork.setup.environment import open_environment, with_learned
from graftwork.setup.extensions import extensions_from
from graftwork.setup.settings import Settings, command_settings
from semantics.body.protocols import PictureSource
from semantics.errors import UsageError
from semantics.logic.vocabulary import Attribute, told_values

PAINTER = "pybullet"  # the body whose camera draws a scene
PICTURE_SIZE = (960, 720)  # width and height of a picture, in pixels


def scene_command(chosen: Mapping[str, object], robot: str | None, *, as_json: bool) -> None:
    """Print a scene: as written, or after the first observation of a body.

    Raises:
        UsageError: A name, a file or a setting is wrong.
        OutsideError: The body is not available.
    """
    settings = command_settings(chosen)
    with redirect_stdout(sys.stderr if as_json else sys.stdout):
        scene, name, attributes = _scene(settings, robot)
    rows = inventory(scene)
    if as_json:
        things = [row.as_dict(scene.time) for row in rows]
        print_json({"domain": settings.domain, "scene": name, "things": things})
        return
    for row in rows:
        echo(in_words(row, scene.time, attributes))


def _scene(settings: Settings, robot: str | None) -> tuple[Scene, str, Mapping[str, Attribute]]:
    threshold = settings.affordance_threshold
    if robot is None:
        learned = None if settings.memory is None else store_beside(settings.memory).load()
        domain = load_domain(settings.domain)
        written = load_scene(domain, settings.scene)
        return (
            Scene.as_written(with_learned(written, domain, learned, threshold), domain),
            written.name,
            domain.attributes,
        )
    watch = Stopwatch()
    environment = open_environment(
        settings.domain,
        settings.scene,
        robot,
        settings.seed,
        watch,
        memory=settings.memory,
        threshold=threshold,
        extensions=extensions_from(settings.skills),
    )
    with closing(environment.robot):
        return environment.watcher.scene, environment.world.scene, environment.world.domain.attributes


def picture_command(chosen: Mapping[str, object], robot: str | None, file: Path, *, as_json: bool) -> None:
    """Draw a scene as its file arranges it.

    Args:
        chosen: The settings of the command.
        robot: The body that draws; by default `PAINTER`.
        file: The PNG file; one that is there is replaced.
        as_json: Whether the answer is printed as JSON.

    Raises:
        UsageError: A name or a setting is wrong, the scene has no poses, the body takes no pictures, or the file cannot
            be written.
        OutsideError: The body is not available.
    """
    if file.suffix.lower() != ".png":
        raise UsageError(f"--picture {file}: pictures are PNG; expected a name such as {file.with_suffix('.png')}")
    settings = command_settings(chosen)
    domain = load_domain(settings.domain)
    scene = load_scene(domain, settings.scene)
    out = sys.stderr if as_json else sys.stdout
    with redirect_stdout(out), closing(robot_for(robot or PAINTER, domain, scene)) as body:
        if not isinstance(body, PictureSource):
            raise UsageError(f"robot {robot}: it takes no pictures; try --robot {PAINTER}")
        picture = body.picture(*PICTURE_SIZE)
    try:
        file.write_bytes(picture)
    except OSError as error:
        raise UsageError(f"--picture {file}: it cannot be written: {error.strerror}") from error
    if as_json:
        print_json({"domain": settings.domain, "scene": scene.name, "picture": str(file)})
    else:
        echo(f"{scene.name} is drawn in {file}")


def in_words(row: InventoryRow, now: float, attributes: Mapping[str, Attribute]) -> str:
    """Return the beliefs about an object as a few lines."""
    kinds = ", ".join((row.thing.class_name, *sorted(row.thing.kinds - {row.thing.class_name})))
    lines = [f"{row.thing.name}  ({kinds})", f"    affords  {', '.join(sorted(row.thing.affordances)) or '-'}"]
    if values := ", ".join(told_values(row.thing.attributes, attributes)):
        lines.append(f"    values   {values}")
    for belief, by_now in zip(row.beliefs, row.confidence, strict=True):
        faded = f", by now {by_now:.2f}" if f"{by_now:.2f}" != f"{belief.confidence:.2f}" else ""
        lines.append(f"    {belief.atom}  {_why(belief, now)}{faded}")
    if row.seen is not None:
        low, high = (" ".join(f"{x:.2f}" for x in corner) for corner in (row.seen.box.low, row.seen.box.high))
        sure = f"confidence {row.seen.confidence:.2f}"
        lines.append(f"    box  {low} to {high} m; seen {now - row.seen.time:.1f} s ago by {row.seen.by}, {sure}")
    return "\n".join(lines)


def _why(belief: Belief, now: float) -> str:
    if belief.seen is None:
        return f"{belief.source}; never sensed"
    return f"{belief.source} {now - belief.seen:.1f} s ago by {belief.by}, confidence {belief.confidence:.2f}"
