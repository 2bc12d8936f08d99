"""Things that are meant by where they stand, in a row that a robot and a person see from opposite sides."""

from dataclasses import replace

import pytest

from semantics.geometry.relations import Arrangement, Placed
from semantics.geometry.solids import Solid
from semantics.words.names import Ambiguous, NameIndex, Resolved, Unknown
from semantics.words.positions import Positions
from tests.semantics.toy import vocabulary

WORDS = vocabulary(("screw0", "screw1", "screw2", "box0", "box1", "hammer0", "arm0", "smith0"))


def positions(spots, agents, viewer=""):
    """Return positions of small boxes; without agents, who sees them looks along the x axis."""
    placed = {name: Placed(Solid("box", (0.04, 0.04, 0.04), (*at, 0.0)[:3])) for name, at in spots.items()}
    return Positions(Arrangement(placed), {name: (*at, 0.0) for name, at in agents.items()}, viewer)


ROW = {"screw1": (1.0, 0.4), "screw0": (1.0, 0.1), "screw2": (1.0, -0.3), "box0": (1.2, 0.4), "hammer0": (5.0, 0.0)}
ROBOT = {"arm0": (0.0, 0.0)}
OPPOSITE = {"arm0": (0.0, 0.0), "smith0": (2.0, 0.0)}


def resolve(words, seen, words_of=WORDS, **more):
    return NameIndex(words_of, positions=seen).resolve(words, **more)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("the leftmost screw", ["screw1"]),
        ("the rightmost screw", ["screw2"]),
        ("the left screw", ["screw1"]),
        ("the screw on the left", ["screw1"]),
        ("the screw on the right side", ["screw2"]),
        ("the second screw from the left", ["screw0"]),
        ("the second screw from the right", ["screw0"]),
        ("the first screw from the right", ["screw2"]),
        ("the middle screw", ["screw0"]),
        ("the screw in the middle", ["screw0"]),
        ("the two leftmost screws", ["screw0", "screw1"]),
        ("the two screws on the right", ["screw0", "screw2"]),
        ("the screw that is on the far left", ["screw1"]),
    ],
)
def test_a_thing_is_named_by_its_side(words, names):
    found = resolve(words, positions(ROW, ROBOT, "arm0"))
    assert isinstance(found, Resolved), found
    assert (list(found.names), found.choose) == (names, len(names))
    assert "counting" in found.note


def test_the_note_says_who_sees_it_so():
    found = resolve("the second screw from the left", positions(ROW, ROBOT, "arm0"))
    assert found.note.endswith("was read as screw0, counting screw1, screw0, screw2 from the left as I see them.")


def test_two_who_see_it_from_opposite_sides_are_asked():
    found = resolve("the leftmost screw", positions(ROW, OPPOSITE, "smith0"))
    assert isinstance(found, Ambiguous)
    assert found.options == ("screw2", "screw1")
    assert found.why == "as smith0 sees it, it is screw2 and as I see it, it is screw1"


def test_two_who_see_it_alike_need_not_be_asked():
    found = resolve("the second screw from the left", positions(ROW, OPPOSITE, "smith0"))
    assert isinstance(found, Resolved)
    assert found.names == ("screw0",)


@pytest.mark.parametrize(("words", "name"), [("the screw on my left", "screw2"), ("the screw on your left", "screw1")])
def test_whose_side_it_is_may_be_said(words, name):
    assert resolve(words, positions(ROW, OPPOSITE, "smith0")).names == (name,)


def test_only_things_that_may_be_meant_are_counted():
    among = frozenset({"screw0", "screw2"})
    assert resolve("the leftmost screw", positions(ROW, ROBOT, "arm0"), among=among).names == ("screw0",)


@pytest.mark.parametrize(
    ("spots", "words", "why"),
    [
        ({}, "the leftmost screw", "where these are is not known"),
        ({**ROW, "screw2": (1.0, -3.0)}, "the leftmost screw", "do not stand together"),
        ({**ROW, "screw0": (1.02, 0.4)}, "the leftmost screw", "screw1 and screw0 stand alike"),
        ({**ROW, "box1": (1.2, 0.1)}, "the middle box", "none of 2 stands in the middle"),
        (ROW, "the leftmost hammer", "there is only one here"),
    ],
)
def test_what_has_no_order_is_asked_about(spots, words, why):
    found = resolve(words, positions(spots, ROBOT, "arm0"))
    assert isinstance(found, Ambiguous), found
    assert why in found.why


def test_without_positions_a_side_is_asked_about():
    found = resolve("the leftmost screw", None)
    assert isinstance(found, Ambiguous)
    assert found.why == "where these are is not known"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("the screws on the left", "it does not say how many"),
        ("all the screws on the left", "it does not say how many"),
        ("the fourth screw from the left", "there are only 3 here"),
    ],
)
def test_a_number_that_does_not_fit_is_refused(words, why):
    found = resolve(words, positions(ROW, ROBOT, "arm0"))
    assert isinstance(found, Unknown)
    assert why in found.why


def test_a_thing_is_known_only_where_it_is_seen():
    seen = positions({**ROW, "screw0": (1.0, 0.1)}, ROBOT)
    assert seen.seen(("screw0", "box1")) == ("screw0",)
    assert seen.knows("arm0")
    assert not seen.knows("box1")


def test_who_speaks_may_be_nobody():
    words = replace(WORDS, speaker=None)
    assert resolve("the leftmost screw", positions(ROW, ROBOT, "arm0"), words).names == ("screw1",)
