"""Environment states of CoPAL become scenes; what is wrong with one is told with its place."""

import pytest

from benchmarks.copal.scenes import import_copal, main
from domains.errors import DomainFileError
from domains.reader import load_domain, load_scene
from semantics.errors import UsageError
from semantics.logic.atoms import Atom
from tests.worlds.states import bar, bottle, entry, glass, written


@pytest.fixture(scope="module")
def domain():
    return load_domain("barman")


@pytest.fixture
def imported(tmp_path, domain):
    return lambda state: import_copal(written(tmp_path, state), domain, "state.json")


@pytest.fixture
def problems(imported):
    def told(state):
        with pytest.raises(DomainFileError) as caught:
            imported(state)
        return [str(one) for one in caught.value.problems]

    return told


def atom(text):
    predicate, *args = text.split()
    return Atom(predicate, tuple(args))


def test_an_imported_state_is_a_scene_of_the_world(imported, domain, tmp_path):
    path = tmp_path / "bar.yaml"
    path.write_text(imported(bar()).text("state.json"), encoding="utf-8")
    scene = load_scene(domain, path)
    assert scene.facts >= {atom("free hand_left"), atom("on first_glass table"), atom("powered fridge")}
    assert scene.numbers[atom("level tea_bottle")] == 1.0


def test_bottles_start_capped_unless_they_are_said_to_be_open(imported):
    facts = imported(bar() | {"cola_bottle": bottle("cola", closure="open")}).facts
    assert atom("closed tea_bottle") in facts
    assert atom("closed cola_bottle") not in facts


def test_equal_pieces_get_numbers_and_say_what_they_are_of(imported):
    found = imported(bar())
    assert [name for name, one in found.things.items() if one == "piece"] == ["kiwi1", "kiwi2"]
    assert {atom("made_of kiwi1 kiwi"), atom("on kiwi2 kiwi_bowl")} <= set(found.facts)


def test_a_piece_does_not_take_the_name_of_another_thing(imported):
    found = imported(bar() | {"kiwi2": entry("ingredient")})
    assert {"kiwi1", "kiwi2", "kiwi3"} <= found.things.keys()


def test_a_type_named_after_its_only_thing_is_told_by_who_holds_it(imported):
    assert imported(bar()).things["milk"] == "liquid"


def test_what_stands_behind_a_door_is_said_to_be_inside(imported):
    facts = imported(bar()).facts
    assert {atom("on milk_bottle fridge"), atom("inside milk_bottle"), atom("closed fridge")} <= set(facts)


def test_names_that_are_legal_are_kept_and_others_are_told(imported):
    state = bar()
    state["sun-dried"] = entry("ingredient")
    state["Third Glass"] = glass()
    found = imported(state)
    assert {"sun-dried", "third_glass"} <= found.things.keys()
    assert "'Third Glass' is called third_glass" in found.notes


def test_what_is_in_a_hand_is_held(imported):
    facts = imported(bar() | {"hand_left": entry("hand", "robot", holdsObject=["tea_bottle"]),
                              "tea_bottle": bottle("tea", "hand_left")}).facts  # fmt: skip
    assert atom("holding hand_left tea_bottle") in facts
    assert atom("free hand_left") not in facts


def test_what_a_glass_holds_is_in_it_with_its_litres(imported):
    found = imported(bar() | {"first_glass": glass(holdsLiquid=["tea", "cola"], fillLevel=0.4, holdsObject=["kiwi"])})
    assert {atom("contains first_glass tea"), atom("contains first_glass kiwi")} <= set(found.facts)
    assert found.numbers[atom("amount first_glass cola")] == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("volume", "level", "fact"),
    [
        (0.1, 0.0, "room_for first_glass two_portions"),
        (0.1, 0.1, "full first_glass"),
        (0.15, 0.1, "room_for first_glass one_portion"),
    ],
)
def test_the_room_of_a_small_glass_is_counted(imported, volume, level, fact):
    assert atom(fact) in imported(bar() | {"first_glass": glass(volume=volume, fillLevel=level)}).facts


def test_the_room_of_a_large_glass_is_not(imported):
    assert not [one for one in imported(bar()).facts if one.predicate in ("room_for", "full")]


def test_what_is_left_out_is_told(imported):
    notes = imported(bar()).notes
    assert notes == [
        "3 bottles are taken to be capped",
        "left out: gaze, which has no type",
        "left out: lab (room)",
        "left out: where table, shelf, fridge, tray stand",
        "left out: color of table",
    ]


def test_a_bottle_without_a_volume_is_taken_to_be_full_and_that_is_told(imported):
    found = imported(bar() | {"tea_bottle": entry("bottle", "shelf", holdsLiquid=["tea"])})
    assert found.numbers[atom("level tea_bottle")] == 1.0
    assert "tea_bottle: no volume or fill level, taken as 1.0 of 1.0 l" in found.notes


