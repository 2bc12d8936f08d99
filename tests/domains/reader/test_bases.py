"""Worlds on worlds: what a world adds to another one, puts in its place, or leaves out."""

import math
import os
from dataclasses import fields, replace
from pathlib import Path

import pytest

from domains.errors import DomainFileError
from domains.model import Domain
from domains.reader import available_scenes, load_domain, load_scene
from domains.reader.bases import whole_text
from graftwork.__main__ import main
from graftwork.cases.suites import load_suites
from graftwork.checks import check_paths
from graftwork.run.past import world_digest
from tests.domains.toy import DOMAIN, SCENE, write
from tests.solid_files import write_obj

BEFORE = Path(__file__).parent / "extended"


@pytest.fixture
def base(tmp_path: Path) -> Path:
    write(tmp_path, "toy/scenes/room.yaml", SCENE)
    return write(tmp_path, "toy/domain.yaml", DOMAIN)


def world(base: Path, text: str, folder: str = "mine", extends: str = "../toy") -> Path:
    return write(base.parents[1], f"{folder}/domain.yaml", f"name: {folder}\nextends: {extends}\n{text}")


def faults(path: Path) -> list[str]:
    with pytest.raises(DomainFileError) as caught:
        load_domain(path)
    return list(map(str, caught.value.problems))


def unordered(domain: Domain, source: str) -> Domain:
    return replace(domain, source=source, phrases=tuple(sorted(domain.phrases, key=str)))


@pytest.mark.parametrize("name", ["barman", "pizza"])
def test_a_world_that_builds_on_another_is_the_one_that_it_was(name: str):
    before, now = load_domain(BEFORE / f"{name}.yaml"), load_domain(name)
    assert unordered(now, "") == unordered(before, "")  # no two of these phrases take the same sentence
    for field in ("capabilities", "repairs", "rules", "constants", "fluents", "agents", "kinds"):
        assert list(getattr(now, field)) == list(getattr(before, field))


def test_a_world_adds_to_another(base: Path):
    domain = load_domain(world(base, "classes: {wok: {affordances: [carry], abstract: true}}\n"))
    assert list(domain.classes)[:2] == ["wok", "apple"]
    assert domain.name == "mine"
    assert domain.capabilities == load_domain(base).capabilities


def test_it_overrides_and_removes(base: Path):
    text = """\
without: {classes: [tray], rules: [one-place], phrases: ["bring me {thing}"]}
override: {kinds: [fruit], affordances: [open]}
affordances: {open: it has a lid}
kinds: {fruit: [berry]}
classes:
  robot: {override: true, affordances: [actor, location]}
"""
    domain = load_domain(world(base, text))
    assert list(domain.classes) == ["apple", "table", "chest", "floor", "robot", "human"]
    assert domain.classes["robot"].affordances == {"actor", "location"}
    assert domain.words == {"berry": "fruit"}
    assert domain.affordances["open"] == "it has a lid"
    assert domain.rules == ()
    assert "bring me {thing}" not in {phrase.pattern for phrase in domain.phrases}


def test_its_settings_win(base: Path):
    text = "least_confidence: 0.9\nconventions: {door: none}\n"
    first = load_domain(world(base, "least_confidence: 0.8\n", "lower"))
    assert load_domain(world(base, text.splitlines()[0] + "\n", extends="../lower")).least_confidence == 0.9
    assert first.least_confidence == 0.8


def test_how_often_things_are_moved_is_told_by_class_or_kind_and_its_own_times_win(base: Path):
    world(base, "moves_every: {apple: 20 min, fruit: 2 h, tray: 90s}\n", "lower")
    domain = load_domain(world(base, "moves_every: {apple: never, chest: 0.5 h}\n", extends="../lower"))
    assert domain.moves_every == {"apple": math.inf, "fruit": 7200.0, "tray": 90.0, "chest": 1800.0}


def test_a_time_that_is_none_and_a_name_that_is_none_are_told(base: Path):
    with pytest.raises(DomainFileError) as raised:
        load_domain(world(base, "moves_every: {apple: 20 cm, tray: -1 h, appel: 1 h, chest: 0s}\n"))
    told = str(raised.value)
    assert "'20 cm'; expected a time" in told
    assert "'-1 h'; expected a time" in told
    assert "'0s'; expected a time" in told
    assert "unknown class or kind 'appel'" in told


