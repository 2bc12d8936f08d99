"""Detections get names that stay the same; what cannot be believed is told, and memory stays bounded."""

from dataclasses import replace
from math import inf, nan

import pytest

from robots.recognition import PICTURES, Recognition, felt
from semantics.body.observation import MOST_KNOWN, AgentView, Detection, Observation, Sighting
from semantics.geometry.geometry import Box, PlanarPose
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Command


def at(x: float, y: float = 0.0, size: float = 0.1) -> Box:
    return Box((x, y, 0.0), (x + size, y + size, size))


def detection(label: str, x: float = 0.0, handle: str = "", confidence: float = 1.0, **more) -> Detection:
    return Detection(label, Sighting(handle, at(x), confidence=confidence), **more)


def seen(*found: Detection, time: float = 0.0, **more) -> Observation:
    return Observation(time=time, number=round(time * 10) + 1, detections=found, **more)


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (detection("cup", nan), "not finite"),
        (detection("cup", inf), "not finite"),
        (detection("cup", confidence=nan), "not finite"),
        (replace(detection("cup"), sighting=Sighting("", at(0.0), interior=at(nan))), "not finite"),
        (detection("cup", confidence=7.0), "between 0 and 1"),
        (replace(detection("cup"), sighting=Sighting("", Box((1.0, 1.0, 1.0), (0.0, 0.0, 0.0)))), "inside out"),
        (detection("cup", picture=(0.2, 0.2, 1.2, 0.4)), "outside the picture"),
        (detection("cup", picture=(nan, 0.2, 0.3, 0.4)), "outside the picture"),
        (detection("cup", picture=(0.5, 0.2, 0.3, 0.4)), "outside the picture"),
        (detection("42"), "names nothing"),
    ],
)
def test_a_detection_that_cannot_be_believed_is_told_and_gets_no_name(bad, why):
    named = Recognition(()).named(seen(bad, detection("bowl", 3.0)))
    assert named.recognised.keys() == {"bowl0"}
    assert why in named.notes[0]


@pytest.mark.parametrize("handle", ["", "thing1"])
def test_a_thousand_detections_of_one_thing_are_one_thing(handle):
    found = [detection("cup", 0.00001 * index, handle, 0.5) for index in range(1000)]
    named = Recognition(()).named(seen(*found))
    assert named.recognised.keys() == {"cup0"}
    assert len(named.notes) == 2
    assert "had 1000 detections" in named.notes[-1]


def test_of_two_that_claim_one_id_the_surer_is_taken():
    named = Recognition(()).named(seen(detection("cup", 1.0, "a", 0.6), detection("cup", 2.0, "a", 0.9)))
    assert [found.sighting.box for found in named.recognised.values()] == [at(2.0)]
    assert "claim to be 'a'" in named.notes[0]


def test_an_id_that_returns_as_another_class_gets_another_name_after_some_pictures():
    known = Recognition(())
    assert known.named(seen(detection("cup", handle="a"))).recognised.keys() == {"cup0"}
    for time in (1.0, 2.0):  # as long as one name may be false
        named = known.named(seen(detection("knife", handle="a"), time=time))
        assert {name: found.label for name, found in named.recognised.items()} == {"cup0": "cup"}
    named = known.named(seen(detection("knife", handle="a"), time=3.0))
    assert named.recognised.keys() == {"knife0"}
    assert "what was called cup0 is seen as 'knife' now" in named.notes[0]
    assert known.translated(Command("pick", "robot0", {"object": "cup0"})).roles == {"object": "cup0"}
    assert known.translated(Command("pick", "robot0", {"object": "knife0"})).roles == {"object": "a"}


def test_a_detector_that_names_everything_cup_finds_no_two_things_of_one_name():
    known = Recognition({"cup0", "cup2"})
    named = known.named(seen(*(detection("cup", x, f"a{x}") for x in range(4))))
    assert named.recognised.keys() == {"cup1", "cup3", "cup4", "cup5"}


def test_where_a_picture_may_err_two_decide_that_a_thing_is_there_and_what_it_is():
    known = Recognition((), PICTURES)
    table = {"table0": Sighting("table0", Box((-1.0, -1.0, 0.0), (1.0, 1.0, 0.8)))}
    contacts = frozenset({frozenset({"a", "table0"})})
    looked = {"sightings": table, "searched": frozenset({"table0"}), "contacts": contacts}
    first = known.named(seen(detection("knife", handle="a"), **looked))
    assert not first.recognised
    assert not first.contacts
    assert not known.named(seen(detection("cup", handle="a"), time=1.0, **looked)).recognised
    named = known.named(seen(detection("cup", handle="a"), time=2.0, **looked))
    assert named.recognised.keys() == {"cup0"}
    assert named.contacts == {frozenset({"cup0", "table0"})}
    missed = known.named(seen(time=3.0, **looked))
    assert missed.undetectable["table0"] == {"cup0"}
    assert not known.named(seen(time=4.0, **looked)).undetectable


