"""What a thing covers of a top at least: a circle that is on the top wherever the thing may stand."""

from math import hypot, pi, sqrt
from random import Random

import pytest

from semantics.geometry.places import least_covered, stands
from semantics.geometry.solids import Solid


def lies_on(top, x, y, radius):
    along, across = (abs(offset) for offset in top.own((x, y)))
    if top.is_round:
        return hypot(along, across) + radius <= top.radius + 1e-9
    return along + radius <= top.size[0] / 2 + 1e-9 and across + radius <= top.size[1] / 2 + 1e-9


@pytest.mark.parametrize("form", ["box", "cylinder"])
def test_its_circle_is_on_the_top_wherever_the_thing_may_stand(form):
    random, stood = Random(form), 0
    for _ in range(60_000):
        sides = (random.uniform(0.1, 0.6),) * 2 if form == "cylinder" else tuple(random.uniform(0.1, 0.6) for _ in "xy")
        top = Solid(form, (*sides, 0.03), (0.0, 0.0, 0.0), random.uniform(-pi, pi))
        size = (random.uniform(0.02, 0.7), random.uniform(0.02, 0.7), 0.1)
        x, y = random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)
        put = Solid("box", size, (0.0, 0.0, 0.0)).moved(x, y, top.top, random.uniform(-pi, pi))
        if stands(top, put):
            stood += 1
            assert lies_on(top, x, y, sqrt(least_covered(put, [top]) / pi))
    assert stood > 1000
