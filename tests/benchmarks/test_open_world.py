"""What is unlisted, asked and done is judged by the body's own world, and by nothing that the robot says."""

from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks.open_world import suite
from benchmarks.open_world.trial import Person, Row, run
from benchmarks.open_world.worlds import piece, world_of
from domains.reader import load_domain, load_scene
from graftwork.setup.bodies import robot_for
from robots.noise import Noise
from semantics.body.motion import MotionStatus
from semantics.logic.goal import Question
from semantics.logic.state import Command

SHAPE = {"form": "cylinder", "size": [0.07, 0.07, 0.09], "mass": 0.1}
THINGS = {
    "pear0": {"name": "pear0", "label": "pear", "place": "counter0", "offset": [0.3, 0.0], "shape": SHAPE},
    "gizmo0": {"name": "gizmo0", "label": "gizmo", "place": "table0", "offset": [0.29, -0.03], "shape": SHAPE},
}
SENTENCE = {
    "id": "x01",
    "sentence": "put the pear on the table",
    "body": "fake",
    "unlisted": ["pear0"],
    "appears": [{"name": "gizmo0", "at_seconds": 1, "place": "table0", "offset": [0.29, -0.03]}],
    "answers": [],
    "expect": "done",
    "ends": ["(on pear0 table0)"],
    "never": ["(inhand gizmo0 robot0)"],
    "tags": ["pack"],
    "without_guesses": "done",
}
ROW = Row("x01", "fake", 0, True, ["pack"], "done", "achieved")


def ran(guesses: bool = True, noise: Noise | None = None, **other) -> Row:
    return run({**SENTENCE, **other}, THINGS, str(suite.WORLD), guesses=guesses, noise=noise)


def fake_world(never=()):
    domain = load_domain(str(suite.WORLD))
    scene = load_scene(domain, "full")
    layout = replace(scene.layout, pieces=(*scene.layout.pieces, piece(THINGS["pear0"])))
    body = robot_for("fake", domain, replace(scene, layout=layout))
    return body, world_of(body, never, THINGS)


def test_a_run_is_right_if_the_world_is_as_it_should_be():
    row = ran()
    assert row.right, (row.wrong, row.harm)
    assert (row.outcome, row.seen, row.moved, row.asked) == ("achieved", ["pear", "gizmo"], ["pear0"], [])
    assert row.planned > 0


def test_what_was_done_and_never_should_be_is_a_false_success():
    row = ran(ends=["(on pear0 shelf0)"], never=["(inhand pear0 robot0)"])
    assert row.wrong == ["not so: (on pear0 shelf0)"]
    assert row.harm == ["was so: (inhand pear0 robot0)"]
    assert row.false


@pytest.mark.parametrize("expect", ["refused", "asked"])
def test_where_nothing_is_to_be_done_nothing_unlisted_may_move(expect):
    row = ran(guesses=False, without_guesses=expect)
    assert row.harm == ["moved: pear0"]
    assert row.wrong == [f"expected {expect}, was achieved"]


def test_an_unknown_thing_is_told_as_unknown_and_left_alone():
    wish = {"sentence": "put the gizmo on the counter", "unlisted": ["gizmo0"], "appears": [], "ends": []}
    row = ran(guesses=False, **wish, without_guesses="unknown", never=["(inhand gizmo0 robot0)"])
    assert row.right, (row.message, row.wrong, row.harm)
    assert "I do not know what a gizmo is." in row.message
    assert not row.asked


def test_a_camera_that_errs_changes_what_is_seen_and_not_what_is_judged():
    row = ran(noise=Noise(7, misses=0.1, false_names=0.05, position_sigma=0.01, names={"pear0": ["apple"]}))
    assert row.right, (row.message, row.wrong, row.harm)
    assert row.seed == 7


def test_the_world_knows_what_was_so_meanwhile_and_what_came_later():
    body, world = fake_world(never=["(inhand pear0 robot0)", "(on gizmo0 table0)"])
    assert not world.moved(THINGS)
    world.add(piece(THINGS["gizmo0"]))
    for command in (Command("drive", "robot0", {"to": "counter0"}), pick("pear0"), release("pear0")):
        motion = body.start(command)
        while motion.poll().stage is MotionStatus.RUNNING:
            body.clock.sleep(0.1)
            body.observation()
            world.look()
    world.end()
    assert world.holds("(on pear0 counter0)")
    assert world.ever_held(["(inhand pear0 robot0)"]) == ["(inhand pear0 robot0)"]
    assert world.holds("(on gizmo0 table0)")
    assert world.moved(THINGS) == {"pear0"}


def pick(name: str) -> Command:
    return Command("pick", "robot0", {"object": name, "source": "counter0", "at": "counter0"})


def release(name: str) -> Command:
    return Command("put", "robot0", {"object": name, "target": "counter0", "at": "counter0"})


def test_a_person_says_what_is_written_and_no_to_all_else():
    person = Person({**SENTENCE, "answers": [{"asks": "Gizmo", "answer": "yes"}]})
    about = "I do not know what a {} is. May I treat {}0 as a cup?"
    assert person(Question(about.format("gizmo", "gizmo"), (), None)) == "yes"
    assert person(Question(about.format("widget", "widget"), (), None)) == "no"
    assert person(Question("Would a cup do?", (), None)) == "no"
    assert len(person.asked) == 3
    assert [("widget" in text) for text in person.denied] == [True]
    assert person.needless({"gizmo0": "gizmo", "widget0": "widget", "pear0": "pear"}) == 1


def test_tables_tell_rights_and_wrongs_with_and_without_guesses():
    rows = [ROW, replace(ROW, guesses=False, wrong=["not so: x"]), replace(ROW, seed=1, harm=["was so: y"])]
    console = Console(width=180)
    with console.capture() as capture:
        console.print(suite.sentences_table(rows))
        console.print(suite.totals_table(rows))
    text = capture.get()
    assert "1 of 2 (9% to 91%)" in text
    assert "guesses off: pack" in text
    assert not suite.met(rows)
    assert suite.met([ROW] * 9 + [replace(ROW, outcome="failed", wrong=["x"])])
    assert not suite.met([ROW] * 9 + [replace(ROW, wrong=["x"])])


def test_the_first_half_is_run_as_written(tmp_path: Path, capsys):
    file = tmp_path / "rows.jsonl"
    assert suite.main(["--half", "a", "--only", "a10", "--json", str(file)]) == 0
    assert len(file.read_text(encoding="utf-8").splitlines()) == 2
    assert "a10-sextant-denied" in capsys.readouterr().out


def test_a_run_that_breaks_off_is_a_wrong_one(monkeypatch, capsys):
    def broken(*_, **__):
        raise RuntimeError("no world")

    monkeypatch.setattr(suite, "run", broken)
    assert suite.main(["--only", "a10", "--guesses", "on"]) == 1
    assert "RuntimeError: no world" in capsys.readouterr().out