def test_scenes_of_the_base_are_scenes_of_the_world(base: Path):
    domain = load_domain(world(base, ""))
    assert available_scenes(domain) == ("room",)
    assert load_scene(domain, "room").things["apple0"].class_name == "apple"
    assert available_scenes(load_domain(world(base, "without: {scenes: [room]}\n", "bare"))) == ()


def test_cases_of_the_base_are_tried_in_the_world(base: Path):
    write(base.parent, "cases/first.yaml", "- {name: an apple, scene: room, goal: (on apple0 tray0), cost: 0}\n")
    path = world(base, "")
    suites = load_suites([str(path.parent)])
    assert [(suite.world.domain.name, case.name) for suite in suites for case in suite.cases] == [("mine", "an apple")]


def test_files_of_the_base_are_beside_the_base(base: Path):
    write_obj(base.parent / "bolt.obj", [((0.0, 0.0, 0.0), (0.02, 0.02, 0.05))])
    bolt = "  bolt: {affordances: [carry], shape: {form: mesh, mesh: {file: bolt.obj, scale: 0.001}}}\n"
    write(base.parent, "domain.yaml", DOMAIN.replace("predicates:\n", f"{bolt}predicates:\n"))
    path = world(base, "")
    domain = load_domain(path)
    assert domain.classes["bolt"].shape == load_domain(base).classes["bolt"].shape
    again = load_domain(write(path.parent, "whole.yaml", whole_text(path)))
    assert replace(again, source="") == replace(domain, source="")


def test_packs_of_rules_of_the_base_are_beside_the_base(base: Path):
    write(base.parent, "own.pl", "above(X, Y) :- holds(on, [X, Y]).\n")
    write(base.parent, "domain.yaml", DOMAIN.replace("rules:\n", "rules:\n  file: own.pl\n"))
    path = world(base, "rules:\n  file: more.pl\n")
    write(path.parent, "more.pl", "below(X, Y) :- holds(on, [Y, X]).\n")
    clauses = load_domain(path).rules[0].definitions.split("\n")
    assert [clause.split("(")[0] for clause in clauses if clause] == ["below", "above"]


def test_a_world_of_two_worlds_has_what_both_have(base: Path):
    world(base, "kinds: {tools: []}\n", "left")
    world(base, "kinds: {toys: []}\n", "right")
    domain = load_domain(world(base, "", extends="[../left, ../right]"))
    assert {"tools", "toys", "fruit"} <= domain.kinds.keys()
    assert list(domain.ancestry.bases.values()) == ["left", "toy", "right"]


FAULTS = {
    "classes:\n  cup: {override: true, affordances: [carry], abstract: true}\n": (
        "mine/domain.yaml:4:3: unknown class 'cup' to override, in the worlds that this one extends; "
        "expected one of apple, chest, floor, human, robot, table, tray"
    ),
    "classes:\n  table: {affordances: [support], model: table}\n": (
        "mine/domain.yaml:4:3: 'table' stands in {toy}/domain.yaml:18:3 already; "
        "expected 'override: true' in it, or another name"
    ),
    "kinds: {fruit: []}\n": (
        "mine/domain.yaml:3:9: 'fruit' stands in {toy}/domain.yaml:9:3 already; "
        "expected 'override: {{kinds: [fruit]}}', or another name"
    ),
    "without: {classes: [appel]}\n": (
        "mine/domain.yaml:3:21: unknown class 'appel' in the worlds that this one extends; "
        "expected one of apple, chest, floor, human, robot, table, tray; did you mean apple?"
    ),
    "without: {clases: [apple]}\n": (
        "mine/domain.yaml:3:11: unknown key 'clases' in 'without'; did you mean classes or cases or phrases?"
    ),
    "override: {kinds: [dishes]}\n": "mine/domain.yaml:3:20: unknown kind 'dishes' in this file; expected none here",
    "without: {classes: [human]}\n": (
        "toy/domain.yaml:48:3: class 'human' is removed in {mine}/domain.yaml:3:21; "
        "expected one of apple, chest, floor, robot, table, tray"
    ),
    "without: {predicates: [free]}\n": (
        "toy/domain.yaml:40:13: predicate 'free' is removed in {mine}/domain.yaml:3:24; expected one of at, inhand, on"
    ),
}


