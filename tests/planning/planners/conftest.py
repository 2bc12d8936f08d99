"""A planner to be broken."""

import pytest

from planning import FastDownward


@pytest.fixture
def alone():
    """A planner that proves or gives up, to be broken."""
    made = FastDownward(greedy=None)
    yield made
    made.close()
