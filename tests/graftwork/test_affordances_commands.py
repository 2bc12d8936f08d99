"""``graftwork affordances`` and ``graftwork scene``, as a person meets them."""

import json

import pytest

from affordances.mapping import Evidence, EvidenceStore, household
from tests.graftwork.test_commands import graftwork


def told(*words, cwd):
    ended = graftwork(*words, "--json", cwd=cwd)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def test_every_class_is_listed_with_what_it_affords(tmp_path):
    found = told("affordances", "show", cwd=tmp_path)
    assert {row["class"] for row in found["classes"]} == household().classes.keys()
    lines = graftwork("affordances", "show", "--domain", "kitchen", cwd=tmp_path).stdout.splitlines()
    assert "robot: nothing" in lines
    assert any(line.startswith("cup: carry, ") for line in lines)


def test_one_class_is_shown_with_all_its_probabilities(tmp_path):
    found = told("affordances", "show", "cup", cwd=tmp_path)
    assert found["version"] == 1
    assert len(found["probabilities"]) == 38
    assert {name for name, p in found["probabilities"].items() if p >= 0.5} == set(found["affordances"])
    assert "drinkware" in graftwork("affordances", "show", "cup", cwd=tmp_path).stdout.splitlines()[0]


def test_evidence_of_earlier_runs_counts(tmp_path):
    memory = tmp_path / "memory.sqlite"
    EvidenceStore(memory.with_suffix(".affordances.sqlite")).add([Evidence.worked("cup", "cut", body="fake", times=20)])
    found = told("affordances", "explain", "cup", "cut", "--memory", str(memory), cwd=tmp_path)
    assert found["affords"] is True
    assert [piece["source"] for piece in found["evidence"]] == ["authored", "worked"]
    assert "worked 20 times with fake" in found["words"]


def test_what_counts_is_said_by_the_threshold_of_the_settings(tmp_path):
    (tmp_path / "graftwork.toml").write_text("affordance_threshold = 0.95\n", encoding="utf-8")
    assert told("affordances", "show", "cup", cwd=tmp_path)["affordances"] == []
    found = told("affordances", "explain", "cup", "pour", cwd=tmp_path)
    assert found["affords"] is False
    assert found["words"].startswith("cup does not afford pour")


def test_why_a_pair_is_believed_is_one_sentence_after_another(tmp_path):
    ended = graftwork("affordances", "explain", "knife", "cut", cwd=tmp_path)
    assert ended.returncode == 0
    assert ended.stdout.startswith("knife affords cut (other things can be cut with it): p = 0.93.")


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("show", "cupp"), "did you mean cup"),
        (("show", "teacup"), "'teacup' is a word for cup"),
        (("explain", "cup", "por"), "did you mean pour"),
        (("explain", "cup", "pour", "--domain", "kitchn"), "did you mean kitchen"),
    ],
)
def test_a_name_that_nobody_knows_is_refused_with_the_nearest(tmp_path, words, hint):
    ended = graftwork("affordances", *words, cwd=tmp_path)
    assert ended.returncode == 2
    assert hint in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_mapping_of_ones_own_stands_in_for_the_one_that_comes_along(tmp_path):
    (tmp_path / "mine.yaml").write_text("classes: {yo_yo: {affordances: [carry]}}", encoding="utf-8")
    EvidenceStore(tmp_path / "mine.sqlite").add([Evidence.worked("yo_yo", "carry", body="fake", times=9)])
    for name, p in (("mine.yaml", 0.9273), ("mine.sqlite", 0.92)):
        found = told("affordances", "show", "--mapping", name, cwd=tmp_path)
        assert [(row["class"], row["probabilities"]["carry"]) for row in found["classes"]] == [("yo_yo", p)]


