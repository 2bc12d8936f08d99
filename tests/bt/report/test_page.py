import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest

from bt.errors import RecordError
from bt.report import write_report
from tests.bt.report.records import FIRST_PLAN, SECOND_PLAN
from tests.bt.report.sample import events, write_sample

VOID = {"meta", "link", "img", "input", "br"}
OPTIONAL = {"p", "li", "td", "th", "tr", "dt", "dd", "option"}
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)> {{DATA}} \x00\x1b ' \" &amp; \u2028"


class Page(HTMLParser):
    """What a browser would see: elements with attributes, their text, and the source of each drawing."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements = []
        self.open = []
        self.texts = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        while self.open[-1] != tag:
            assert self.open.pop() in OPTIONAL
        self.open.pop()

    def handle_data(self, data):
        for tag in set(self.open[-3:]):
            self.texts.setdefault(tag, []).append(data)

    def text(self, tag="body"):
        return "".join(self.texts.get(tag, []))


def report(folder, **how):
    return write_report(write_sample(folder, **how)).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return report(tmp_path_factory.mktemp("record"))


def data_of(text):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1])


def drawings(text):
    return [ET.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL)]


def test_the_page_is_well_formed_and_told_in_the_order_of_a_reader(page):
    told = Page(page)
    assert told.open == []
    headings = told.text("h2")
    titles = [
        "What happened",
        "The goal",
        "Notes",
        "Watch it again",
        "The plan",
        "Trouble and repair",
        "What changed",
        "Words used here",
    ]
    assert headings == "".join(titles)
    assert told.text("h1") == "“bring me the milk”"
    assert "Achieved" in told.text("b")


def test_the_page_holds_goal_plans_trouble_facts_and_notes(page):
    text = Page(page)
    assert text.text("pre") == "(inhand milk0 human0)"
    codes = text.text("code")
    assert all(step in codes for step in (*FIRST_PLAN, *SECOND_PLAN, "(opened fridge0)"))
    assert "Went back from step 3 to step 2" in text.text("b")
    assert "only the left finger touched milk0" in page
    assert "Repaired: replan" in text.text("b")
    assert "it has not been seen yet" in page


def test_each_failure_is_told_with_what_was_tried_and_what_mended_it(page):
    table = page[page.index('<section id="feedback">') : page.index("<h3>Every note</h3>")]
    assert f"<code>{FIRST_PLAN[2]}</code>" in table
    assert "again (helped, after 2.50 s)<td><b>again</b>" in table
    assert "rule (in vain, after 0.00 s); replan (helped, after 0.08 s)<td><b>replan</b>" in table


def test_the_drawings_are_the_room_two_trees_and_the_timeline(page):
    found = drawings(page)
    assert [each.get("id") or each.get("class") for each in found] == ["room", "bt-tree", "bt-tree", "timeline"]


def test_nothing_is_asked_for_from_elsewhere(page):
    for tag, attributes in Page(page).elements:
        for key in ("src", "href", "action", "srcset", "data", "poster"):
            value = attributes.get(key)
            assert value is None or value.startswith(("data:", "#")), (tag, key)
    assert not re.search(r"@import|url\(|fetch\(|XMLHttpRequest|WebSocket|https?://(?!www\.w3\.org/2000/svg)", page)


def test_every_picture_is_in_the_page_and_the_page_is_small(page):
    pictures = [attributes["src"] for tag, attributes in Page(page).elements if tag == "img"]
    assert len(pictures) == 7
    assert len(page.encode()) < 300_000


def test_what_is_replayed_covers_the_run_and_names_nodes_that_are_drawn(page):
    data = data_of(page)
    assert data["first"] == 0.0
    assert data["frames"][-1]["t"] <= data["last"]
    trees = drawings(page)[1:3]
    for chapter, tree in zip(data["chapters"], trees, strict=True):
        drawn = {group.get("data-id") for group in tree.iter() if group.get("data-id")}
        mark = {key for _, change in chapter["changes"] for key in change} & drawn
        assert len(mark) > 10
        assert set(chapter["feedback"]) <= drawn
    assert data["chapters"][0]["feedback"]["a2.act"]


def test_without_a_script_the_end_is_shown(page):
    tree = drawings(page)[2]
    states = {group.get("class") for group in tree.iter() if group.get("data-id")}
    assert states == {"node success"}


def test_a_world_without_places_has_no_empty_drawing_of_a_room(tmp_path):
    folder = write_sample(tmp_path)
    record = folder / "record.jsonl"
    told = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    seen = {"v": 1, "e": "view", "t": 0.0, "things": {}, "held": [], "doors": {}}
    kept = [*(event for event in told if event["e"] != "view"), seen]
    record.write_text("".join(json.dumps(event) + "\n" for event in kept), encoding="utf-8")
    text = write_report(folder).read_text(encoding="utf-8")
    assert "This record does not say where things stood." in text
    assert 'id="room"' not in text


def test_hostile_text_stays_text(tmp_path):
    told, _ = events(instruction=HOSTILE)
    folder = write_sample(tmp_path, instruction=HOSTILE)
    lines = [json.dumps(event).replace("fridge0", "<b onclick=x>&") for event in told]
    (folder / "record.jsonl").write_text("\n".join(lines).replace("alert(1)", "alert(1)\\ud800"), encoding="utf-8")
    text = write_report(folder).read_text(encoding="utf-8")
    page = Page(text)
    assert [tag for tag, _ in page.elements].count("script") == 2
    assert not any(key.startswith("on") for _, attributes in page.elements for key in attributes)
    assert "{{DATA}}" in page.text("h1")
    assert "<img src=x onerror=alert(2)>" in page.text("h1")
    assert data_of(text)["chapters"]
    assert len(drawings(text)) == 4


@pytest.mark.parametrize("turn", ["\u202e", "\u2066", "\u200f"])
def test_nothing_in_a_page_turns_the_direction_of_writing(tmp_path, turn):
    folder = write_sample(tmp_path, instruction=f"bring me the {turn}klim")
    text = write_report(folder).read_text(encoding="utf-8")
    assert "klim" in Page(text).text("h1")
    assert turn not in text
    assert f"\\u{ord(turn):04x}" not in text


@pytest.mark.parametrize("share", [0.0, 0.0005, 0.003, 0.02, 0.1, 0.3, 0.6, 0.99])
def test_a_record_cut_anywhere_gives_a_page_that_says_so(tmp_path, share):
    file = write_sample(tmp_path) / "record.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole[: int(share * len(whole))])
    text = write_report(tmp_path).read_text(encoding="utf-8")
    page = Page(text)
    assert "Record ends early" in page.text("b")
    assert "The record has no end" in text
    assert drawings(text)
    assert data_of(text)["last"] >= 0


DAMAGED_EVENTS = """
{"e":"plan","t":null,"steps":["x"]}
{"e":"plan","t":"x"}
{"e":"end","t":null}
{"e":"note","t":"5.0"}
{"e":"rung","rung":"again","seconds":"1.5"}
{"e":"rung","rung":"again","seconds":null}
"""


@pytest.mark.parametrize("line", DAMAGED_EVENTS.split())
def test_a_damaged_event_gives_a_page(tmp_path, line):
    file = write_sample(tmp_path) / "record.jsonl"
    file.write_bytes(file.read_bytes() + line.encode() + b"\n")
    assert drawings(write_report(tmp_path).read_text(encoding="utf-8"))


def test_damage_in_the_middle_is_told(tmp_path):
    file = write_sample(tmp_path) / "record.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    lines[10] = b"\0\0\0\0\n"
    file.write_bytes(b"".join(lines))
    assert "1 line(s) of the record could not be read" in write_report(tmp_path).read_text(encoding="utf-8")


def test_a_report_is_written_over_an_older_one(tmp_path):
    write_sample(tmp_path)
    assert write_report(tmp_path) == write_report(str(tmp_path)) == tmp_path / "report.html"


def test_without_a_record_there_is_no_report(tmp_path):
    with pytest.raises(RecordError, match="no report of"):
        write_report(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_is_repeated_is_one_line_with_a_count(tmp_path):
    told, _ = events()
    trouble = next(event for event in told if event["e"] == "feedback")
    again = [trouble] * 3
    at = told.index(trouble)
    lines = [json.dumps(event) for event in (*told[:at], *again, *told[at + 1 :])]
    (tmp_path / "record.jsonl").write_text("\n".join(lines), encoding="utf-8")
    text = Page(write_report(tmp_path).read_text(encoding="utf-8")).text()
    assert text.count("3 times in a row, the last time at") == 1
