"""``graftwork domain``: the group of commands for those who write worlds."""

from __future__ import annotations

import typer

__all__ = ["domain_app"]

domain_app = typer.Typer(no_args_is_help=True, help="Write worlds: in YAML or PDDL, out of one and into the other.")
