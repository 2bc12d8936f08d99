"""The judge of the gallery looks at the body's world, and finds what did not happen."""

import pytest
import yaml

from benchmarks.gallery.suite import main
from benchmarks.gallery.trial import Entry, groups, perform
from benchmarks.gallery.truth import holds, true_facts
from domains.reader import load_domain, load_scene
from graftwork import Outcome
from robots.fake import FakeRobot
from semantics.errors import UsageError
from semantics.logic.parsing import parse_formula


@pytest.fixture
def robot() -> FakeRobot:
    return FakeRobot(load_scene(load_domain("kitchen"), "small").arrangement)


@pytest.mark.parametrize(
    "fact", ["(on apple0 table0)", "(in milk0 fridge0)", "(closed fridge0)", "(not (opened fridge0))"]
)
def test_the_truth_is_that_of_the_scene(robot, fact):
    assert holds(parse_formula(fact), true_facts(robot))


def test_the_truth_changes_with_the_world_and_not_with_what_is_sensed(robot):
    robot.move_piece("apple0", "in", "sink0")
    robot.set_door("fridge0", 0.5)
    facts = true_facts(robot)
    assert holds(parse_formula("(and (in apple0 sink0) (not (on apple0 table0)))"), facts)
    assert holds(parse_formula("(and (not (opened fridge0)) (not (closed fridge0)))"), facts)


@pytest.mark.parametrize(
    ("end", "why"),
    [
        ("(on banana0 counter0)", "(on banana0 counter0) is not true afterwards"),
        ("(on banana0 table0)", "(on banana0 table0) was true before, so that it shows nothing"),
        ("", "something has changed: robot0 is at counter0 and apple0 is on counter0"),
    ],
)
def test_a_run_that_says_it_worked_is_judged_by_what_is_true(end, why):
    shown = perform(Entry("put the apple on the counter", scene="small", end=end))
    assert shown.episode.outcome is Outcome.ACHIEVED
    assert shown.wrong == (why,)


@pytest.mark.parametrize(
    ("way", "wrong"),
    [
        (("(opened fridge0)", "(in juice0 fridge0)"), ()),
        (("(in juice0 fridge0)", "(inhand juice0 robot0)"), ("(inhand juice0 robot0) was not true when it had to be",)),
    ],
)
def test_what_must_be_true_on_the_way_is_judged_in_its_order(way, wrong):
    sentence = Entry("put the juice in the fridge and close it", scene="small", way=way, end="(closed fridge0)")
    assert perform(sentence).wrong == wrong


def test_another_outcome_is_wrong():
    (why,) = perform(Entry("bring me the trombone", scene="small", outcome=Outcome.ALREADY)).wrong
    assert why.startswith("it ended with refused instead of already: ")


def test_a_question_without_an_answer_is_wrong():
    shown = perform(Entry("bring me a glass", scene="small", outcome=Outcome.REFUSED))
    assert "it asked ('There is no glass here. Would a cup do?',), and the answers were ()" in shown.wrong


def test_a_file_that_cannot_be_used_is_an_error(tmp_path):
    file = tmp_path / "sentences.yaml"
    file.write_text(yaml.safe_dump({"bring": {"title": "Bring", "text": "", "sentences": [{"sya": "x"}]}}))
    with pytest.raises(UsageError, match="sya"):
        groups(file)


def test_the_page_is_not_written_when_only_some_sentences_are_tried(tmp_path, capsys):
    assert main(["--group", "search", "--into", str(tmp_path / "page.md")]) == 0
    assert "2 sentences, 0 wrong" in capsys.readouterr().out
    assert not (tmp_path / "page.md").exists()
