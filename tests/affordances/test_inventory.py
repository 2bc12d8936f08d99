"""A scene as rows: what is known of each thing, from whom, and how old it is."""

import json
from dataclasses import replace

from affordances.scene import Scene, inventory
from tests.affordances.room import DOMAIN, atom, block, scene_file, seen

START = Scene.start(scene_file(beliefs={atom("in milk0 fridge0"): "last seen there"}), DOMAIN)


def row(scene, name):
    return next(row for row in inventory(scene) if row.thing.name == name)


def looked(*sightings, by="", **kwargs):
    return START.updated(replace(seen(*sightings, **kwargs), by=by), "robot0")


def test_there_is_a_row_for_each_thing_whether_it_was_seen_or_not():
    rows = inventory(looked(block("apple0", 0.5, 0.5, 0.7)))
    assert [row.thing.name for row in rows] == list(START.things)
    assert row(START, "apple0").seen is None
    assert row(START, "apple0").beliefs == ()


def test_what_is_stated_has_its_source_and_was_never_seen():
    (belief,) = row(START, "milk0").beliefs
    assert (belief.source, belief.seen, belief.by, belief.confidence) == ("last seen there", None, "", 1.0)


def test_what_was_seen_has_box_time_and_body():
    found = row(looked(block("apple0", 0.5, 0.5, 0.7)), "apple0")
    assert found.seen.box == block("apple0", 0.5, 0.5, 0.7).box
    assert (found.seen.time, found.seen.by, found.seen.confidence) == (1.0, "robot0", 1.0)
    assert [(str(belief.atom), belief.by) for belief in found.beliefs] == [("(on apple0 table0)", "robot0")]


def test_a_sensor_that_gives_its_name_is_named():
    found = row(looked(block("apple0", 0.5, 0.5, 0.7), by="wrist camera"), "apple0")
    assert found.seen.by == found.beliefs[0].by == "wrist camera"


def test_a_fact_is_as_sure_as_the_least_sure_thing_it_names():
    unsure = replace(block("apple0", 0.5, 0.5, 0.7), confidence=0.6)
    found = row(looked(unsure), "apple0")
    assert found.seen.confidence == found.beliefs[0].confidence == 0.6


def test_what_is_out_of_view_keeps_how_it_was_last_seen():
    first = looked(block("apple0", 0.5, 0.5, 0.7))
    later = first.updated(replace(seen(number=5), sightings={}), "robot0")
    found = row(later, "apple0")
    assert found.seen == row(first, "apple0").seen
    assert found.as_dict(later.time)["relations"][0]["age"] == 4.0


def test_a_row_is_plain_data_for_json():
    document = row(looked(block("apple0", 0.5, 0.5, 0.7)), "apple0").as_dict(3.5)
    assert json.loads(json.dumps(document)) == document
    assert document["relations"] == [
        {
            "fact": "(on apple0 table0)",
            "source": "sensed",
            "since": 1.0,
            "last_seen": 1.0,
            "age": 2.5,
            "confidence": 1.0,
            "by": "robot0",
            "confidence_now": 1.0,
        }
    ]
    assert document.keys() == {
        "name", "class", "affordances", "kinds", "attributes", "relations", "box", "confidence", "last_seen", "seen_by",
    }  # fmt: skip
