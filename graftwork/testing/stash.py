"""The plugin's keys in pytest's stash, in a separate module because the plugin and the cases both use them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

CLOSERS: pytest.StashKey[list[Callable[[], None]]] = pytest.StashKey()
"""Functions that close the planners that the cases started."""
WORLDS: pytest.StashKey[dict[Any, Any]] = pytest.StashKey()  # the worlds and scenes read so far