@pytest.mark.parametrize("text", FAULTS)
def test_what_cannot_be_joined_is_told_at_its_place(base: Path, text: str):
    place, _, message = FAULTS[text].partition(": ")
    shown = {"mine": base.parents[1] / "mine", "toy": os.path.relpath(base.parent)}
    with pytest.raises(DomainFileError) as caught:
        load_domain(world(base, text))
    told = f"{shown[place.split('/')[0]]}/{place.split('/')[1]}: {message.format(**shown)}"
    assert told in map(str, caught.value.problems)


def test_an_override_without_a_base_is_told(tmp_path: Path):
    path = write(tmp_path, "domain.yaml", DOMAIN.replace("tray: {", "tray: {override: true, "))
    assert "domain.yaml:17:20: class 'tray' overrides nothing" in faults(path)[0]


def test_a_circle_is_told(base: Path):
    world(base, "", "other", extends="../mine")
    assert faults(world(base, "", extends="../other"))[0].endswith(
        "other/domain.yaml:2:10: worlds extend each other in a circle: mine extends other extends mine; expected none"
    )


@pytest.mark.parametrize("name", ["kichen", "../nowhere", "../toy/scenes/room.yaml", "''"])
def test_what_is_no_world_is_told(base: Path, name: str):
    assert "mine/domain.yaml:2:10: " in faults(world(base, "", extends=name))[0]


def test_two_worlds_that_differ_are_told_with_both_places(base: Path):
    for name in ("left", "right"):
        write(base.parents[1], f"{name}/domain.yaml", DOMAIN.replace("toy", name))
    told = faults(world(base, "", extends="[../left, ../right]"))
    apple = next(fault for fault in told if "class 'apple'" in fault)
    assert "left/domain.yaml:12:3" in apple
    assert "right/domain.yaml:12:3" in apple


def test_a_scene_with_a_removed_class_is_told_with_both_places(base: Path):
    domain = load_domain(world(base, "without: {classes: [apple]}\n"))
    with pytest.raises(DomainFileError, match=r"room.yaml:10:19: class 'apple' is removed in .*mine/domain.yaml:3:21"):
        load_scene(domain, "room")


def test_a_check_tells_of_scenes_of_the_base_that_are_left_dangling(base: Path):
    path = world(base, "without: {classes: [apple]}\n")
    problems = [str(problem) for problem in check_paths([str(path.parent)]).problems]
    assert any("room.yaml:10:19: class 'apple' is removed in" in problem for problem in problems)


def test_a_phrase_with_a_removed_class_is_told_with_both_places(base: Path):
    phrase = 'phrases:\n  - {pattern: "tidy {thing}", goal: "(on {thing} {tray})"}\n'
    write(base.parent, "domain.yaml", DOMAIN.replace("phrases:\n", phrase))
    told = faults(world(base, "without: {classes: [tray]}\n"))
    assert any("the phrase names 'tray', which is removed in" in fault and ":3:21" in fault for fault in told)


@pytest.mark.parametrize("name", ["pizza", "kitchen", "tabletop"])
def test_the_whole_of_a_world_reads_to_an_equal_one(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("sys.argv", ["graftwork", "domain", "show", name, "--merged"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    again = load_domain(write(tmp_path, "domain.yaml", capsys.readouterr().out))
    known = load_domain(name)
    for field in fields(Domain):
        if field.compare and field.name != "source":
            assert getattr(again, field.name) == getattr(known, field.name), field.name


def test_a_change_of_the_base_is_a_change_of_the_world(base: Path):
    path = world(base, "")
    before = world_digest(load_domain(path), "room")
    write(base.parent, "domain.yaml", DOMAIN + "\n")
    assert world_digest(load_domain(path), "room") != before
