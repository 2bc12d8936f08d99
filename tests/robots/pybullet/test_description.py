"""A body is data: what its file lacks or misspells is told with the key."""

from pathlib import Path

import numpy as np
import pytest
import yaml

from robots.primitives import PRIMITIVES
from robots.pybullet.description import BODIES, DEFAULT, FOLDER, SIZE, described, read_description, share_of_limit
from robots.pybullet.robot import BY_HAND, DOABLE
from semantics.errors import UnknownNameError, UsageError


def table(name: str) -> dict:
    return yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", BODIES)
def test_a_body_does_only_what_this_simulator_can_and_has_a_number_for_each_coordinate(name):
    body = described(name)
    assert body.primitives <= {*DOABLE, *BY_HAND} & PRIMITIVES.keys()
    assert body.motion_limits.speed.shape == body.lost.shape == body.settled.shape == body.strides.shape == (SIZE,)
    assert np.all(body.settled < body.lost)
    assert len(body.joints) == len(body.forces) == len(set(body.joints))
    assert all(low <= high for low, high in (coordinate.limits for coordinate in body.coordinates))


def test_no_name_means_the_body_that_drives():
    assert described("") == described(DEFAULT)
    assert described(DEFAULT).moves


def test_an_unknown_body_is_told_with_those_there_are():
    with pytest.raises(UnknownNameError, match="panda-fixed"):
        described("panda-fixt")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda rows: rows.pop("hand"), "hand missing"),
        (lambda rows: rows["base"].update(wheels=4), "wheels"),
        (lambda rows: rows["coordinates"].pop("arm3"), "arm3 missing"),
        (lambda rows: rows["coordinates"]["arm3"].pop("speed"), "speed missing"),
        (lambda rows: rows["links"].update(elbo=1.0), "elbo"),
        (lambda rows: rows["coordinates"]["arm3"].update(acceleration=0), "arm3: acceleration is 0"),
        (lambda rows: rows["coordinates"]["x"].update(jerk="fast"), "jerk is 'fast', and must be a positive number"),
        (lambda rows: rows["hand"].update(speed=-0.1), "hand: speed is -0.1"),
    ],
)
def test_a_key_that_is_missing_or_unknown_is_told_with_its_place(change, told):
    rows = table(DEFAULT)
    change(rows)
    with pytest.raises((UnknownNameError, UsageError), match=told) as raised:
        read_description(Path("bodies/mine.yaml"), rows)
    assert "bodies/mine.yaml" in str(raised.value)


def test_a_body_that_says_no_acceleration_moves_gently():
    rows = table(DEFAULT)
    for key in ("acceleration", "jerk"):
        del rows["coordinates"]["arm3"][key]
    limits = read_description(Path("bodies/mine.yaml"), rows).motion_limits
    assert (limits.acceleration[6], limits.jerk[6]) == (1.0, 5.0)


def test_the_speed_of_the_base_is_that_of_its_vector():
    body = described(DEFAULT)
    diagonal = np.array([*body.motion_limits.speed[:2], *np.zeros(SIZE - 2)])
    assert share_of_limit(diagonal, body.motion_limits.speed) == pytest.approx(np.sqrt(2.0))


def test_the_joints_of_a_fixed_base_count_from_where_it_stands():
    assert described("panda-fixed").origin(1.0, 2.0, 0.5)[:3].tolist() == [1.0, 2.0, 0.5]
    assert not described(DEFAULT).origin(1.0, 2.0, 0.5).any()
