"""Class packs: classes that a world takes over, made when they are asked for."""

import pickle
from math import inf
from pathlib import Path

import pytest
from typer.testing import CliRunner

from affordances.confidence import half_life
from domains.errors import DomainFileError
from domains.model import Domain
from domains.reader import load_domain, load_scene
from domains.reader.class_packs import available_packs, load_pack
from graftwork.checks import check_paths
from graftwork.cli.app import app
from semantics.logic.vocabulary import Vocabulary
from semantics.words.names import Ambiguous, NameIndex, Resolved, Unknown
from tests.domains.toy import DOMAIN, SCENE, write

PACK = """\
pack: attic
licence: of this test
sources: [made up]
affordances:
  carry: it can be lifted
  contain: things are put into it
  roll: it rolls
means:
  contain: [support]
kinds:
  toy: {words: [plaything]}
  animal: {is: [toy]}
attributes:
  colour: {values: [red, green]}
classes:
  # small ones
  toy_mouse:
    kinds: [animal]
    words: [mouse]
    affordances: [carry, roll]
    shape: {form: box, size: [0.06, 0.03, 0.003], mass: 0.02}

  computer_mouse: {words: [mouse], affordances: [carry], shape: {form: box, size: [0.1, 0.06, 0.04], mass: 0.1}}
  crate:
    affordances: [carry, contain]
    attributes: {colour: [red, green]}
    shape: {form: open-box, size: [0.2, 0.2, 0.1]}
  piano: {affordances: [carry], stays: true, shape: {form: box, size: [1.5, 0.6, 1.2], mass: 200}}
  apple: {affordances: [roll], shape: {form: sphere, size: [0.09, 0.09, 0.09]}}
moves_every: {toy: 30 min, crate: 8 h}
"""


def world(folder: Path, use: str = "use: ../attic.yaml", text: str = DOMAIN) -> Path:
    write(folder, "attic.yaml", PACK)
    return write(folder, "toy/domain.yaml", text.replace("classes:\n", f"classes:\n  {use}\n"))


def test_a_pack_says_how_often_its_things_are_moved_and_the_world_may_say_otherwise(tmp_path):
    domain = load_domain(world(tmp_path, text=f"{DOMAIN}moves_every: {{crate: never, toy_mouse: 10 min}}\n"))
    assert domain.moves_every == {"toy": 1800.0, "crate": inf, "toy_mouse": 600.0}
    assert half_life(domain.classes["toy_mouse"].instance("mouse0"), domain) == 600.0


def vocabulary(domain: Domain, folder: Path, *lines: str) -> Vocabulary:
    scene = SCENE.replace("beliefs:\n", "".join(f"  {line}\n" for line in lines) + "beliefs:\n")
    return domain.vocabulary(load_scene(domain, write(folder, "room.yaml", scene)).things)


def first_fault(path: Path) -> str:
    with pytest.raises(DomainFileError) as caught:
        load_domain(path)
    return str(caught.value.problems[0])


def test_a_class_of_a_pack_is_found_and_not_listed(tmp_path: Path):
    domain, plain = load_domain(world(tmp_path)), load_domain(write(tmp_path, "plain.yaml", DOMAIN))
    assert list(domain.classes) == list(plain.classes)
    assert "piano" in domain.classes
    assert "spinet" not in domain.classes
    assert domain.classes["toy_mouse"].kinds == {"toy", "animal"}
    assert domain.classes["apple"] == plain.classes["apple"]  # the world's own


def test_affordances_stand_for_those_of_the_world(tmp_path: Path):
    domain = load_domain(world(tmp_path))
    assert domain.classes["crate"].affordances == {"carry", "support"}
    assert domain.classes["piano"].affordances == set()
    implied = DOMAIN.replace("kinds:\n  fruit", "implied: {carry: open}\nkinds:\n  fruit")
    domain = load_domain(world(tmp_path, text=implied))
    assert domain.classes["toy_mouse"].affordances == {"carry", "open"}


def test_attributes_are_those_that_the_world_has(tmp_path: Path):
    assert load_domain(world(tmp_path)).classes["crate"].attributes == ()
    coloured = DOMAIN.replace("kinds:\n  fruit", "attributes: {colour: {values: [red]}}\nkinds:\n  fruit")
    assert load_domain(world(tmp_path, text=coloured)).classes["crate"].attributes == (("colour", "red"),)


