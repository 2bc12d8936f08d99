import xml.etree.ElementTree as ET

import pytest

from bt.display import walk
from bt.report.tree import HEIGHT, WIDTH, tree_svg
from tests.bt.report.records import FIRST_PLAN
from tests.bt.report.trees import node, tree

SVG = "{http://www.w3.org/2000/svg}"


def chain(depth):
    made = node("end", "act", "act", "")
    for level in range(depth):
        made = node(f"n{level}", "inverter", "inverter", "", made)
    return made


def wide(count):
    return node(
        "root", "all", "parallel", "", *(tree(FIRST_PLAN[:2], f"t{number}")["children"][0] for number in range(count))
    )


TREES = {
    "one node": node("x", "act", "act", ""),
    "a plan": tree(FIRST_PLAN, "a"),
    "a chain": chain(60),
    "wide": wide(12),
    "no details": {"id": 1, "name": None},
}


def boxes(drawn):
    """Return the bounds of each node's shape by id, whatever its outline."""
    found = {}
    for group in drawn.iter(f"{SVG}g"):
        shape = next(part for part in group if part.get("class") == "shape")
        if shape.tag == f"{SVG}rect":
            left, top = float(shape.get("x")), float(shape.get("y"))
        elif shape.tag == f"{SVG}ellipse":
            left, top = float(shape.get("cx")) - WIDTH / 2, float(shape.get("cy")) - HEIGHT / 2
        else:
            corners = [tuple(map(float, pair.split(","))) for pair in shape.get("points").split()]
            left, top = min(x for x, _ in corners), min(y for _, y in corners)
        found[group.get("data-id")] = (left, top, left + WIDTH, top + HEIGHT)
    return found


@pytest.mark.parametrize("root", TREES.values(), ids=TREES)
def test_every_node_is_drawn_once_and_none_covers_another(root):
    drawn = ET.fromstring(tree_svg(root))
    placed = boxes(drawn)
    assert sorted(placed) == sorted(str(each["id"]) for each in walk(root))
    spots = list(placed.values())
    for index, (left, top, right, foot) in enumerate(spots):
        assert left >= 0
        assert right <= float(drawn.get("width"))
        assert top >= 0
        assert foot <= float(drawn.get("height"))
        for other in spots[index + 1 :]:
            assert right <= other[0] or other[2] <= left or foot <= other[1] or other[3] <= top


def test_children_stand_below_their_parent_and_steps_from_left_to_right():
    root = tree(FIRST_PLAN, "a")
    placed = boxes(ET.fromstring(tree_svg(root)))
    for parent in walk(root):
        for child in parent["children"]:
            assert placed[child["id"]][1] > placed[parent["id"]][1]
    lefts = [placed[f"a{number}"][0] for number in range(len(FIRST_PLAN))]
    assert lefts == sorted(lefts)


def test_states_show_as_classes_and_signs_and_are_counted_in_words():
    drawn = ET.fromstring(
        tree_svg(tree(FIRST_PLAN, "a"), {"a0": "success", "a1": "failure", "a2": "running", "a3": "odd"})
    )
    groups = {group.get("data-id"): group for group in drawn.iter(f"{SVG}g")}
    signs = {key: groups[key].find("*[@class='sign']").text for key in ("a0", "a1", "a2", "a3")}
    assert signs == {"a0": "✓", "a1": "✗", "a2": "●", "a3": "·"}
    assert [groups[key].get("class") for key in signs] == [
        "node success",
        "node failure",
        "node running",
        "node invalid",
    ]
    assert "1 success, 1 running, 1 failure" in drawn.find(f"{SVG}desc").text


def test_kinds_have_outlines_of_their_own():
    root = tree(FIRST_PLAN, "a")
    groups = {group.get("data-id"): group for group in ET.fromstring(tree_svg(root)).iter(f"{SVG}g")}
    outlines = {key: groups[key].find("*[@class='shape']").tag.removeprefix(SVG) for key in groups}
    assert outlines["replan"] == "polygon"
    assert outlines["a0"] == outlines["a0.act"] == "rect"
    assert outlines["a0.before"] == outlines["a0.after"] == "ellipse"


def test_hostile_names_stay_text():
    bad = node("<i d='\"&>", "</title><script>alert(1)</script>\x00\x1b\ud800", "act", "]]> & <b>")
    text = tree_svg(bad)
    assert "<script" not in text
    assert ET.fromstring(text.encode("utf-8")).find(f"{SVG}g").get("data-id") == "<i d='\"&>"


def test_a_long_chain_of_single_children_runs_in_rows_above_what_hangs_on_it():
    below = node("low", "all", "sequence", "", *(node(f"s{number}", "part", "act", "") for number in range(12)))
    for number in reversed(range(7)):
        below = node(f"c{number}", f"rung {number}", "rung", "", below)
    placed = boxes(ET.fromstring(tree_svg(below)))
    tops = [placed[f"c{number}"][1] for number in range(7)]
    assert tops == [tops[0]] * 5 + [tops[5]] * 2
    assert tops[0] < tops[5] < placed["low"][1]
    lefts = [placed[f"c{number}"][0] for number in range(7)]
    assert lefts[:5] == sorted(set(lefts))
    assert lefts[5:] == lefts[:2]