def test_what_two_things_say_to_hold_is_where_it_says_itself(imported):
    found = imported(bar() | {"shelf": entry("furniture", "lab", holdsObject=["first_glass"])})
    assert atom("on first_glass table") in found.facts
    assert "first_glass: shelf says to hold it too; it says that table does" in found.notes


def test_a_semicolon_at_the_end_is_taken(imported, tmp_path, domain):
    text = written(tmp_path, bar(), "plain.json").read_text()
    assert imported(text + ";\n").facts == imported(text).facts


def test_broken_json_is_told_with_its_place(problems):
    assert problems('{\n "tray": {"type": "tray",}\n}') == [
        "state.json:2:26: this is no JSON: expecting property name enclosed in double quotes"
    ]


@pytest.mark.parametrize("text", ["[]", "3", "{}"])
def test_json_that_is_no_state_is_told(problems, text):
    assert problems(text) == ['state.json:1:1: expected a JSON object such as {"tray": {"type": "tray"}}']


def test_a_key_that_stands_twice_is_told(problems):
    assert problems('{"a": {"type": "tray"}, "a": {"type": "tray"}}') == [
        "state.json:1:2: 'a' stands twice; expected it once"
    ]


def test_an_unknown_type_is_told_with_the_nearest(problems):
    (told,) = problems('{\n "cup": {\n  "type": "glas"}\n}')
    assert told.startswith("state.json:3:3: unknown type 'glas'")
    assert told.endswith("did you mean glass?")


def test_an_unknown_holder_is_told_with_the_nearest(problems):
    (told,) = problems({"table": entry("furniture"), "cup": glass("tabel")})
    assert told.startswith("state.json:")
    assert "unknown object 'tabel'" in told
    assert "did you mean table?" in told


def test_a_key_that_is_nearly_one_is_told(problems):
    (told,) = problems({"cup": {"type": "glass", "filllevel": 0.2}})
    assert "unknown key 'filllevel'" in told
    assert "did you mean fillLevel?" in told


WRONG = {
    "volume of 'cup' is -1; expected litres, a number from 0": {"cup": glass(None, volume=-1)},
    "is held by 2 things; expected one": {
        "table": entry("furniture"),
        "cup": glass() | {"isHeldByObject": ["table", "table"]},
    },
    "is no list of names": {"cup": {"type": "glass", "holdsLiquid": "tea"}},
    "expected open or closed": {"cup": glass(None, closure="ajar")},
    "is no object": {"cup": 3},
    "holds 2.0 l and has room for 1.0 l": {"cup": glass(None, fillLevel=2.0)},
    "holds 2 liquids; expected one": {
        "a": entry("liquid"),
        "b": entry("liquid"),
        "c": bottle("a", None) | {"holdsLiquid": ["a", "b"]},
    },
    "is no liquid; expected one": {"a": entry("ingredient"), "c": bottle("a", None)},
    "cannot be on 'cup', a glass": {"cup": glass(None), "mug": glass("cup")},
    "unknown piece of furniture 'sofa'": {"sofa": entry("furniture")},
    "the world barman has no class dough": {"d": entry("dough")},
    "would be called 'a_cup' like another thing": {"a_cup": glass(None), "A cup": glass(None)},
}


@pytest.mark.parametrize("part", WRONG)
def test_each_mistake_is_told(problems, part):
    told = problems(WRONG[part])
    assert len(told) == 1
    assert part.replace("volume of", "'volume' of") in told[0]


def test_all_mistakes_are_told_at_once(problems):
    assert len(problems({"cup": glass("nowhere", volume=-1), "sofa": entry("furniture")})) == 3


def test_the_command_writes_a_scene_that_can_be_planned_in(tmp_path, capsys):
    source = written(tmp_path, bar())
    assert main([str(source), "--into", str(tmp_path / "scenes"), "--name", "own"]) == 0
    assert "note     3 bottles are taken to be capped" in capsys.readouterr().out
    assert load_scene(load_domain("barman"), tmp_path / "scenes" / "own.yaml").name == "own"


def test_the_command_writes_over_nothing(tmp_path):
    source = written(tmp_path, bar())
    (tmp_path / "state.yaml").write_text("mine")
    with pytest.raises(UsageError, match="is there already"):
        main([str(source), "--into", str(tmp_path)])
    assert (tmp_path / "state.yaml").read_text() == "mine"


def test_a_piece_on_what_keeps_nothing_is_told(problems):
    (told,) = problems(bar() | {"tea_bottle": bottle("tea", holdsObject=["kiwi"])})
    assert "'kiwi' cannot be on 'tea_bottle', a bottle" in told


def test_a_name_of_several_lines_does_not_break_the_scene(imported, domain, tmp_path):
    path = tmp_path / "bar.yaml"
    path.write_text(imported(bar() | {"Third\nfacts: x": glass()}).text("state.json"), encoding="utf-8")
    assert "third_facts_x" in load_scene(domain, path).things
