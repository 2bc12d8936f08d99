"""Values and places: how they are carried out, how the true poses are read, and what each check finds."""

from dataclasses import replace
from math import pi

import pytest

pytest.importorskip("pybullet", reason="the poses of a table are read from the simulator: the extra 'sim'")

from benchmarks.words.entries import Spatial, Way
from benchmarks.words.judge import Verdict, is_goal_due, judge
from benchmarks.words.judge_spatial import CHECKS, kind_of
from benchmarks.words.rows import Kind, Row
from benchmarks.words.scenery import Scenery, written_solid
from benchmarks.words.trial import Manner, body_for, perform
from benchmarks.words.worlds import ROOT
from semantics.errors import UsageError
from semantics.geometry.solids import Solid

RIGHT, DECLINED, ASKED, REFUSED, WRONG, NOT_DONE = Verdict


def spatial(*checks, **keys) -> Spatial:
    return Spatial(**{"id": "s", "sentence": "…", "scene": "small", "checks": checks} | keys)


def scene(things, hand=(0.0, 0.0, 1.0), gripper=1.0, doors=None, numbers=None, facts=()):
    """What stands where; things by name: x, y, the height of the underside and a yaw, of blocks of 4 cm."""
    solids = {
        name: Solid("box", (0.04, 0.04, 0.04), tuple(at[:3]), at[3] if len(at) > 3 else 0.0) for name, at in things
    }
    top = written_solid(Solid("box", (2.0, 2.0, 0.03), (0.0, 0.0, 0.69)))
    return {
        "things": {name: written_solid(solid) for name, solid in solids.items()},
        "furniture": {"table0": [top, top]},
        "robot": "robot0",
        "heading": 0.0,
        "views": {"table0": 0.0, "robot0": 1.0},
        "doors": doors or {},
        "numbers": numbers or {},
        "hand": list(hand),
        "gripper": gripper,
        "facts": list(facts),
    }


BEFORE = scene([("a", (0.5, 0.0, 0.72)), ("b", (0.5, 0.2, 0.72)), ("c", (0.7, 0.0, 0.72))])


def ended(*things, before=BEFORE, outcome="achieved", kind=Kind.GOAL, plans=(), spells=None, **keys) -> Row:
    """A row of a run after which things stand elsewhere."""
    start = [(name, (*each["at"], 0.0)) for name, each in BEFORE["things"].items()]
    after = scene([*dict([*start, *things]).items()], **keys)
    return Row("s", kind, outcome, before=before, after=after, plans=list(plans), spells=spells or {})


def verdict(entry, row) -> Verdict:
    return judge(entry, row).verdict


@pytest.mark.parametrize(
    ("check", "right", "wrong"),
    [
        ({"moved": "a", "by": [0, -0.05, 0], "within": 0.015}, ("a", (0.5, -0.06, 0.72)), ("a", (0.5, 0.05, 0.72))),
        ({"at": "a", "point": [0.6, 0.1], "within": 0.02}, ("a", (0.61, 0.1, 0.9)), ("a", (0.63, 0.1, 0.72))),
        ({"at": "a", "point": [0.6, None], "within": 0.02}, ("a", (0.61, 0.9, 0.9)), ("a", (0.63, 0.1, 0.72))),
        ({"at": "a", "point": [0.6, 0.1, 0.74], "within": 0.02}, ("a", (0.6, 0.1, 0.72)), ("a", (0.6, 0.1, 0.9))),
        ({"gap": ["a", "b"], "is": [0.01, 0.03]}, ("a", (0.5, 0.14, 0.72)), ("a", (0.5, 0.1, 0.72))),
        ({"middles": ["a", "b"], "is": [0.09, 0.11]}, ("a", (0.5, 0.1, 0.72)), ("a", (0.5, 0.15, 0.72))),
        ({"beside": "b", "of": "a", "side": "left", "from": "robot"}, ("b", (0.5, 0.1, 0.72)), ("b", (0.6, 0.0, 0.72))),
        ({"beside": "b", "of": "a", "side": "front"}, ("b", (0.4, 0.05, 0.72)), ("b", (0.6, 0.05, 0.72))),
        (
            {"beside": "b", "of": "a", "side": "left", "from": "human0"},
            ("b", (0.5, -0.1, 0.72)),
            ("b", (0.5, 0.1, 0.72)),
        ),
        ({"beside": "b", "of": "a", "side": "behind", "cone": 10}, ("b", (0.7, 0.01, 0.72)), ("b", (0.7, 0.1, 0.72))),
        ({"line": ["a", "b", "c"], "within": 0.015}, ("b", (0.6, 0.01, 0.72)), ("b", (0.6, 0.03, 0.72))),
        ({"line": ["c", "a", "b"], "within": 0.01, "ordered": True}, ("b", (0.3, 0, 0.72)), ("b", (0.6, 0, 0.72))),
        ({"tower": ["a", "b"]}, ("b", (0.51, 0.0, 0.76)), ("b", (0.53, 0.0, 0.76))),
        ({"turned": "a", "by": 90, "within": 10}, ("a", (0.5, 0, 0.72, 1.6)), ("a", (0.5, 0, 0.72, -1.6))),
        ({"turned": "a", "by": 180, "within": 10}, ("a", (0.5, 0, 0.72, -pi)), ("a", (0.5, 0, 0.72, 0.0))),
    ],
)
def test_a_place_is_measured_by_the_true_poses(check, right, wrong):
    assert verdict(spatial(check), ended(right)) is RIGHT, judge(spatial(check), ended(right))
    assert verdict(spatial(check), ended(wrong)) is WRONG


