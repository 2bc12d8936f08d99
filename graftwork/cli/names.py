"""Worlds named on the command line, those of the setting ``domain_path`` among them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from graftwork.setup.settings import load_settings, placed

__all__ = ["worlds_named"]


def worlds_named(names: Iterable[str]) -> list[str]:
    """Return each name, or the path of the world that only the person's own folders know by it.

    Raises:
        UsageError: Several worlds have one of the names, or a setting is wrong.
    """
    folders = load_settings({}, environment=os.environ, folder=Path.cwd()).domain_path
    return [placed(name, folders) for name in names]
