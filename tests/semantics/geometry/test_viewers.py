"""Relations that name their viewer say the same as the plain ones, seen from there."""

from dataclasses import replace
from math import pi

import pytest

from robots.furniture import MODELS, STAND_DISTANCE
from semantics.errors import UnknownNameError
from semantics.geometry.furnishing import FRONTLESS
from semantics.geometry.places import WantedPlace, places
from semantics.geometry.relations import SEEN_FROM, Arrangement, Placed, is_so
from semantics.geometry.solids import Solid
from tests.semantics.geometry.test_relations import RADIUS, arranged, rows

PLAIN = {relation: name for name, relation in SEEN_FROM.items()}


def views(row):
    """Return the heading of each viewer of a layout: furniture is looked at from its front."""
    things = arranged(row).things
    return {
        name: things[name].heading + (0.0 if written["form"] in RADIUS else pi)
        for name, written in row["things"].items()
        if things[name].heading is not None
    }


def twin(row):
    """Return the name of the relation of a layout with its viewer; None if it has none."""
    name = row["relation"]
    if name in ("in_corner_of", "at_edge_of") and len(row["args"]) == 3:
        name = name.replace("_of", f"_of:{row['args'][2]}")
        kind, _, word = name.partition(":")
        name = kind.replace("corner", f"{word.replace(' ', '_')}_corner").replace("edge", f"{word}_edge")
    return PLAIN.get(name)


@pytest.mark.parametrize("half", ["a", "b"])
def test_layouts_with_a_named_viewer_are_judged_whoever_speaks(half):
    judged = [row for row in rows(half) if row.get("frame") and twin(row)]
    assert len(judged) >= 5
    for row in judged:
        seen = replace(arranged(row), heading=1.234, views=views(row))
        assert is_so(twin(row), (*row["args"][:2], row["frame"]), seen) == row["true"], row["id"]


def plate_and_cup():
    table = Solid("box", (2.0, 2.0, 0.02), (0.0, 0.0, 0.7))
    things = {
        "table0": Placed(table, (table,)),
        "plate0": Placed(Solid("cylinder", (0.2, 0.2, 0.02), (0.0, 0.0, 0.72))),
        "cup0": Placed(Solid("cylinder", (0.08, 0.08, 0.1), (5.0, 5.0, 0.0))),
    }
    return Arrangement(things, 0.0, {"alice": 0.0, "bob": pi})


@pytest.mark.parametrize(("viewer", "sign"), [("", 1), ("alice", 1), ("bob", -1)])
def test_places_are_chosen_as_the_named_viewer_sees_them(viewer, sign):
    wanted = WantedPlace("left_of", ("cup0", "plate0"), distance=0.05, viewer=viewer)
    found = next(places(wanted, plate_and_cup(), ["table0"]))
    assert sign * found.y == pytest.approx(0.19)


def test_what_is_chosen_for_a_viewer_is_so_for_that_viewer_alone():
    seen = plate_and_cup()
    for name, relation in SEEN_FROM.items():
        if relation in ("left_of", "right_of", "in_front_of", "behind"):
            place = next(places(WantedPlace(relation, ("cup0", "plate0"), viewer="bob"), seen, ["table0"]))
            after = seen.moved("cup0", seen.solid("cup0").moved(place.x, place.y, place.bottom, place.yaw))
            assert is_so(name, ("cup0", "plate0", "bob"), after)
            assert not is_so(name, ("cup0", "plate0", "alice"), after)


def test_nothing_is_so_for_a_viewer_who_is_not_known_to_look_anywhere():
    seen = plate_and_cup()
    assert not is_so("left_of_seen_from", ("cup0", "plate0", "carol"), seen)
    with pytest.raises(UnknownNameError, match="alice"):
        next(places(WantedPlace("left_of", ("cup0", "plate0"), viewer="alic"), seen, ["table0"]))


def test_furniture_has_a_front_where_somebody_can_stand_to_work():
    assert MODELS.keys() - STAND_DISTANCE.keys() == FRONTLESS