@pytest.mark.parametrize(
    ("text", "options", "told_of"),
    [
        ("classes: {yo_yo: {affordances: [cary]}}", (), "mine.yaml:1:33: unknown affordance 'cary'"),
        ("classes: {}", ("--domain", "kitchen"), "give one of them"),
        (None, (), "mine.yaml:1:1: the file cannot be read"),
    ],
)
def test_a_mapping_that_cannot_be_used_is_refused_with_its_place(tmp_path, text, options, told_of):
    if text is not None:
        (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    ended = graftwork("affordances", "show", "--mapping", "mine.yaml", *options, cwd=tmp_path)
    assert ended.returncode == 2
    assert told_of in ended.stderr


def test_a_missing_store_is_no_empty_one(tmp_path):
    ended = graftwork("affordances", "show", "--mapping", "gone.sqlite", cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (2, "graftwork: evidence gone.sqlite: there is no such file\n")


def test_what_was_learned_can_be_forgotten(tmp_path):
    memory = tmp_path / "memory.sqlite"
    store = EvidenceStore(memory.with_suffix(".affordances.sqlite"))
    store.add([Evidence.worked("cup", name, body="fake") for name in ("pour", "carry", "grasp")])

    def forget(*words):
        ended = graftwork("affordances", "forget", *words, "--memory", str(memory), cwd=tmp_path)
        return ended.returncode, ended.stdout or ended.stderr

    assert forget("cup", "pour") == (0, "forgot 1 piece of evidence\n")
    assert forget("cup", "pour") == (
        2,
        "graftwork: unknown affordance of cup with evidence 'pour'; valid: carry, grasp\n",
    )
    assert forget("cup") == (0, "forgot 2 pieces of evidence\n")
    assert forget("cup") == (2, "graftwork: unknown class with evidence 'cup'; there are none\n")


def test_forgetting_needs_no_memory_beside_the_evidence(tmp_path):
    memory = tmp_path / "memory.sqlite"
    store = EvidenceStore(memory.with_suffix(".affordances.sqlite"))
    store.add([Evidence.worked("cup", "pour", body="fake")])
    memory.write_bytes(b"damaged")
    ended = graftwork("affordances", "forget", "cup", "--memory", str(memory), cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (0, "forgot 1 piece of evidence\n")
    assert memory.read_bytes() == b"damaged"


def test_looking_leaves_no_file_behind(tmp_path):
    graftwork("affordances", "show", "cup", cwd=tmp_path)
    graftwork("scene", "--scene", "small", cwd=tmp_path)
    assert not list(tmp_path.rglob("*.sqlite"))


def test_a_scene_is_shown_as_it_is_written(tmp_path):
    found = told("scene", "--scene", "small", cwd=tmp_path)
    milk = next(row for row in found["things"] if row["name"] == "milk0")
    assert [(one["fact"], one["source"]) for one in milk["relations"]] == [("(in milk0 fridge0)", "scene file")]
    assert milk["box"] is None


def test_a_scene_is_shown_as_a_body_sees_it(tmp_path):
    things = {row["name"]: row for row in told("scene", "--scene", "small", "--robot", "fake", cwd=tmp_path)["things"]}
    assert things["milk0"]["relations"][0]["source"] == "last seen there"
    assert things["milk0"]["box"] is None
    cup = things["cup0"]
    assert cup["relations"][0]["fact"] == "(on cup0 table0)"
    assert (cup["seen_by"], cup["confidence"], len(cup["box"])) == ("robot0", 1.0, 6)
    words = graftwork("scene", "--scene", "small", "--robot", "fake", cwd=tmp_path).stdout
    assert "(in milk0 fridge0)  last seen there; never sensed" in words
    assert "(on cup0 table0)  sensed 0.0 s ago by robot0, confidence 1.00" in words


def test_a_scene_has_what_was_learned_of_its_classes(tmp_path):
    memory = tmp_path / "memory.sqlite"
    EvidenceStore(memory.with_suffix(".affordances.sqlite")).add([Evidence.failed("cup", "carry", body="b", times=20)])

    def cup(*words):
        rows = told("scene", "--scene", "small", *words, cwd=tmp_path)["things"]
        return next(row for row in rows if row["name"] == "cup0")["affordances"]

    assert "carry" not in cup("--memory", str(memory))
    assert "carry" in cup("--memory", str(memory), "--no-memory")


@pytest.mark.parametrize(
    "command", [("affordances", "show"), ("affordances", "explain"), ("affordances", "forget"), ("scene",)]
)
def test_help_has_an_example(tmp_path, command):
    assert "Example: graftwork" in graftwork(*command, "--help", cwd=tmp_path).stdout
