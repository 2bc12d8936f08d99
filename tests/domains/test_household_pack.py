"""The household pack keeps the rules that its head comment states."""

import re
from collections import defaultdict
from itertools import chain
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PACK = yaml.load((ROOT / "domains/packs/household.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
CLASSES, KINDS, ATTRIBUTES = PACK["classes"], PACK["kinds"], PACK["attributes"]
FORMS = {"box", "cylinder", "sphere", "open-box", "open-cylinder"}
KEYS = {"kinds", "words", "affordances", "attributes", "shape", "stays"}

# Words that people use for more than one thing. Each stands with every class that it can mean.
AMBIGUOUS = {
    "basin": {"sink", "washbasin"},
    "bat": {"toy_bat", "baseball_bat", "table_tennis_bat"},
    "can": {"can", "beer_can"},
    "chips": {"chips", "french_fries"},
    "clip": {"paper_clip", "binder_clip"},
    "club": {"baseball_bat", "golf_club"},
    "cord": {"cable", "rope"},
    "cream": {"cream", "hand_cream", "ointment"},
    "curry": {"curry_powder", "stew"},
    "file": {"file", "ring_binder"},
    "flat iron": {"iron", "hair_straightener"},
    "football": {"soccer_ball", "american_football"},
    "glass": {"glass", "wine_glass"},
    "glasses": {"eyeglasses", "sunglasses", "binoculars"},
    "goggles": {"safety_goggles", "swimming_goggles"},
    "iron": {"iron", "golf_club"},
    "jelly": {"jelly", "jam"},
    "jigsaw": {"jigsaw", "puzzle"},
    "lead": {"cable", "dog_leash"},
    "melon": {"honeydew_melon", "cantaloupe"},
    "mint": {"mint", "candy"},
    "mixer": {"blender", "hand_mixer", "stand_mixer"},
    "mouse": {"computer_mouse", "toy_mouse"},
    "nail": {"nail", "false_nail"},
    "note": {"sticky_note", "banknote"},
    "nut": {"nut", "nuts"},
    "pants": {"trousers", "underpants"},
    "paper": {"newspaper", "printer_paper", "sheet_of_paper"},
    "pepper": {"pepper", "bell_pepper"},
    "picture": {"photo", "picture_frame"},
    "pot": {"pot", "flower_pot"},
    "press": {"lemon_squeezer", "garlic_press"},
    "purse": {"handbag", "coin_purse"},
    "rod": {"stick", "fishing_rod"},
    "scale": {"kitchen_scale", "bathroom_scale"},
    "sheet": {"bed_sheet", "sheet_of_paper"},
    "tablet": {"pill", "tablet_computer"},
    "thread": {"spool_of_thread", "string"},
    "trolley": {"suitcase", "trolley_table"},
    "washer": {"washer", "washing_machine"},
}


def spell(name: str) -> str:
    return name.replace("_", " ")


def find_kinds_above(kind: str, below: tuple[str, ...] = ()) -> set[str]:
    assert kind not in below, f"the kind {kind} is above itself: {' < '.join((*below, kind))}"
    parents = KINDS[kind].get("is", [])
    return set(parents).union(*(find_kinds_above(parent, (*below, kind)) for parent in parents))


def name_classes_where(wrong) -> list[str]:
    return [name for name, entry in CLASSES.items() if wrong(entry)]


def test_there_are_at_least_five_hundred_classes_and_forty_five_kinds():
    assert len(CLASSES) >= 500
    assert len(KINDS) >= 45


def test_names_are_snake_case():
    for name in chain(CLASSES, KINDS):
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", name), name


def test_a_class_has_only_the_keys_of_the_format():
    assert name_classes_where(lambda entry: not {"kinds", "affordances", "shape"} <= set(entry) <= KEYS) == []


MORE = {"convey", "slim", "soil", "upright"}
"""What the pack says of things besides the ontology."""


def test_the_affordances_are_those_of_the_ontology():
    ontology = yaml.safe_load((ROOT / "affordances/ontology.yaml").read_text(encoding="utf-8"))
    assert set(PACK["affordances"]) == set(ontology) | MORE
    assert name_classes_where(lambda entry: not set(entry["affordances"]) <= set(ontology) | MORE) == []


def test_no_list_says_a_thing_twice():
    for key in ("kinds", "words", "affordances"):
        assert name_classes_where(lambda entry, key=key: len(set(entry.get(key, []))) < len(entry.get(key, []))) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_has_known_parents_and_is_not_above_itself(kind: str):
    assert set(KINDS[kind]) <= {"is", "words"}
    assert find_kinds_above(kind) <= set(KINDS)


def test_the_kinds_reach_four_levels():
    assert {"fruit", "produce", "food"} <= find_kinds_above("citrus_fruit")


def test_a_class_names_known_kinds_and_only_the_direct_ones():
    for name, entry in CLASSES.items():
        assert set(entry["kinds"]) <= set(KINDS), name
        above = set().union(*map(find_kinds_above, entry["kinds"]))
        assert not above & set(entry["kinds"]), name


def test_each_kind_has_a_class():
    direct = set(chain.from_iterable(entry["kinds"] for entry in CLASSES.values()))
    assert direct.union(*map(find_kinds_above, direct)) == set(KINDS)


def test_each_value_of_an_attribute_is_declared():
    for name, entry in CLASSES.items():
        for attribute, value in entry.get("attributes", {}).items():
            assert value in ATTRIBUTES[attribute]["values"], name


def test_each_class_has_a_plausible_shape():
    for name, entry in CLASSES.items():
        shape = entry["shape"]
        length, width, height = shape["size"]
        assert shape["form"] in FORMS, name
        assert all(0.002 <= side <= 3 for side in shape["size"]), name
        assert 0.0005 <= shape["mass"] <= 200, name
        assert shape["mass"] / (length * width * height) < 20_000, name


def test_what_is_round_has_one_diameter():
    for name, entry in CLASSES.items():
        form, (length, width, height) = entry["shape"]["form"], entry["shape"]["size"]
        assert "cylinder" not in form or length == width, name
        assert form != "sphere" or length == width == height, name


def test_what_is_grasped_and_moved_weighs_less_than_ten_kilograms():
    def is_too_heavy(entry):
        return "grasp" in entry["affordances"] and not entry.get("stays") and entry["shape"]["mass"] >= 10

    assert name_classes_where(is_too_heavy) == []


def test_what_stays_is_not_carried():
    assert name_classes_where(lambda entry: entry.get("stays") and "carry" in entry["affordances"]) == []


def test_a_liquid_is_not_grasped():
    liquids = name_classes_where(lambda entry: "liquid" in entry["affordances"])
    assert {"water", "tea", "soup", "sauce"} <= set(liquids)
    assert [name for name in liquids if "grasp" in CLASSES[name]["affordances"]] == []


@pytest.mark.parametrize(
    ("affordance", "needed"),
    [("liquid-contain", "contain"), ("enclosed-contain", "close"), ("close", "open"), ("drinkable", "consumable")],
)
def test_an_affordance_that_needs_another_has_it(affordance: str, needed: str):
    def lacks(entry):
        return affordance in entry["affordances"] and needed not in entry["affordances"]

    assert name_classes_where(lacks) == []


def test_a_word_means_two_classes_only_where_that_is_deliberate():
    meanings = defaultdict(set)
    for name, entry in CLASSES.items():
        for word in (spell(name), *entry.get("words", [])):
            meanings[word].add(name)
    assert {word: names for word, names in meanings.items() if len(names) > 1} == AMBIGUOUS


def test_no_class_repeats_its_own_name_as_a_word():
    assert [name for name, entry in CLASSES.items() if spell(name) in entry.get("words", [])] == []


def test_no_word_means_both_a_kind_and_a_class():
    of_kinds = {word for kind, entry in KINDS.items() for word in (spell(kind), *entry.get("words", []))}
    of_classes = {word for name, entry in CLASSES.items() for word in (spell(name), *entry.get("words", []))}
    assert of_kinds & of_classes == set()


def test_the_judgements_of_the_household_mapping_hold():
    mapping = yaml.safe_load((ROOT / "affordances/household.yaml").read_text(encoding="utf-8"))["classes"]
    # The kitchen world calls the cutting board a board.
    renamed = {"cutting_board": "board"}
    for name, entry in mapping.items():
        there = CLASSES[renamed.get(name, name)]
        differ = set(entry["affordances"]) ^ (set(there["affordances"]) - MORE)
        assert differ <= ({"carry"} if there.get("stays") else set()), name
