"""``graftwork serve``: a body in a process of its own, which outlives whoever drives it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from semantics.errors import UsageError

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("serve", epilog="Example: graftwork serve --scene small --robot fake --at /tmp/body")(_serve)


def _serve(
    at: Annotated[Path, typer.Option(metavar="SOCKET", help="Where it is driven: a file for you alone.")],
    domain: Annotated[str | None, typer.Option(metavar="NAME|PATH", help="World (default: kitchen).")] = None,
    scene: Annotated[str | None, typer.Option(metavar="NAME|PATH", help="Scene (default: full, or the first).")] = None,
    robot: Annotated[
        str | None, typer.Option(metavar="pybullet|fake|symbolic", help="Body (default: the one that fits the scene).")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Moves the scene a little; 0 leaves it as written.", min=0)] = None,
) -> None:
    """Hold a body in this process for whoever drives it, one at a time, until Ctrl-C.

    Drive it with: graftwork run "…" --robot served:SOCKET. When a driver goes, however it goes, the body comes to rest
    and the world stays as it is.
    """
    from graftwork.setup.bodies import SERVED, body_named
    from graftwork.setup.settings import load_settings
    from graftwork.setup.stage import serve_body

    chosen = {"domain": domain, "scene": scene, "robot": robot, "seed": seed}
    options = {name: value for name, value in chosen.items() if value is not None}
    settings = load_settings(options, environment=os.environ, folder=Path.cwd())
    if settings.robot.startswith(SERVED):
        raise UsageError(f"robot {settings.robot} is served already; serve pybullet, fake or symbolic")
    with serve_body(settings.domain, settings.scene, settings.robot, settings.seed, at) as (server, written):
        typer.echo(f"{body_named(settings.robot, written)} in {written.name} at {at}; end with Ctrl-C")
        try:
            server.serve()
        except KeyboardInterrupt:
            typer.echo()
