"""Attributes in the files of a world: what is declared, the values of classes and things, and every mistake."""

from pathlib import Path

import pytest

from domains.errors import DomainFileError
from domains.page import page
from domains.reader import load_domain, load_scene
from domains.scaffold import domain_schema, scene_schema
from tests.domains.scaffold.schemas import faults
from tests.domains.scaffold.test_schema import document
from tests.domains.toy import DOMAIN, SCENE, changed, write

DECLARED = """\
attributes:
  colour: {values: [red, white, light_blue], words: {light_blue: [sky blue, azure]}}
  material: {values: [wood, steel], words: {wood: [wooden]}}
  size: {unit: cm, measure: length, more: [big, large], less: [small]}
  weight: {unit: g, measure: mass, more: [heavy], less: [light]}
classes:
"""
APPLE = "shape: {form: sphere, size: [0.06, 0.06, 0.06], mass: 0.1, colour: [1, 0, 0]}"
WORLD = changed(changed(DOMAIN, "classes:\n", DECLARED), APPLE, f"attributes: {{colour: [white, red]}}\n    {APPLE}")


def room(tmp_path: Path, apple: str = "", table: str = "", world: str = WORLD):
    """Read the toy scene, with more keys for its apple and its table."""
    domain = load_domain(write(tmp_path, "domain.yaml", world))
    scene = changed(SCENE, "size: [1.2, 0.6, 0.7]}", f"size: [1.2, 0.6, 0.7]{table}}}")
    scene = changed(scene, "{class: apple, on: tray0}", f"{{class: apple, on: tray0{apple}}}")
    return load_scene(domain, write(tmp_path, "scenes/room.yaml", scene)).things


def test_a_thing_has_the_values_of_its_class_and_of_its_solid(tmp_path: Path):
    apple = room(tmp_path)["apple0"]
    assert apple.values("colour") == ("red", "white")
    assert apple.values("size") == (6.0,)
    assert apple.values("weight") == (100.0,)
    assert apple.values("material") == ()


def test_a_scene_states_other_values_of_one_attribute_and_leaves_the_others(tmp_path: Path):
    apple = room(tmp_path, ", attributes: {colour: light_blue, weight: 0.2 kg}")["apple0"]
    assert apple.values("colour") == ("light_blue",)
    assert apple.values("weight") == (200.0,)
    assert apple.values("size") == (6.0,)


def test_furniture_has_the_size_of_its_scene_and_the_values_that_are_stated(tmp_path: Path):
    table = room(tmp_path, table=", attributes: {material: [wood, steel]}")["table0"]
    assert table.values("size") == (120.0,)
    assert table.values("material") == ("steel", "wood")
    assert table.values("weight") == ()


def test_a_thing_is_shown_in_the_colour_of_its_value(tmp_path: Path):
    world = changed(
        WORLD, "{values: [red, white, light_blue],", "{values: [red, white, light_blue], shown: {red: [1, 0, 0.1]},"
    )
    world = changed(
        world,
        "{affordances: [carry, support], shape",
        "{affordances: [carry, support], attributes: {colour: red}, shape",
    )
    domain = load_domain(write(tmp_path, "domain.yaml", world))
    tray, apple = domain.classes["tray"].shape, domain.classes["apple"].shape
    assert tray is not None
    assert tray.colour == (1.0, 0.0, 0.1)
    assert apple is not None
    assert apple.colour == (1.0, 0.0, 0.0)


def test_only_a_value_of_its_own_changes_how_a_thing_is_shown(tmp_path: Path):
    world = changed(
        WORLD, "{values: [red, white, light_blue],", "{values: [red, white, light_blue], shown: {red: [0, 0, 1]},"
    )
    domain = load_domain(write(tmp_path, "domain.yaml", world))
    for own, colour in (("{weight: 5}", (1.0, 0.0, 0.0)), ("{colour: red}", (0.0, 0.0, 1.0))):
        scene = changed(SCENE, "{class: apple, on: tray0}", f"{{class: apple, on: tray0, attributes: {own}}}")
        pieces = load_scene(domain, write(tmp_path, "scenes/room.yaml", scene)).arrangement.pieces
        assert {piece.name: piece.shape.colour for piece in pieces}["apple0"] == colour


def test_constants_have_values_too(tmp_path: Path):
    constants = "constants:\n  ground: {class: floor, attributes: {material: wood}}\npredicates:\n"
    domain = load_domain(write(tmp_path, "domain.yaml", changed(WORLD, "predicates:\n", constants)))
    assert domain.constants["ground"].values("material") == ("wood",)


def test_an_instance_that_a_program_makes_has_the_values_of_its_class(tmp_path: Path):
    domain = load_domain(write(tmp_path, "domain.yaml", WORLD))
    assert domain.thing("apple9", "apple").values("colour") == ("red", "white")


