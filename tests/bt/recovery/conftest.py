import pytest

from planning import make_planner


@pytest.fixture(scope="module")
def planner():
    made = make_planner()
    yield made
    made.close()
