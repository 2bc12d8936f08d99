from math import pi

import numpy as np
import pytest

from robots.pybullet.description import described
from robots.pybullet.mirror import Mirror
from robots.pybullet.rig import carried, with_base
from semantics.geometry.geometry import PlanarPose
from tests.robots.pybullet.kitchen import LAYOUT

MOBILE = described("mobile-panda")


@pytest.fixture(scope="module")
def mirror():
    made = Mirror(LAYOUT, MOBILE)
    yield made
    made.close()


def clashes(mirror: Mirror, x: float, y: float) -> frozenset[str]:
    arm = np.concatenate([[0.0, 0.0, 0.0], carried(MOBILE)])
    return mirror.clashes(with_base(arm, PlanarPose(x, y, pi / 2)))


def test_the_base_stands_nowhere_but_on_the_floor(mirror):
    assert clashes(mirror, 0.0, 0.0) == frozenset()
    assert clashes(mirror, 0.0, 1.35) == frozenset()


@pytest.mark.parametrize(("x", "y", "met"), [(0.0, 1.45, "counter0"), (1.2, -1.5, "fridge0"), (-0.95, 1.9, "counter0")])
def test_a_base_that_runs_into_furniture_clashes_though_its_arm_does_not(mirror, x, y, met):
    assert met in clashes(mirror, x, y)
