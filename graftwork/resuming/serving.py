"""A body of a scene behind a socket, in the process that asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from domains.model import SceneFile
from domains.reading import load_domain, load_scene
from graftwork.staging.registry import robot_for
from robots.perturb import perturbed
from robots.served import BodyServer

__all__ = ["serve_body"]


@contextmanager
def serve_body(domain: str, scene: str, robot: str, seed: int, at: Path) -> Iterator[tuple[BodyServer, SceneFile]]:
    """Build a body and the server that holds it, and close both in the end; `BodyServer.serve` is the caller's to call.

    Raises:
        UsageError: A name or a file is wrong.
        OutsideError: The body is not there, or no socket can be made at `at`.
    """
    world = load_domain(domain)
    written = load_scene(world, scene)
    if written.layout is not None:
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