@pytest.mark.parametrize(
    ("check", "right", "wrong"),
    [
        ({"door": "d", "share": [0.4, 0.6]}, {"doors": {"d": [0.5, 50.0]}}, {"doors": {"d": [1.0, 100.0]}}),
        ({"door": "d", "angle": 45, "within": 10}, {"doors": {"d": [0.5, 50.0]}}, {"doors": {}}),
        ({"hand": "robot0", "point": [0.1, 0, 1], "within": 0.02}, {"hand": (0.1, 0, 1.01)}, {"hand": (0.1, 0, 1.1)}),
        ({"hand": "robot0", "above": "a", "within": 0.02}, {"hand": (0.5, 0.01, 1)}, {"hand": (0.5, 0.0, 0.7)}),
        ({"hand": "robot0", "above": "a", "within": 0.02}, {"hand": (0.5, 0.01, 1)}, {"hand": (0.6, 0.0, 1.0)}),
        ({"hand": "robot0", "moved": [0, 0, 0.1], "within": 0.01}, {"hand": (0, 0, 1.1)}, {"hand": (0, 0, 1.2)}),
        ({"gripper": "closed"}, {"gripper": 0.1}, {"gripper": 1.0}),
        ({"gripper": "open"}, {"gripper": 0.9}, {"gripper": 0.1}),
        ({"held": "a", "seconds": [4, 6]}, {"spells": {"a": [2.0, 3.0]}}, {"spells": {"b": [5.0]}}),
        (
            {"step": "wait", "value": "duration", "is": [9, 11]},
            {"plans": [["(wait robot0 :duration 10s)"], ["(open robot0 d)"]]},
            {"plans": [["(wait robot0 :duration 1min)"]]},
        ),
        (
            {"step": "move", "value": "speed", "is": [0.1, 0.3]},
            {"plans": [["(move r a :speed 20cm/s)"]]},
            {"plans": []},
        ),
        (
            {"step": "wet_swipe", "value": "share", "is": [0.7, 1]},
            {"plans": [["(wet_swipe r s t t)"]]},
            {"plans": [["(wet_swipe r s t t :share 50%)"]]},
        ),
    ],
)
def test_doors_hands_and_values_are_measured(check, right, wrong):
    assert verdict(spatial(check), ended(**right)) is RIGHT, judge(spatial(check), ended(**right))
    assert verdict(spatial(check), ended(**wrong)) is WRONG


def test_an_amount_is_what_the_world_keeps():
    check = {"amount": "milk", "in": "tall_glass", "is": [90, 110]}
    entry = spatial(check, world="barman", scene="counter")
    assert verdict(entry, ended(numbers={"(amount tall_glass milk)": 0.1})) is RIGHT
    assert verdict(entry, ended(numbers={"(amount tall_glass milk)": 0.2})) is WRONG
    assert "nobody keeps" in judge(spatial(check), ended()).why  # the kitchen measures nothing


