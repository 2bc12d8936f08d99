"""Tabletop instructions that are corrected: the scripted model, what it is expected to cost, a run without physics."""

import json
from pathlib import Path

import pytest

from benchmarks.tabletop.board import Spot
from benchmarks.tabletop.instance import Instance
from benchmarks.tabletop.judge import Verdict
from benchmarks.tabletop.templates import Template, Templates
from benchmarks.tabletop.trial import Observed
from benchmarks.teaching.suite import main
from benchmarks.teaching.tabletop.erring_model import ErringModel
from benchmarks.teaching.tabletop.figures import as_document, corrections_of
from benchmarks.teaching.tabletop.rates import PUBLISHED, SPREADS, Rates, expected_corrections, expected_mean
from benchmarks.teaching.tabletop.runs import Attempt, RunResult, Table, Teacher, try_run
from benchmarks.teaching.tabletop.skills import ErrorKind, Instruction, Skills, load_errors
from semantics.body.protocols import Message
from semantics.errors import UsageError
from semantics.logic.parsing import parse_formula

WORDS = {
    "S1": "pick up the <block:1> and place it on the <block:2>",
    "S6": "pick up the block to the <direction> of the <bowl> and place it on the <corner/side>",
    "S8": "pick up the <nth> block from the <direction> and place it on the <corner/side>",
}
TEMPLATES = Templates({name: Template(name, text, "") for name, text in WORDS.items()}, {})
SWAPPED = ErrorKind(
    "swapped", "S1", "<take>\ntake(<block:2>)\nstack(<block:2>, <block:1>)\n", ("The <block:1> goes on top.",), False
)
SKILLS = Skills(TEMPLATES, (SWAPPED,))
SPOTS = {"red_block": Spot(-0.1, 0.1), "blue_block": Spot(0.1, 0.1), "green_block": Spot(0.0, -0.1)}
NEVER, ALWAYS = Rates({}), Rates({"S1": 1.0}, following=0.0, improved=0.0)


def instance_of(number, first, second):
    words = f"pick up the {first} block and place it on the {second} block"
    attributes = {"block:1": f"{first}_block", "block:2": f"{second}_block"}
    return Instance("S1", number, "seen", words, attributes, SPOTS)


def observed(session, given, begin):
    """Carry it out, and judge what is believed: with a body without physics that is all there is."""
    episode = begin().finish()
    wanted = parse_formula(f"(on {given.text('block:1')} {given.text('block:2')})")
    is_right = wanted in session.environment.watcher.state.atoms
    return Observed(episode, Verdict(is_right, is_right, () if is_right else ("it is not there",)), 0.0)


def run(folder: Path, given: Instance, rates: Rates = ALWAYS, learn: str = "ask") -> RunResult:
    model, teacher = ErringModel(SKILLS, rates, f"seed {given.seed}"), Teacher(SKILLS, "seed")
    return try_run("SA-SI", given, model, teacher, Table(folder, folder / "memory.sqlite", "fake", learn, observed))


def test_an_error_is_corrected_once_and_not_made_again_with_other_things(tmp_path):
    first = run(tmp_path, instance_of(0, "red", "blue"))
    assert [attempt.error for attempt in first.attempts] == ["swapped", ""]
    assert (first.corrections, first.is_right, first.attempts[0].is_asked) == (1, True, True)
    second = run(tmp_path, instance_of(1, "green", "red"))
    assert (second.corrections, second.is_right) == (0, True)


def test_without_a_memory_the_error_is_made_again(tmp_path):
    for number, colours in enumerate((("red", "blue"), ("green", "red"))):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert run(folder, instance_of(number, *colours)).corrections == 1


def test_nobody_is_asked_where_lessons_are_allowed(tmp_path):
    first = run(tmp_path, instance_of(0, "red", "blue"), learn="allow")
    assert (first.corrections, first.attempts[0].is_asked) == (1, False)