def test_a_thin_thing_is_as_thick_as_a_body_can_show(tmp_path: Path):
    shape = load_domain(world(tmp_path)).classes["toy_mouse"].shape
    assert shape is not None
    assert shape.size == (0.06, 0.03, 0.005)


def test_only_named_classes_come(tmp_path: Path):
    domain = load_domain(world(tmp_path, "use: {../attic.yaml: [crate]}"))
    assert "crate" in domain.classes
    assert "piano" not in domain.classes


def test_things_of_a_scene_are_in_its_vocabulary(tmp_path: Path):
    domain = load_domain(world(tmp_path))
    words = vocabulary(domain, tmp_path, "squeak0: {class: toy_mouse, on: table0, offset: [-0.2, 0]}")
    assert "toy_mouse" in words.classes
    assert words.kinds["animal"] == {"toy_mouse"}
    names = NameIndex(words)
    for said in ("the mouse", "the plaything", "the toy mouse"):
        found = names.resolve(said)
        assert isinstance(found, Resolved)
        assert found.names == ("squeak0",)


def test_a_word_of_two_classes_is_told_apart_by_the_scene_or_asked_about(tmp_path: Path):
    domain = load_domain(world(tmp_path))
    toy, other = (
        f"{name}: {{class: {kind}, on: table0, offset: [{x}, 0]}}"
        for name, kind, x in (("squeak0", "toy_mouse", -0.3), ("click0", "computer_mouse", -0.1))
    )
    assert isinstance(NameIndex(vocabulary(domain, tmp_path, other)).resolve("the mouse"), Resolved)
    both = NameIndex(vocabulary(domain, tmp_path, toy, other)).resolve("the mouse")
    assert isinstance(both, Ambiguous)
    assert both.options[:2] == ("click0", "squeak0")


def test_a_word_for_what_is_not_there_is_known(tmp_path: Path):
    names = NameIndex(vocabulary(load_domain(world(tmp_path)), tmp_path))
    absent, unknown = names.resolve("the piano"), names.resolve("the harmonium")
    assert isinstance(absent, Unknown)
    assert absent.why == "there is no piano here"
    assert isinstance(unknown, Unknown)
    assert unknown.why != absent.why.replace("piano", "harmonium")


def test_a_domain_with_packs_can_be_sent_to_another_process(tmp_path: Path):
    domain = load_domain(world(tmp_path))
    made = domain.classes["crate"]
    sent = pickle.loads(pickle.dumps(domain))
    assert sent == domain
    assert sent.classes["crate"] == made


def test_another_text_of_a_pack_makes_another_world(tmp_path: Path):
    path = world(tmp_path)
    before = load_domain(path)
    write(tmp_path, "attic.yaml", PACK.replace("mass: 200", "mass: 300"))
    now = load_domain(path)
    assert now != before
    for domain, mass in ((before, 200), (now, 300)):  # a world that was read stays as it was
        shape = domain.classes["piano"].shape
        assert shape is not None
        assert shape.mass == mass


def test_a_base_and_a_world_use_packs_together(tmp_path: Path):
    world(tmp_path)
    write(tmp_path, "more.yaml", PACK.replace("pack: attic", "pack: more").replace("crate", "chest_of_tools"))
    text = "name: mine\nextends: ../toy\nclasses:\n  use: {../more.yaml: [chest_of_tools]}\n"
    domain = load_domain(write(tmp_path, "mine/domain.yaml", text))
    assert {"crate", "chest_of_tools"} <= {name for name in ("crate", "chest_of_tools") if name in domain.classes}


def test_two_packs_that_differ_are_told_unless_one_is_named(tmp_path: Path):
    write(tmp_path, "loft.yaml", PACK.replace("pack: attic", "pack: loft").replace("mass: 200", "mass: 300"))
    path = world(tmp_path, "use: [../attic.yaml, ../loft.yaml]")
    assert "domain.yaml:12:24: packs 'attic' and 'loft' differ on piano; expected each named" in first_fault(path)
    domain = load_domain(world(tmp_path, "use: [../attic.yaml, ../loft.yaml, {../loft.yaml: [piano]}]"))
    shape = domain.classes["piano"].shape
    assert shape is not None
    assert shape.mass == 300


