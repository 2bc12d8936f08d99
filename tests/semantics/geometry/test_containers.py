import pytest

from semantics.geometry.places import WantedPlace, places, why_too_tight
from semantics.geometry.relations import Arrangement, Placed
from semantics.geometry.solids import Solid

BOWL = Placed(
    Solid("open-box", (0.16, 0.16, 0.07), (0.0, 0.0, 0.7), 0.5),
    inside=Solid("box", (0.144, 0.144, 0.06), (0.0, 0.0, 0.71), 0.5),
)
LOCKER = Placed(Solid("box", (0.4, 0.4, 0.4), (0.0, 0.0, 0.0)), inside=Solid("box", (0.3, 0.3, 0.15), (0.0, 0.0, 0.1)))
PLATE = Placed(Solid("box", (0.2, 0.2, 0.02), (0.0, 0.0, 0.7)), (Solid("box", (0.2, 0.2, 0.02), (0.0, 0.0, 0.7)),))
ORANGE = Solid("sphere", (0.068, 0.068, 0.068), (0.0, 0.0, 0.71))


def why(thing, around, relation="in", others=()):
    """Return why a thing has no place in or on another one; empty if it has one."""
    things = {"it": Placed(thing), "around": around, **{f"other{i}": Placed(other) for i, other in enumerate(others)}}
    wanted, seen = WantedPlace(relation, ("it", "around")), Arrangement(things)
    found = next(places(wanted, seen, ["around"]), None)
    return "" if found is not None else why_too_tight(wanted, seen)


def box(*size):
    return Solid("box", size, (1.0, 1.0, 0.0))


@pytest.mark.parametrize("size", [(0.134, 0.134, 0.05), (0.15, 0.03, 0.03), (0.065, 0.065, 0.18)])
def test_what_keeps_from_the_walls_at_some_yaw_fits(size):
    assert why(box(*size), BOWL) == ""


def test_what_is_too_long_at_every_yaw_does_not_fit():
    assert why(box(0.16, 0.036, 0.036), BOWL) == "it is 160 mm long, the opening of around is 144 mm wide"


def test_what_is_higher_than_the_space_under_a_ceiling_does_not_fit():
    assert why(box(0.05, 0.05, 0.14), LOCKER) == ""
    assert why(box(0.05, 0.05, 0.16), LOCKER) == "it is 160 mm high, the space in around is 150 mm high"


def test_a_container_is_full_when_its_floor_is_covered():
    assert why(ORANGE.moved(1.0, 1.0, 0.0), BOWL, others=[ORANGE] * 4) == ""
    full = "around is full: its contents and it would cover 240 cm², and it has 207 cm²"
    assert why(ORANGE.moved(1.0, 1.0, 0.0), BOWL, others=[ORANGE] * 5) == full


def test_a_surface_is_full_when_its_free_points_are_taken():
    loaf = Solid("box", (0.18, 0.18, 0.05), (0.0, 0.0, 0.72))
    assert why(box(0.1, 0.1, 0.05), PLATE, "on") == ""
    assert why(box(0.1, 0.1, 0.05), PLATE, "on", [loaf]) == "there is no free place of 100 by 100 mm for it on around"