@pytest.mark.parametrize("errors", SPREADS)
@pytest.mark.parametrize("split", PUBLISHED)
def test_the_model_errs_as_often_as_was_published(errors, split):
    assert expected_mean(split, SPREADS[errors][split]) == pytest.approx(PUBLISHED[split], abs=0.05)


def test_corrections_that_are_expected_are_counted_up_to_the_most():
    assert expected_corrections(1.0, 0.0) == 1
    assert expected_corrections(0.0, 0.5) == 0
    assert expected_corrections(0.5, 0.5, most=1) == pytest.approx(0.25 / 0.75)


def test_words_are_read_with_and_without_slots():
    assert SKILLS.read("Pick up the second block from the left and place it on the top right corner.") == Instruction(
        "S8", {"nth": 2, "direction": "left", "corner/side": "top_right_corner"}
    )
    assert SKILLS.read("pick up the block to the top of {bowl1} and place it on {side1}") == Instruction(
        "S6", {"direction": "top", "bowl": "{bowl1}", "corner/side": "{side1}"}
    )
    assert SKILLS.read("put it back") is None


def answer(model, words, shown=""):
    told = f"{shown}\nRequest: {json.dumps(words)}\n"
    return json.loads(model.complete([Message("system", "-"), Message("user", told)]).text)["reply"]


def test_a_program_that_is_shown_is_followed_whatever_it_does():
    words = "pick up the red block and place it on the blue block"
    taught = '\n"pick up {block1} and place it on {block2}":\n  take({block2})\n  stack({block2}, {block1})\n\n'
    program = answer(ErringModel(SKILLS, NEVER, "0"), words, taught + "take(thing): Pick a thing up.")["program"]
    assert program == "take(blue_block)\nstack(blue_block, red_block)"
    assert answer(ErringModel(SKILLS, NEVER, "0"), words)["program"].endswith("stack(red_block, blue_block)\n")


def test_what_was_saved_as_it_was_names_other_things():
    saved = {"S1": "take(green_block)"}
    model = ErringModel(SKILLS, NEVER, "0", saved)
    assert answer(model, "pick up the red block and place it on the blue block")["program"] == "take(green_block)"


def test_a_correction_is_answered_with_a_lesson_about_the_last_instruction():
    before = '\nBefore: "pick up the red block and place it on the blue block"; "Done."\n'
    lesson = answer(ErringModel(SKILLS, ALWAYS, "0"), "The red block goes on top.", before)["lesson"]
    assert lesson["program"].endswith("stack(red_block, blue_block)\n")
    assert "refusal" in answer(ErringModel(SKILLS, ALWAYS, "0"), "No.")


def test_the_kinds_of_error_of_all_instructions_are_read():
    errors = load_errors()
    assert {error.template for error in errors} == {f"S{n}" for n in range(1, 9)} | {f"U{n}" for n in range(1, 7)}
    assert {error.is_unseen for error in errors} == {True, False}


def result(template, *right, is_unseen=False):
    attempts = tuple(Attempt(is_right, "", "achieved") for is_right in right)
    return RunResult("SA-SI", template, 0, "", "", is_unseen, attempts, 1.0)


def test_corrections_are_counted_of_runs_that_succeed_and_then_of_templates():
    runs = [result("S1", True), result("S1", False, True), result("S2", False, True), result("S2", False, False)]
    assert corrections_of(runs) == 0.75
    figures = as_document(runs, SPREADS["even"])["figures"]
    assert [row["group"] for row in figures[:2]] == ["all", "seen kinds of error"]
    assert (figures[0]["at once"]["yes"], figures[0]["in the end"]["yes"]) == (1, 3)
    assert corrections_of([result("S1", False)]) is None


def test_without_the_templates_it_says_what_it_needs(tmp_path):
    with pytest.raises(UsageError, match="--templates"):
        main(["--kind", "tabletop"])
    with pytest.raises(UsageError, match=r"templates\.json"):
        main(["--kind", "tabletop", "--templates", str(tmp_path)])