def test_one_of_the_ends_all_checks_and_one_option_must_hold():
    moved = {"moved": "a", "by": [0.1, 0, 0], "within": 0.01}
    there, far = ("a", (0.6, 0.0, 0.72)), ("a", (0.9, 0.0, 0.72))
    entry = spatial(moved, ends=("(opened fridge0)", "(closed fridge0)"))
    assert verdict(entry, ended(there, facts=["(closed fridge0)"])) is RIGHT
    assert verdict(entry, ended(there)) is WRONG
    assert verdict(entry, ended(far, facts=["(closed fridge0)"])) is WRONG
    other = {"moved": "a", "by": [0.4, 0, 0], "within": 0.01}
    entry = replace(entry, checks=(), options=({"checks": [moved]}, {"checks": [other], "ends": ["(on a table0)"]}))
    assert entry.ways[1] == Way((entry.ends, ("(on a table0)",)), (other,))
    assert verdict(entry, ended(far, facts=["(closed fridge0)", "(on a table0)"])) is RIGHT
    assert verdict(entry, ended(far, facts=["(closed fridge0)"])) is WRONG
    with pytest.raises(UsageError, match="chekcs"):
        _ = replace(entry, options=({"chekcs": [moved]},)).ways


def test_a_relation_of_places_is_judged_by_its_definition():
    entry = spatial(ends=("(left_of a c)",), world="kitchen")
    assert verdict(entry, ended(("a", (0.7, 0.1, 0.72)))) is RIGHT
    assert verdict(entry, ended(("a", (0.7, -0.1, 0.72)))) is WRONG


def test_questions_refusals_and_what_was_not_done_are_judged_as_the_entry_says():
    moved = {"moved": "a", "by": [0.1, 0, 0], "within": 0.01}
    asked, refused = Row("s", Kind.QUESTION, question="Where?"), Row("s", Kind.REFUSAL, "refused")
    assert verdict(spatial(moved), asked) is ASKED
    assert verdict(spatial(moved, asks=True), asked) is DECLINED
    assert verdict(spatial(moved), refused) is REFUSED
    assert verdict(spatial(moved, refuse=True), refused) is DECLINED
    assert verdict(spatial(moved), ended(outcome="failed")) is NOT_DONE
    assert verdict(spatial(moved, reject=("(opened fridge0)",)), ended(facts=["(opened fridge0)"])) is WRONG
    impossible = spatial(asks=True, refuse=True)
    assert not is_goal_due(impossible)
    assert verdict(impossible, ended()) is WRONG


def test_every_check_has_a_kind_and_no_other_is_taken():
    assert kind_of({"gap": ["a", "b"], "is": [0, 1]}) == "gap"
    assert len(CHECKS) == 14
    with pytest.raises(UsageError, match="no check"):
        kind_of({"colour": "a"})


@pytest.fixture
def at_root(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.mark.usefixtures("at_root")
def test_a_kitchen_is_measured_without_physics():
    entry = spatial(
        {"held": "cup0", "seconds": [0.5, 60]},
        {"beside": "cup0", "of": "juice0", "side": "right", "from": "robot", "cone": 60},
        sentence="put the cup on the counter",
        ends=("(on cup0 counter0)",),
    )
    row = perform(entry, Manner())
    assert body_for(entry) == "fake"
    scenery = Scenery(row.after)
    assert "(on cup0 counter0)" in scenery.facts
    assert scenery.heading("robot", "cup0") == pytest.approx(pi / 2, abs=1e-4)  # along y
    assert verdict(replace(entry, checks=entry.checks[:1]), row) is RIGHT
    assert row.before["doors"]["fridge0"] == [0.0, 0.0]


@pytest.mark.usefixtures("at_root")
def test_a_bar_is_measured_by_its_numbers():
    entry = spatial(
        {"amount": "soda_water", "in": "tall_glass", "is": [90, 110]},
        world="barman",
        scene="counter",
        sentence="pour 100 ml of soda water into the tall glass",
    )
    assert body_for(entry) == "symbolic"
    assert verdict(entry, perform(entry, Manner())) is RIGHT


@pytest.mark.slow
@pytest.mark.usefixtures("at_root")
def test_a_table_is_measured_in_the_simulator():
    entry = spatial(
        {"tower": ["green_block", "yellow_block"]},
        {"turned": "red_bowl", "by": 0, "within": 5},
        {"gripper": "open"},
        world="tabletop",
        scene="four",
        sentence="put the yellow block on the green block",
        ends=("(on yellow_block green_block)",),
    )
    row = perform(entry, Manner())
    assert verdict(entry, row) is RIGHT, judge(entry, row)
    assert {"(lies green_block middle0)", "(in blue_block green_bowl)", "(clear red_block)"} <= set(row.after["facts"])
    assert "(clear green_block)" not in row.after["facts"]
    assert 1 < sum(row.spells["yellow_block"]) < 60
