from collections.abc import Iterator

import pytest

from planning import FastDownward
from tests.planning.second_validator import stock_verdict

__all__ = ["planner", "stock_verdict"]


@pytest.fixture(scope="session")
def planner() -> Iterator[FastDownward]:
    """One warm planner for all tests that do not break it."""
    made = FastDownward()
    yield made
    made.close()
