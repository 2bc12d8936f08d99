from collections.abc import Iterator

import pytest

from planning import FastDownward


@pytest.fixture(scope="session")
def planner() -> Iterator[FastDownward]:
    """One warm planner for all tests that do not break it."""
    made = FastDownward()
    yield made
    made.close()
