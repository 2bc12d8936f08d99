import io
import re
from contextlib import closing

import pytest

from bt.record import Journal
from bt.terminal import LiveTree, outline
from tests.bt.report.records import FIRST_PLAN
from tests.bt.report.sample import events
from tests.bt.report.trees import node, tree

BUSY = {
    "replan": "running",
    "agoal": "running",
    "aresume": "running",
    "a0": "success",
    "a1": "success",
    "a2": "running",
}


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "70")
    monkeypatch.setenv("LINES", "14")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return Terminal()


def show(stream, told, now=lambda: 0.0):
    with closing(LiveTree(stream, now=now)) as live:
        for event in told:
            live.write(event["e"], event)
    return stream.getvalue()


@pytest.mark.parametrize("height", [1, 2, 3, 5, 8, 13, 40])
def test_the_outline_fits_and_keeps_what_is_at_work(height):
    lines = outline(tree(FIRST_PLAN, "a"), BUSY, height)
    assert len(lines) <= height
    assert any("take_out" in line.text for line in lines if line.state == "running") or height == 1


def test_the_outline_says_how_much_is_left_out():
    root = node(
        "root", "all", "sequence", "", *(node(f"n{number}", f"part {number}", "act", "") for number in range(50))
    )
    lines = outline(root, {"n30": "running"}, 10)
    counts = [int(number) for line in lines for number in re.findall(r"… (\d+) more", line.text)]
    assert sum(counts) + len(lines) - len(counts) == 51


def test_a_small_tree_is_shown_whole():
    lines = outline(tree(FIRST_PLAN[:1], "a"), {}, 20)
    assert [line.depth for line in lines] == [0, 1, 2, 3, 4, 4, 4]


def test_where_there_is_little_room_a_chain_of_rungs_in_one_state_is_one_line():
    plan = tree(FIRST_PLAN, "a")
    rungs = node("c0", "ask", "ask", "", node("c1", "part", "part", "", node("c2", "again", "again", "", plan)))
    lines = outline(rungs, {"c0": "running", "c1": "running", "c2": "running"} | BUSY, 14)
    assert any(line.text.startswith("ask / part / again") for line in lines)


def test_a_pipe_gets_plain_lines_for_steps_trouble_and_going_back():
    told = show(io.StringIO(), events()[0])
    lines = told.splitlines()
    assert "\x1b" not in told
    assert "“bring me the milk”" in lines[0]
    assert any(line.endswith("✓ (open robot0 fridge0 fridge0) worked") for line in lines)
    assert any("resume point goes back to step 2 of 5" in line for line in lines)
    assert any("trouble, not-grasped: pick milk0" in line for line in lines)
    assert lines[-1].endswith("achieved: milk0 is in the hand of human0, as sensed.")


def test_what_went_wrong_and_what_would_mend_it_are_two_sentences():
    stream = io.StringIO()
    told = {"code": "no-plan", "what": "(on a b)", "why": "nothing does that", "how": "Ask for something else."}
    show(stream, [{"e": "feedback", "t": 0.0, "feedback": told}])
    assert "trouble, no-plan: (on a b): nothing does that. Ask for something else.\n" in stream.getvalue()


def test_the_last_step_of_a_plan_is_told_though_its_tree_is_gone_by_then():
    grasp, give = FIRST_PLAN[-2:]
    told = [
        {"e": "plan", "t": 0.0, "steps": [grasp], "cost": 1, "why": "achieve"},
        {"e": "tree", "root": tree([grasp], "a")},
        {"e": "tick", "t": 0.0, "status": {"a0": "running"}},
        {"e": "resume", "t": 1.0, "from": 0, "to": 1, "why": f"{grasp} worked"},
        {"e": "plan", "t": 2.0, "steps": [give], "cost": 1, "why": "achieve"},
        {"e": "tree", "root": tree([give], "b")},
        {"e": "tick", "t": 2.0, "status": {"b0": "running"}},
    ]
    lines = show(io.StringIO(), told).splitlines()
    assert lines[2:4] == [f"[    2.0 s] ✓ {grasp} worked", "[    2.0 s] plan of 1 step, cost 1 (achieve)"]


