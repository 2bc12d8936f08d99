import json

from bt.report.story import read_events, tell
from tests.bt.report.records import FIRST_PLAN, SECOND_PLAN
from tests.bt.report.sample import events, write_sample
from tests.bt.report.trees import tree


def story():
    return tell(events()[0])


def test_each_plan_opens_a_chapter_with_its_tree():
    first, second = story().chapters
    assert (first.steps, second.steps) == (FIRST_PLAN, SECOND_PLAN)
    assert [node["what"] for node in second.step_nodes()] == SECOND_PLAN
    assert story().end_of(first) == second.start
    assert story().end_of(second) == story().last


def test_a_step_that_had_to_be_done_again_has_two_spans():
    told = story()
    spans = [(span.step, span.how) for span in told.spans(told.chapters[0])]
    assert spans == [(0, "success"), (1, "success"), (1, "success"), (2, "failure"), (2, "success"), (3, "failure")]


def test_a_step_cut_short_by_a_new_plan_was_called_off():
    told = tell(
        [
            {"e": "plan", "steps": FIRST_PLAN},
            {"e": "tree", "root": tree(FIRST_PLAN, "a")},
            {"e": "tick", "n": 1, "t": 1.0, "status": {"a0": "running"}},
            {"e": "plan", "steps": SECOND_PLAN},
            {"e": "tree", "root": tree(SECOND_PLAN, "b")},
            {"e": "tick", "n": 2, "t": 3.0, "status": {"b0": "running"}},
        ]
    )
    assert [(span.how, span.end) for span in told.spans(told.chapters[0])] == [("invalid", 1.0)]
    assert [span.how for span in told.spans(told.chapters[1])] == ["running"]


def test_states_that_are_not_told_again_carry_over_to_the_next_tree():
    root = tree(FIRST_PLAN, "a")
    told = tell(
        [
            {"e": "plan", "steps": FIRST_PLAN},
            {"e": "tree", "root": root},
            {"e": "tick", "n": 1, "t": 1.0, "status": {"replan": "running"}, "resume": 2},
            {"e": "tree", "root": root},
        ]
    )
    assert len(told.chapters) == 2
    assert told.chapters[1].statuses() == {"replan": "running"}
    assert told.chapters[1].resumes == [(1.0, 2)]


def test_a_last_reset_of_the_whole_tree_hides_no_result():
    told = tell([*events()[0], {"e": "tick", "n": 999, "t": 40.0, "status": dict.fromkeys(_ids("b"), "invalid")}])
    assert told.chapters[-1].statuses()["b3"] == "success"


def _ids(mark):
    return [ident for event in events()[0] for ident in event.get("status", {}) if ident[0] in (mark, "r", "a")]


def test_feedback_finds_its_node_by_the_path_of_names():
    told = story()
    found = told.feedback_of(told.chapters[0])
    assert list(found) == ["a2", "a2.act", "a3.act"]
    assert "only the left finger" in found["a2.act"][0]


def test_damaged_lines_are_counted_and_the_rest_is_read(tmp_path):
    file = write_sample(tmp_path) / "record.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    lines[3] = b"\xff\xfe{half\n"
    lines[5] = b"[1, 2]\n"
    file.write_bytes(b"".join(lines)[:-20])
    read, unread = read_events(file)
    assert unread == 3
    assert len(read) == len(lines) - 3
    assert read[0] == json.loads(lines[0])
