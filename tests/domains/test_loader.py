"""Worlds are found by name and by path."""

from pathlib import Path

import pytest

import domains.reader
from domains.model import Parameter, Template
from domains.reader import ANY_SCENE, available_domains, available_scenes, load_domain, load_scene
from semantics.body.layout import MovableObject, Person, RobotStart, Shape
from semantics.errors import UnknownNameError
from semantics.geometry.geometry import PlanarPose
from semantics.logic.atoms import Atom
from semantics.logic.vocabulary import GoalPhrase
from tests.domains.toy import DOMAIN, SCENE, changed, write


def test_the_public_names_are_there_and_sorted():
    names = domains.reader.__all__
    assert names == sorted(names)
    assert all(hasattr(domains.reader, name) for name in names)


def test_every_world_and_scene_of_the_package_loads():
    assert "kitchen" in available_domains()
    for name in available_domains():
        domain = load_domain(name)
        assert domain.name == name
        for scene in available_scenes(domain):
            assert load_scene(domain, scene).name == scene


def test_an_unknown_world_is_answered_with_the_nearest():
    with pytest.raises(UnknownNameError, match=r"unknown domain 'kichen'; did you mean kitchen\?"):
        load_domain("kichen")


def test_an_unknown_scene_is_answered_with_the_nearest():
    with pytest.raises(UnknownNameError, match=r"unknown scene 'smal'; did you mean small\?"):
        load_scene(load_domain("kitchen"), "smal")


def test_a_folder_or_file_beside_is_named_when_its_bare_name_was_given(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kit").mkdir()
    (tmp_path / "ful").write_text("")
    with pytest.raises(UnknownNameError, match=r"did you mean kitchen\?; the folder of that name is named \./kit$"):
        load_domain("kit")
    with pytest.raises(UnknownNameError, match=r"did you mean full\?; the file of that name is named \./ful$"):
        load_scene(load_domain("kitchen"), "ful")


@pytest.mark.parametrize("name", ["", "x" * 5000, "a\0b"])
def test_a_name_no_file_can_have_is_unknown_like_any_other(name):
    with pytest.raises(UnknownNameError, match="unknown domain"):
        load_domain(name)


def test_a_folder_stands_for_the_domain_in_it_and_scenes_stand_beside(tmp_path: Path):
    write(tmp_path, "domain.yaml", DOMAIN)
    write(tmp_path, "scenes/room.yaml", SCENE)
    toy = load_domain(str(tmp_path))
    assert available_scenes(toy) == ("room",)
    assert load_scene(toy, "room") == load_scene(toy, tmp_path / "scenes" / "room.yaml")


def test_pddl_problems_stand_right_beside_their_domain_too(tmp_path: Path):
    domain = "; by hand\n(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x) :effect (p ?x)))"
    problem = "; (define (domain d)\n(Define (problem {}) (:domain d) (:objects {}) (:init) (:goal (p {})))"
    write(tmp_path, "domain.pddl", domain)
    write(tmp_path, "d-two.pddl", domain)
    write(tmp_path, "p1.pddl", problem.format("p1", "b", "b"))
    write(tmp_path, "p2.pddl", problem.format("p2", "b", "b"))
    write(tmp_path, "problems/p2.pddl", problem.format("p2", "c", "c"))
    world = load_domain(str(tmp_path))
    assert available_scenes(world) == ("p1", "p2")
    assert (set(load_scene(world, "p1").things), set(load_scene(world, "p2").things)) == ({"b"}, {"c"})
    assert load_scene(world, ANY_SCENE).name == "p1"


def test_line_ends_of_another_system_and_a_byte_order_mark_change_nothing(tmp_path: Path):
    path = write(tmp_path, "toy.yaml", DOMAIN)
    here = load_domain(path)
    write(tmp_path, "toy.yaml", b"\xef\xbb\xbf" + DOMAIN.replace("\n", "\r\n").encode())
    assert load_domain(path) == here


def test_a_domain_holds_what_was_written(tmp_path: Path):
    toy = load_domain(write(tmp_path, "toy.yaml", DOMAIN))
    assert toy.classes["apple"].shape == Shape("sphere", (0.06, 0.06, 0.06), 0.1, (1.0, 0.0, 0.0))
    assert toy.classes["apple"].words == ("pippin",)
    assert toy.kinds == {"fruit": {"apple"}, "dishes": set()}
    assert toy.words == {"piece of fruit": "fruit"}
    assert toy.predicates["on"].sensed == "on"
    assert toy.predicates["free"].bookkeeping
    assert [name for name, model in toy.predicates.items() if model.predicate.goal] == ["on", "at", "inhand"]
    assert toy.agents["robot"].capabilities == {"move", "grasp"}
    assert (toy.agents["human"].capabilities, toy.agents["human"].cost) == (set(), 100)


def test_a_capability_holds_what_was_written(tmp_path: Path):
    grasp = load_domain(write(tmp_path, "toy.yaml", DOMAIN)).capabilities["grasp"]
    assert grasp.parameters[1] == Parameter("o", ("carry",))
    assert grasp.precondition == (
        Template("at", ("?a", "?at")),
        Template("on", ("?o", "?from")),
        Template("free", ("?o",)),
    )
    assert grasp.effect == (Template("inhand", ("?o", "?a")), Template("on", ("?o", "?from"), False))
    assert (grasp.primitive, grasp.roles) == ("pick", {"object": "o", "source": "from", "at": "at"})


def test_a_slot_is_asked_for_what_its_predicate_asks(tmp_path: Path):
    put, bring = load_domain(write(tmp_path, "toy.yaml", DOMAIN)).phrases
    pattern = "put|place {thing} on [top of] {place}"
    assert put == GoalPhrase(pattern, "(on {thing} {place})", {"thing": "carry", "place": "support"})
    assert bring.slots == {"thing": "carry"}


def test_a_slot_may_be_asked_for_something_else(tmp_path: Path):
    text = changed(DOMAIN, '"(on {thing} {place})"', '"(on {thing} {place})", slots: {place: location}')
    assert load_domain(write(tmp_path, "toy.yaml", text)).phrases[0].slots == {"thing": "carry", "place": "location"}


def test_a_scene_holds_what_was_written(tmp_path: Path):
    toy = load_domain(write(tmp_path, "domain.yaml", DOMAIN))
    room = load_scene(toy, write(tmp_path, "room.yaml", SCENE))
    assert (room.name, room.speaker, len(room.things)) == ("room", "human0", 7)
    assert room.layout.robot == RobotStart("robot0", PlanarPose(0.0, 0.0, 1.57))
    assert room.layout.persons == (Person("human0", PlanarPose(-1.0, -1.0, 0.0)),)
    assert [piece.opened for piece in room.layout.furniture] == [False, True]
    tray = toy.classes["tray"].shape
    assert tray is not None
    assert room.layout.pieces[0] == MovableObject("tray0", tray, "on", "table0", (0.2, 0.1), 0, 0.3)
    assert room.beliefs == {Atom("on", ("apple0", "tray0")): "last seen there"}


def test_a_scene_gives_the_facts_of_its_arrangement_that_the_domain_can_state(tmp_path: Path):
    toy = load_domain(write(tmp_path, "domain.yaml", DOMAIN))
    facts = load_scene(toy, write(tmp_path, "room.yaml", SCENE)).facts
    assert {str(fact) for fact in facts} == {
        "(on tray0 table0)",
        "(on apple0 tray0)",
        "(at robot0 floor0)",
        "(at human0 table0)",
    }
