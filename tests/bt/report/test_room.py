import itertools
import xml.etree.ElementTree as ET

from bt.report.room import RoomMap, _Label, _overlap
from tests.bt.report.records import FURNITURE
from tests.bt.report.sample import events

SVG = "{http://www.w3.org/2000/svg}"


def views():
    return [event for event in events()[0] if event["e"] == "view"]


def named(drawing, sort):
    return {part.get("data-name") for part in drawing.iter() if (part.get("class") or "").split()[:1] == [sort]}


def test_large_things_that_stay_are_furniture_and_the_others_are_things():
    drawing = ET.fromstring(RoomMap(views(), ["milk0"]).svg())
    assert named(drawing, "furniture") == set(FURNITURE)
    assert {"milk0", "apple0"} <= named(drawing, "thing")
    assert named(drawing, "door") == {"fridge0"}


def test_all_things_carry_their_name_and_those_that_the_plan_speaks_of_are_marked():
    drawing = ET.fromstring(RoomMap(views(), ["milk0"]).svg())
    groups = [group for group in drawing.iter(f"{SVG}g") if group.findall(f"{SVG}text")]
    written = {text.text: group.get("class") for group in groups for text in group.findall(f"{SVG}text")}
    assert named(drawing, "thing") <= written.keys()
    assert (written["milk0"], written["apple0"]) == ("thing known", "thing")


def test_frames_give_changes_only_and_add_up_to_the_last_view():
    room = RoomMap(views(), [])
    frames = room.frames()
    assert len(frames[0]["things"]) == 8
    assert sum("things" in frame for frame in frames) < len(frames)
    held = [frame["held"] for frame in frames if "held" in frame]
    assert held == ["", "milk0", "", "milk0", ""]


def test_what_is_held_or_out_of_sight_leaves_the_room():
    frames = RoomMap(views(), []).frames()
    taken = next(frame for frame in frames if frame.get("held") == "milk0")
    assert taken["things"]["milk0"] == 0


def test_a_door_swings_towards_the_side_from_which_the_robot_opens_it():
    box = [0.0, 0.0, 0.0, 1.0, 1.0, 1.5]
    for robot in ([0.5, -1.0, 0.0], [0.5, 2.0, 0.0], [-1.0, 0.5, 0.0], [2.0, 0.5, 0.0]):
        seen = [
            {"t": float(time), "things": {"fridge0": box}, "robot": robot, "doors": {"fridge0": opening}}
            for time, opening in enumerate((0.0, 0.9))
        ]
        room = RoomMap(seen, [])
        shut, ajar = (ends(frame["doors"]["fridge0"]) for frame in room.frames())
        x, y = room.frames()[0]["robot"][:2]
        assert shut[0] == ajar[0]
        assert distance(ajar[1], (x, y)) < distance(shut[1], (x, y))


def ends(path):
    return [tuple(map(float, end.split())) for end in path.removeprefix("M").split("L")]


def distance(one, other):
    return ((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5


def test_views_without_robot_things_or_with_broken_boxes_are_drawn():
    seen = [
        {"t": 0.0, "things": {}},
        {"t": 1.0, "things": {"a": [0, 0, 0, 1, 1, 1], "b": [1, 2], "c": [0, 0, 0, 9, 9, 0.01]}},
    ]
    drawing = ET.fromstring(RoomMap(seen, []).svg())
    assert named(drawing, "furniture") == {"a"}
    assert named(drawing, "robot") == {None}


def test_long_runs_are_thinned_out_and_keep_their_last_view():
    many = [{"t": float(time), "things": {}, "robot": [time * 0.001, 0.0, 0.0]} for time in range(5000)]
    frames = RoomMap(many, []).frames()
    assert len(frames) <= 1201
    assert frames[-1]["t"] == 4999.0


def test_small_flat_things_are_drawn_and_floors_are_not():
    things = {"bolt0": [0.0, 0.0, 0.0, 0.03, 0.06, 0.03], "floor0": [-3.0, -3.0, -0.1, 3.0, 3.0, 0.0]}
    drawing = ET.fromstring(RoomMap([{"t": 0.0, "things": things, "robot": [1.0, 1.0, 0.0]}], ["bolt0"]).svg())
    assert named(drawing, "thing") == {"bolt0"}
    assert "bolt0" in {text.text for text in drawing.iter(f"{SVG}text")}


def test_names_do_not_cover_each_other():
    things = {f"bolt{number}": [0.1 * number, 0.0, 0.0, 0.1 * number + 0.05, 0.06, 0.03] for number in range(3)}
    room = RoomMap([{"t": 0.0, "things": things, "robot": [0.1, -0.4, 0.0]}], things)
    drawing = ET.fromstring(room.svg())
    labels = [text for text in drawing.iter(f"{SVG}text") if (text.text or "").startswith("bolt")]
    boxes = [
        _Label(text.get("data-side"), float(text.get("x")), float(text.get("y")), text.get("text-anchor")).box(
            text.text
        )
        for text in labels
    ]
    assert len(boxes) == 3
    assert not any(_overlap(one, other) for one, other in itertools.combinations(boxes, 2))