def test_where_a_picture_may_err_false_names_of_several_kinds_change_nothing():
    known = Recognition((), PICTURES)
    for number, label in enumerate(["cup", "cup", *["knife", "fork"] * 9, *["knife"] * 5, "cup"]):
        named = known.named(seen(detection(label, handle="a"), time=0.1 * number))
    assert named.recognised.keys() == {"cup0"}


def test_where_a_picture_may_err_a_thing_that_is_missed_for_a_blink_is_not_gone():
    known = Recognition((), PICTURES)
    looked = {"sightings": {"table0": Sighting("table0", Box((-1.0, -1.0, 0.0), (1.0, 1.0, 0.8)))}}
    looked["searched"] = frozenset({"table0"})
    for time in (0.0, 0.05):
        known.named(seen(detection("cup", handle="a"), time=time, **looked))
    assert [bool(known.named(seen(time=time, **looked)).undetectable) for time in (0.1, 0.15, 0.2, 0.4)] == [
        True,
        True,
        True,
        False,
    ]


def test_where_a_picture_may_err_a_thing_rests_at_the_mean_of_its_places_until_it_is_moved():
    known = Recognition((), PICTURES)
    where = [
        known.named(seen(detection("cup", x, "a"), time=0.1 * number)).recognised.get("cup0")
        for number, x in enumerate([0.0, 0.02, 0.01, -0.01, 0.3, 0.31])
    ]
    lows = [found and round(found.sighting.box.low[0], 4) for found in where]
    assert lows == [None, 0.01, 0.01, 0.005, 0.3, 0.305]
    held = {"robot0": AgentView(PlanarPose(0.0, 0.0), ("a",))}
    named = known.named(seen(detection("cup", 0.33, "a"), time=1.0, agents=held))
    assert named.recognised["cup0"].sighting.box.low[0] == 0.33  # what is held moves


def test_what_a_body_tells_has_the_names_that_were_given():
    known = Recognition(())
    held = {"robot0": AgentView(PlanarPose(0.0, 0.0), ("a",))}
    told, level = {Atom("closed", ("a",)): True}, {Atom("level", ("a",)): 1.0}
    missed = {"table0": frozenset({"a"})}
    named = known.named(seen(detection("jar", handle="a"), agents=held, told=told, numbers=level, undetectable=missed))
    assert named.agents["robot0"].held == ("jar0",)
    assert (*named.told, *named.numbers) == (Atom("closed", ("jar0",)), Atom("level", ("jar0",)))
    assert named.undetectable == {"table0": {"jar0"}}
    failed = Feedback(Code.DROPPED, "a", "a slipped at a-1", culprits=("a",))
    assert known.told(failed) == Feedback(Code.DROPPED, "jar0", "jar0 slipped at a-1", culprits=("jar0",))


@pytest.mark.parametrize("label", ["cup", "cup {}"], ids=["one label", "a label each"])
@pytest.mark.parametrize("handle", ["", "thing{}"], ids=["without an id", "with an id"])
def test_ten_thousand_comings_and_goings_take_bounded_memory_and_no_name_twice(label, handle):
    known, given = Recognition(()), set[str]()
    words = ["".join(chr(97 + int(digit)) for digit in str(turn)) for turn in range(10_000)]
    for turn in range(10_000):
        found = detection(label.format(words[turn]), 10.0 * turn, handle.format(turn))
        (name,) = known.named(seen(found, time=turn)).recognised
        assert name not in given
        given.add(name)
    assert len(known.tracks) <= MOST_KNOWN + 1
    assert len(known._given) <= 1024


def test_what_is_needed_is_not_forgotten():
    known = Recognition(())
    known.named(seen(detection("cup", handle="a")))
    known.kept = {"cup0"}
    for turn in range(1, 2 * MOST_KNOWN):
        known.named(seen(detection("cup", handle=f"b{turn}"), time=turn))
    assert known.named(seen(detection("cup", handle="a"), time=9999.0)).recognised.keys() == {"cup0"}
    assert known.named(seen(detection("cup", handle="b1"), time=99999.0)).recognised.keys() != {"cup1"}


def test_what_a_detector_finds_before_the_body_notices_it_is_one_thing():
    known, finder = Recognition(()), detection("cup")
    for time, found in enumerate((finder, detection("cup", 0.01, "a"), finder, detection("cup", 0.5, "a"))):
        assert known.named(seen(found, time=time)).recognised.keys() == {"cup0"}
    assert known.translated(Command("pick", "robot0", {"object": "cup0"})).roles == {"object": "a"}


def test_a_detector_of_ones_own_finds_what_the_body_notices_and_nothing_that_is_listed():
    listed = {"apple0": Sighting("apple0", at(0.0))}
    body = Observation(sightings=listed, detections=(detection("orange", 1.0, "thing17"),))
    found = [detection("apple", 0.02), detection("tangerine", 1.03, confidence=0.7), detection("ghost", 5.0)]
    shown = list(felt(found, body))
    assert [(each.label, each.sighting.name) for each in shown] == [("tangerine", "thing17"), ("ghost", "")]
    assert shown[0].sighting == Sighting("thing17", at(1.0), confidence=0.7)
