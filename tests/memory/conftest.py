"""A memory in a file of its own."""

from datetime import UTC, datetime

import pytest

from graftwork.memory import Memory


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.sqlite"


@pytest.fixture
def memory(path):
    return Memory(path, now=lambda: datetime(2026, 11, 20, 12, tzinfo=UTC))