def test_the_page_lists_values_units_and_words(tmp_path: Path):
    text = page(load_domain(write(tmp_path, "domain.yaml", WORLD)), ())
    assert "| `colour` | `red`, `white`, `light_blue` | sky blue, azure |" in text
    assert "| `size` | cm | big, large or small |" in text


def test_the_schema_knows_attributes(tmp_path: Path):
    assert faults(document(WORLD, tmp_path), domain_schema(), domain_schema()) == []
    scene = changed(SCENE, "on: tray0}", "on: tray0, attributes: {colour: [red, white], size: 5 cm, weight: 80}}")
    assert faults(document(scene, tmp_path), scene_schema(), scene_schema()) == []
    wrong = changed(WORLD, "measure: mass", "measure: age")
    assert faults(document(wrong, tmp_path), domain_schema(), domain_schema()) != []


BROKEN_WORLDS = [
    (
        "values: [wood, steel],",
        "values: [wood, steel], shown: {wod: [1, 1, 1]},",
        "unknown value 'wod' of attribute 'material'",
    ),
    (
        "values: [wood, steel],",
        "values: [wood, steel], shown: {wood: [1, 1, 3]},",
        "is 3; expected a number from 0 to 1",
    ),
    ("more: [heavy]", "sensed: true, more: [heavy]", "attribute 'weight' is a number; expected no 'sensed'"),
    (
        "{unit: cm, measure: length",
        "{measure: length",
        "attribute 'size' has neither 'values' nor 'unit'; expected a li",
    ),
    ("unit: cm,", "unit: cn,", "unknown unit 'cn'; "),
    (
        "measure: mass",
        "measure: mas",
        "unknown measure 'mas'; expected one of height, length, mass, volume; did you mea",
    ),
    (
        "measure: mass",
        "measure: height",
        "attribute 'weight' is measured as height, and its unit is g; expected m or cm",
    ),
    ("less: [small]", "less: [big]", "'big' stands for a large and for a small size; expected one of them"),
    (
        "{values: [wood, steel],",
        "{values: [wood, steel], unit: m,",
        "attribute 'material' has a list of values, so it i",
    ),
    ("more: [heavy]", "words: {g: [gram]}, more: [heavy]", "attribute 'weight' is a number; expected no 'words'"),
    (
        "words: {wood:",
        "words: {wod:",
        "unknown value 'wod' of attribute 'material'; expected one of steel, wood; did y",
    ),
    ("[wooden]", "[steel]", "'steel' already means another value of attribute 'material'; expected a word of its own"),
    ("[wood, steel],", "[wood, Steel],", "a value of attribute 'material' 'Steel' is no name; expected a small letter"),
    ("[wood, steel],", "[wood, wood],", "'wood' stands twice in the values of attribute 'material'"),
    ("  material: {", "  free: {", "'free' is already a predicate; expected another name for the attribute"),
    ("  material: {", "  and: {", "'and' is a word of the language; expected another name for the attribute"),
    (
        "  material: {",
        "  materials: {kind: x, ",
        "unknown key 'kind' in attribute 'materials'; expected one of less, mea",
    ),
    (
        "{colour: [white",
        "{color: [white",
        "unknown attribute 'color'; expected one of colour, material, size, weight; d",
    ),
    (
        "{colour: [white",
        "{colour: [wite",
        "unknown value 'wite'; expected one of light_blue, red, white; did you mean w",
    ),
]


@pytest.mark.parametrize(("old", "new", "message"), BROKEN_WORLDS, ids=[new for _, new, _ in BROKEN_WORLDS])
def test_a_wrong_declaration_is_told_with_its_place(tmp_path: Path, old: str, new: str, message: str):
    with pytest.raises(DomainFileError) as caught:
        load_domain(write(tmp_path, "domain.yaml", changed(WORLD, old, new)))
    told = caught.value.problems[0]
    assert message in told.message
    assert new.split(":")[0].strip("{ ,[") in WORLD.replace(old, new).splitlines()[told.line - 1]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ("{colour: blu}", "unknown value 'blu'; expected one of light_blue, red, white"),
        ("{sise: 3}", "unknown attribute 'sise'; expected one of colour, material, size, weight; did you mean size?"),
        ("{size: 3 kg}", "the size of 'apple0': 3kg is a mass and no length; expected m or cm or mm"),
        ("{size: 3 elephants}", "the size of 'apple0': 'elephants' is no unit"),
        ("{size: [3]}", "the size of 'apple0' is a list; expected a number"),
        ("{colour: {red: 1}}", "the colour of 'apple0' is a table; expected a list of texts"),
        ("[red]", "the attributes of 'apple0' is a list; expected a table of names"),
    ],
)
def test_a_wrong_value_is_told_with_its_place(tmp_path: Path, values: str, message: str):
    with pytest.raises(DomainFileError) as caught:
        room(tmp_path, f", attributes: {values}")
    told = caught.value.problems[0]
    assert message in told.message
    assert "apple0" in (tmp_path / "scenes" / "room.yaml").read_text().splitlines()[told.line - 1]