@pytest.mark.parametrize(
    ("use", "message"),
    [
        ("use: househol", "domain.yaml:12:8: unknown pack 'househol'"),
        ("use: ../cellar.yaml", "domain.yaml:12:8: there is no file"),
        ("use: {../attic.yaml: [crat]}", "domain.yaml:12:25: unknown class 'crat'"),
    ],
)
def test_what_is_no_pack_is_told(tmp_path: Path, use: str, message: str):
    assert message in first_fault(world(tmp_path, use))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("animal: {is: [toy]}", "animal: {is: [toyy]}", "attic.yaml:12:17: unknown kind 'toyy'"),
        (
            "toy: {words: [plaything]}",
            "toy: {is: [animal]}",
            "attic.yaml:11:14: kind 'toy' is above itself by 'animal'",
        ),
        ("  contain: [support]", "  contains: [support]", "attic.yaml:9:3: unknown affordance 'contains'"),
        ("pack: attic", "pak: attic", "attic.yaml:1:1: a pack has no 'pack'"),
        (PACK[PACK.index("classes:") :], "classes: {}\n", "attic.yaml:15:10: no classes"),
    ],
)
def test_a_mistake_in_the_head_of_a_pack_is_told(tmp_path: Path, old: str, new: str, message: str):
    path = world(tmp_path)
    write(tmp_path, "attic.yaml", PACK.replace(old, new))
    assert message in first_fault(path)


def test_a_mistake_in_a_class_is_told_at_its_line_when_it_is_read(tmp_path: Path):
    path = world(tmp_path)
    write(tmp_path, "attic.yaml", PACK.replace("affordances: [carry, contain]", "affordances: [cary]"))
    with pytest.raises(DomainFileError, match=r"attic.yaml:25:19: unknown affordance 'cary'"):
        load_domain(path).classes["crate"]
    assert load_domain(path).classes["piano"].shape is not None  # no mistake of another class is told there


def test_the_kitchen_takes_every_class_of_the_household(tmp_path: Path):
    text = "name: mine\nextends: kitchen\nclasses:\n  use: household\n"
    classes = load_domain(write(tmp_path, "domain.yaml", text)).classes
    assert all(
        classes[name].shape is not None
        for name in load_pack(available_packs()["household"]).classes
        if name not in {*classes}
    )


def test_a_pack_is_parsed_once(tmp_path: Path):
    path = write(tmp_path, "attic.yaml", PACK)
    assert load_pack(path) is load_pack(path)


def test_a_check_notes_what_no_pack_gives(tmp_path: Path):
    path = world(tmp_path)
    write(tmp_path, "toy/scenes/room.yaml", SCENE)
    notes = [str(note) for note in check_paths([str(path.parent)]).notes if note.code == "beyond-packs"]
    assert len(notes) == 1
    assert "domain.yaml" in notes[0]
    assert "no class of its packs affords open" in notes[0]


def run(*words: str) -> str:
    done = CliRunner().invoke(app, ["classes", *words])
    assert done.exit_code == 0, done.output
    return done.output


def test_classes_are_listed_shown_and_searched(tmp_path: Path):
    path = str(write(tmp_path, "attic.yaml", PACK))
    assert run("list", "--pack", path).split() == ["toy_mouse", "computer_mouse", "crate", "piano", "apple"]
    assert run("search", "mouse", "--pack", path).split() == ["toy_mouse", "computer_mouse"]
    assert "stays: true" in run("show", "piano", "--pack", path)


def test_a_class_is_added_to_a_world(tmp_path: Path):
    path = write(tmp_path, "domain.yaml", DOMAIN)
    run("add", "wok", "--to", str(path))
    domain = load_domain(path)
    assert "wok" in domain.classes
    assert "blender" not in domain.classes
    refused = CliRunner().invoke(app, ["classes", "add", "blender", "--to", str(path)])
    assert refused.exit_code != 0
    assert load_domain(path) == domain


def test_a_class_of_a_pack_elsewhere_is_added_by_the_path_from_the_world(tmp_path: Path):
    path = write(tmp_path, "toy/domain.yaml", DOMAIN)
    run("add", "crate", "--to", str(path), "--pack", str(write(tmp_path, "attic.yaml", PACK)))
    assert "use: {../attic.yaml: [crate]}" in path.read_text(encoding="utf-8")
    assert "crate" in load_domain(path).classes