def test_what_is_to_be_known_of_the_goal_is_told():
    note = "a cup instead of a glass: people drink from it."
    assert show(io.StringIO(), [{"e": "goal", "notes": [note]}]) == f"[    0.0 s] {note}\n"


def test_a_stream_that_cannot_write_the_signs_gets_question_marks():
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    with closing(LiveTree(stream)) as live:
        live.write("start", {"instruction": "bring the café"})
    stream.flush()
    assert raw.getvalue() == b"[    0.0 s] ?bring the caf??\n"


def test_a_terminal_shows_the_end_without_ever_scrolling(terminal):
    ticking = iter(range(10**6))
    told = show(terminal, events()[0], now=lambda: float(next(ticking)))
    heights = [frame.count("\n") for frame in re.split(r"\x1b\[2K", told)]
    steps_up = max(map(len, re.findall(r"(?:\x1b\[1A\x1b\[2K)+", told))) // len("\x1b[1A\x1b[2K")
    assert 8 < steps_up < 14
    assert max(heights) < 14
    assert "achieved: milk0 is in the hand of human0" in told
    assert "the goal is reached" in told


def test_a_terminal_is_drawn_at_most_eight_times_a_second(terminal):
    seconds = [0.0]
    drawn = []
    with closing(LiveTree(terminal, now=lambda: seconds[0])) as live:
        live.write("tree", {"root": tree(FIRST_PLAN, "a")})
        for number in range(200):
            seconds[0] += 0.01
            before = len(terminal.getvalue())
            live.write("tick", {"n": number, "t": seconds[0], "status": {"a0": "running"}})
            drawn.append(len(terminal.getvalue()) > before)
    assert 8 <= sum(drawn) <= 17


def test_no_color_is_respected(terminal, monkeypatch):
    colours = re.compile(r"\x1b\[(?:\d;)*(?:3|4|9)\d")
    assert colours.search(show(terminal, events()[0]))
    monkeypatch.setenv("NO_COLOR", "1")
    assert not colours.search(show(Terminal(), events()[0]))


def test_what_comes_into_view_is_told():
    text = "wok0 came into view (guessed: a pan, 0.70)"
    assert show(io.StringIO(), [{"e": "revision", "t": 1.0, "text": text}]) == f"[    1.0 s] {text}\n"


@pytest.mark.parametrize("make", [Terminal, io.StringIO])
def test_text_from_outside_cannot_steer_the_terminal(terminal, make):
    bad = "\x1b[31mred\x07 \x9b2J [bold]kept[/bold]\nnext"
    told = [{"e": "start", "instruction": bad}, {"e": "note", "t": 0.0, "text": bad}]
    shown = show(make(), [*told, {"e": "tree", "root": node("x", bad, "act", bad)}])
    assert "\x1b[31mred" not in shown
    assert "\x07" not in shown
    assert "\x9b" not in shown
    assert "[bold]kept[/bold]" in shown


def test_a_stream_that_breaks_does_not_end_the_run():
    stream = io.StringIO()
    live = LiveTree(stream)
    stream.close()
    live.write("note", {"t": 1.0, "text": "nobody listens"})
    live.close()
    live.close()


def test_it_is_a_journal():
    stream = io.StringIO()
    journal: Journal = LiveTree(stream)
    journal.write("note", {"t": 2.0, "text": "hello"})
    journal.write("something new", {"t": 3.0})
    assert stream.getvalue() == "[    2.0 s] hello\n"


def test_what_a_person_is_asked_stands_on_the_terminal_until_the_plan_goes_on(terminal):
    request = {
        "e": "request",
        "t": 1.0,
        "agent": "human0",
        "step": "(unscrew human0 jar0)",
        "text": "please: unscrew jar0",
    }
    begin = {"e": "start", "instruction": "open the jar"}, {"e": "tree", "root": tree(FIRST_PLAN, "a")}
    with closing(LiveTree(terminal, now=lambda: 0.0)) as live:
        for event in (*begin, request):
            live.write(event["e"], event)
        assert "human0, please: unscrew jar0" in str(live._picture())
        assert "human0, please: unscrew jar0" in terminal.getvalue()
        live.write("resume", {"t": 6.0, "from": 0, "to": 1, "why": "it worked"})
        assert "please" not in str(live._picture())
