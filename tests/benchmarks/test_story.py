"""The story in sixteen steps: its judge, the functions of its steps, and the two who talk."""

import json
from dataclasses import replace

import pytest

from benchmarks.teaching.story.judge import Blocks, wrong_with
from benchmarks.teaching.story.people import Apprentice, Teacher
from benchmarks.teaching.story.steps import load_story
from domains.reader import load_domain, load_scene
from semantics.body.protocols import Message

LOW, HIGH, ROOF = 0.02, 0.06, 0.1
STORY = load_story()
AT = {
    "a": (0.0, 0.0, LOW),
    "b": (0.048, 0.0, LOW),
    "c": (0.0, 0.001, HIGH),
    "d": (0.048, 0.0, HIGH),
    "e": (0.3, 0.2, LOW),
    "roof": (0.024, 0.0, ROOF),
}
BLOCKS = Blocks(AT, AT, "e")


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ({"on": ["c", "a"]}, True),
        ({"on": ["roof", "c"]}, False),
        ({"on": ["c", "b"]}, False),
        ({"on_table": "a"}, True),
        ({"on_table": "c"}, False),
        ({"near": ["e", [0.3, 0.21]], "within": 0.02}, True),
        ({"near": ["e", [0.3, 0.23]], "within": 0.02}, False),
        ({"beside": ["a", "b"], "gap": [0.0, 0.015]}, True),
        ({"beside": ["a", "b"], "gap": [0.03, 0.05]}, False),
        ({"beside": ["a", "d"], "gap": [0.0, 0.015]}, False),
        ({"row": ["a", "b", "e"]}, False),
        ({"row": ["a", "roof", "b"]}, True),
        ({"bridges": ["roof", "c", "d"]}, True),
        ({"bridges": ["roof", "a", "b"]}, False),
        ({"above": ["roof", 0.075]}, True),
        ({"above": ["c", 0.075]}, False),
        ({"held": "e"}, True),
        ({"held": "a"}, False),
        ({"some": 2, "as": {"on": ["X", "Y"]}}, True),
        ({"some": 3, "as": {"on": ["X", "Y"]}}, False),
        ({"some": 1, "as": {"bridges": ["roof", "X", "Y"]}}, True),
        ({"some": 3, "as": {"near": ["X", [0.0, 0.0]], "within": 0.03}}, True),
    ],
)
def test_a_condition_is_judged_by_where_the_blocks_are(condition, holds):
    assert (not wrong_with(BLOCKS, [condition])) is holds


def test_what_a_step_does_not_name_has_to_stay():
    moved = replace(BLOCKS, at={**AT, "e": (0.3, 0.25, LOW), "a": (0.0, 0.03, LOW)})
    stays = {"nothing_else_moved": 0.02}
    assert wrong_with(moved, [stays])
    assert not wrong_with(moved, [stays, {"on_table": "e"}, {"on_table": "a"}])


def test_each_function_comes_after_those_that_it_calls():
    house = next(step for step in STORY.steps if step.id == "st-16")
    assert STORY.needed(house, ()) == ["pick_one", "put_down", "put_on", "two_walls", "lay_over"]
    assert STORY.needed(house, {"two_walls", "lay_over"}) == []
    text = STORY.program(house)
    assert text.index("def put_on(") < text.index("def two_walls(") < text.index("def build_house(")


def test_the_scene_is_one_of_the_world(tmp_path):
    path = tmp_path / "scene.yaml"
    path.write_text(STORY.scene_text(), encoding="utf-8")
    things = load_scene(load_domain("tabletop"), str(path)).things
    assert {block["name"] for block in STORY.blocks} <= things.keys()
    assert len([name for name, thing in things.items() if thing.class_name in ("block", "bowl")]) == 10


def test_a_stretch_goes_back_to_where_the_blocks_were_put_back():
    chimney = next(step for step in STORY.steps if step.id == "st-14")
    assert [step.id for step in STORY.stretch(chimney)] == ["st-10", "st-11", "st-12", "st-13"]
    assert STORY.stretch(STORY.steps[1]) == []


def asked(words, heads=""):
    return [Message("system", ""), Message("user", f"{heads}\nRequest: {json.dumps(words)}\n")]


def test_the_apprentice_needs_every_line_of_what_is_new_to_it():
    gap = next(step for step in STORY.steps if step.id == "st-05")
    apprentice, teacher = Apprentice(STORY, gap), Teacher(STORY, gap)
    assert "program" in json.loads(apprentice.complete(asked(gap.say)).text)["reply"]
    said, answer = 0, ""
    while (line := teacher.next_line(answer)) is not None:
        said += 1
        reply = json.loads(apprentice.complete(asked(line)).text)["reply"]
        answer = reply.get("answer", "")
    assert "lesson" in reply
    assert said == len(gap.teach) + 3, "and the lines about the tower, whose functions it needs"


def test_the_apprentice_calls_what_it_is_shown():
    gap = next(step for step in STORY.steps if step.id == "st-05")
    apprentice = Apprentice(STORY, gap)
    heads = "pick_one(x): Take it.\nput_down(x, p): Put it.\n"
    for line in gap.teach:
        reply = json.loads(apprentice.complete(asked(line, heads)).text)["reply"]
    assert reply["lesson"]["program"] == gap.right
    other = "pick_one(x): Take it.\nput_down(thing, spot): Another one.\n"
    reply = json.loads(apprentice.complete(asked(gap.teach[0], other)).text)["reply"]
    assert reply["answer"] == "I do not know put_down."
