"""What the plugin keeps in pytest's configuration; a module of its own, as the plugin and the cases both use it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

__all__ = ["CLOSERS", "WORLDS"]

CLOSERS: pytest.StashKey[list[Callable[[], None]]] = pytest.StashKey()
"""What ends the processes that the cases started."""
WORLDS: pytest.StashKey[dict[Any, Any]] = pytest.StashKey()
"""The worlds and scenes that were read."""
