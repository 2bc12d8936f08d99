import xml.etree.ElementTree as ET
from itertools import pairwise, takewhile

from bt.report.story import tell
from bt.report.timeline import timeline_svg
from tests.bt.report.sample import events

SVG = "{http://www.w3.org/2000/svg}"


def drawn(marks=(), told=None):
    return ET.fromstring(timeline_svg(tell(events()[0]) if told is None else told, marks))


def of_class(drawing, name):
    return [part for part in drawing.iter() if name in (part.get("class") or "").split()]


def test_there_is_a_bar_for_each_run_of_a_step_with_how_it_ended():
    bars = of_class(drawn(), "bar")
    assert [bar.get("class").split()[1] for bar in bars].count("failure") == 2
    assert len(bars) == 6 + 4
    assert bars[0].find(f"{SVG}title").text == "step 1: 0.0 s to 5.0 s, worked"


def test_the_resume_line_visibly_goes_back_once():
    back = of_class(drawn(), "back")
    assert len(back) == 1
    start, end = back[0].find(f"{SVG}path").get("d").removeprefix("M").split("V")
    assert float(end) < float(start.split()[1])


def test_marks_are_numbered_and_those_at_one_time_do_not_cover_each_other():
    marks = [(5.0, "trouble", "<one>"), (5.0, "repair", "two"), (5.1, "back", "three"), (20.0, "plan", "four")]
    groups = of_class(drawn(marks), "mark")
    assert [group.find(f"{SVG}text").text for group in groups] == ["1", "2", "3", "4"]
    assert groups[0].find(f"{SVG}title").text == "5.0 s: <one>"
    circles = [group.find(f"{SVG}circle") for group in groups]
    spots = [(float(circle.get("cx")), float(circle.get("cy"))) for circle in circles]
    assert all(abs(x - a) + abs(y - b) >= 20 for (x, y), (a, b) in pairwise(spots))


def test_an_empty_record_has_an_empty_timeline():
    assert of_class(drawn(told=tell([])), "bar") == []


def test_steps_that_were_never_begun_share_one_row():
    told = tell(takewhile(lambda event: event.get("t", 0.0) < 9.5, events()[0]))
    titles = [title.text for title in drawn(told=told).iter(f"{SVG}title")]
    assert "… 2 more, not begun" in titles
    assert not any("human0" in title for title in titles)


def test_a_new_plan_does_not_look_like_going_back():
    told = tell(
        [
            {"e": "plan", "steps": ["(a)", "(b)", "(c)"]},
            {"e": "tick", "n": 1, "t": 1.0, "resume": 2},
            {"e": "plan", "steps": ["(d)", "(e)"]},
            {"e": "tick", "n": 2, "t": 2.0, "resume": 0},
            {"e": "tick", "n": 3, "t": 3.0, "resume": 1},
        ]
    )
    assert of_class(drawn(told=told), "back") == []
