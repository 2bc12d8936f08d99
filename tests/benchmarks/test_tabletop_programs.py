"""The programs of the tabletop evaluation: each template has one, and some are carried out and judged."""

from pathlib import Path

import pytest

from benchmarks.tabletop import programs
from benchmarks.tabletop.board import Pose, Spot, spot_of
from benchmarks.tabletop.evidence import Evidence, Gripper, Sample
from benchmarks.tabletop.instance import Instance
from benchmarks.tabletop.judge import CHECKS, Verdict, judge
from benchmarks.tabletop.programs import PROGRAMS, program_text
from benchmarks.tabletop.suite import GROUPS, main, said_counts
from benchmarks.tabletop.trial import Trial, trial
from bt.programs import CheckedProgram, check_program
from domains.reader import load_domain, load_scene
from graftwork import Outcome, Session
from semantics.errors import UsageError

SPOTS = {
    "red_block": Spot(-0.1, 0.05),
    "blue_block": Spot(0.12, 0.1),
    "green_block": Spot(0.15, -0.15),
    "red_bowl": Spot(-0.215, -0.03),
    "blue_bowl": Spot(-0.15, 0.2),
}
WORDS = {
    "block": "red_block",
    "block:1": "red_block",
    "block:2": "blue_block",
    "object": "blue_block",
    "object:1": "red_block",
    "object:2": "red_bowl",
    "bowl": "red_bowl",
    "corner/side": "top_right_corner",
    "region": "middle0",
    "direction": "left",
    "relation": "left",
    "distance": "closest",
    "magnitude": "a little",
    "movement": "towards",
    "nth": 2,
    "n": 5,
    "line": "diagonal",
    "point": (0.5, 0.1, 0.85),
    "color": "green",
    "location": "leftmost",
    "distance-threshold": 20,
    "comparison": "less",
    "shape": "triangle",
}


def instance_of(template, **words):
    return Instance(template, 0, "seen", f"what {template} says", WORDS | words, SPOTS)


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    path = tmp_path_factory.mktemp("tabletop") / "scene.yaml"
    path.write_text(instance_of("S1").scene, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def things(scene):
    return load_scene(load_domain("tabletop"), scene).things


def test_each_template_has_a_program_and_each_program_a_template():
    files = {path.stem for path in Path(programs.__file__).parent.glob("*.txt")}
    assert files == set(PROGRAMS.values())
    assert set(PROGRAMS) == set(CHECKS)


@pytest.mark.parametrize("template", PROGRAMS)
def test_a_program_is_accepted_with_its_words_in_it(template, things):
    text = program_text(instance_of(template))
    checked = check_program(text, load_domain("tabletop"), things)
    assert isinstance(checked, CheckedProgram), str(checked)


def sampled(session, time):
    seen = session.environment.robot.observation().sightings
    return Sample(time, {name: Pose(*seen[name].box.centre) for name in SPOTS}, Gripper(0.3, 0.0, 1.1, 0.08))


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("S3", {"corner/side": "right_side"}),
        ("S5", {}),
        ("S6", {"direction": "right"}),
        ("S8", {"direction": "bottom"}),
        ("U1", {}),
        ("U2", {}),
        ("U3", {"corner/side": "bottom_side"}),
        ("U4", {"magnitude": "a lot", "direction": "right"}),
        ("U6", {"line": "vertical"}),
        ("U6", {"line": "diagonal"}),
        ("L12", {"relation": "north"}),
        ("L17", {"comparison": "more"}),
        ("L40", {"direction": "right"}),
        ("L41", {"region": "middle0", "n": 14}),
    ],
)
def test_a_program_does_what_is_asked_on_the_fake_body(template, words, scene):
    given = instance_of(template, **words)
    with Session(domain="tabletop", scene=str(scene), robot="fake", memory=None) as session:
        initial = sampled(session, 0.0)
        episode = session.program(program_text(given)).finish()
        final = [sampled(session, 1.0 + step / 10) for step in range(12)]
    answer = None if episode.answer is None else episode.answer["value"]
    verdict = judge(given, Evidence(initial, final, None, answer))
    assert verdict.reasons == (), episode.message
    assert episode.outcome is Outcome.ACHIEVED


def test_an_instance_is_carried_out_and_judged_in_the_simulator():
    made = trial(instance_of("S7", distance="farthest"))
    assert made.verdict.completed, (made.message, made.verdict.reasons)
    assert made.simulated > 1.0
    assert made.processor > 0.0


def test_blocks_that_wait_for_each_other_change_places(tmp_path):
    spots = {"red_block": Spot(0.0, 0.0), "blue_block": Spot(0.1, 0.0), "green_block": Spot(-0.1, 0.0)}
    given = Instance("L40", 0, "seen", "move all blocks", WORDS, spots)
    path = tmp_path / "scene.yaml"
    path.write_text(given.scene, encoding="utf-8")
    functions = program_text(given).partition("blocks =")[0]
    change = """
put_all(
    [green_block, red_block, blue_block],
    [get_position(red_block), get_position(blue_block), get_position(red_block) + direction("top") * 0.15],
)
put_all([red_block, blue_block], [get_position(blue_block), get_position(red_block)])
"""
    with Session(domain="tabletop", scene=str(path), robot="fake", memory=None) as session:
        assert session.program(functions + change).finish().outcome is Outcome.ACHIEVED
        seen = session.environment.robot.observation().sightings
    places = {name: spot_of(Pose(*seen[name].box.centre)).place for name in spots}
    assert places["green_block"] == pytest.approx((0.0, 0.0), abs=1e-3)
    assert places["red_block"] == pytest.approx((0.0, 0.15), abs=1e-3)
    assert places["blue_block"] == pytest.approx((0.1, 0.0), abs=1e-3)


def test_a_spot_that_a_bowl_takes_is_told(tmp_path):
    spots = {"red_block": Spot(0.0, 0.0), "blue_bowl": Spot(0.15, 0.0)}
    given = Instance(
        "L40", 0, "seen", "move all blocks 15 cm to the right", WORDS | {"n": 15, "direction": "right"}, spots
    )
    path = tmp_path / "scene.yaml"
    path.write_text(given.scene, encoding="utf-8")
    with Session(domain="tabletop", scene=str(path), robot="fake", memory=None) as session:
        episode = session.program(program_text(given)).finish()
    assert episode.outcome is Outcome.FAILED
    assert "stands where red_block has to go" in episode.message


def made(template, outcome, completed):
    return Trial(template, 0, "words", outcome, "message", Verdict(completed, completed), 1.0, 1.0)


def test_what_is_said_and_called_done_counts_as_wrong_unless_the_judge_agrees():
    trials = [
        made("S1", Outcome.ACHIEVED, completed=True),
        made("S1", Outcome.ACHIEVED, completed=False),
        made("S2", Outcome.FAILED, completed=False),
        made("S3", Outcome.REFUSED, completed=False),
    ]
    assert said_counts(trials) == {"understood": 3, "achieved": 1, "wrong": 1, "refused": 1}


def test_every_template_is_in_one_group():
    for template in PROGRAMS:
        assert sum(holds(template) for holds in GROUPS.values()) == 1


def test_a_folder_without_the_templates_is_told(tmp_path):
    with pytest.raises(UsageError, match="--data"):
        main(["--data", str(tmp_path)])
