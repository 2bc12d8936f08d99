"""Where the memory is kept when nobody says otherwise."""

from __future__ import annotations

from pathlib import Path

__all__ = ["default_place"]


def default_place() -> Path:
    """Return ``memory.sqlite`` in the user's data folder."""
    from platformdirs import user_data_dir

    return Path(user_data_dir("graftwork")) / "memory.sqlite"
