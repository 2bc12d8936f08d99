from dataclasses import replace

import pytest

from affordances.mapping import ObjectAffordances
from affordances.substitutes import Knowledge, SubstitutionTask, suggest
from affordances.substitutes.suggestion import article
from domains.reader import load_domain
from semantics.logic.parsing import parse_formula
from tests.affordances.substitutes.requests import REQUESTS
from tests.affordances.substitutes.situations import SITUATIONS

KNOWLEDGE = Knowledge()


def task(missing, goal):
    places = frozenset({"missing0"}) if "?" in goal else frozenset()
    return SubstitutionTask(parse_formula(goal.replace("?", "missing0")), missing, places)


@pytest.mark.parametrize(("missing", "goal", "present", "right"), SITUATIONS)
def test_what_would_do_is_what_a_sensible_person_takes(missing, goal, present, right):
    best = suggest(task(missing, goal), present.split(), KNOWLEDGE).best
    assert (best.class_name if best else "") in (right.split() or [""])


@pytest.mark.parametrize(("missing", "request_text", "goal", "present", "right"), REQUESTS)
def test_a_request_says_what_the_missing_thing_is_for(missing, request_text, goal, present, right):
    best = suggest(replace(task(missing, goal), request=request_text), present.split(), KNOWLEDGE).best
    assert (best.class_name if best else "") in (right.split() or [""])


def test_what_something_is_put_on_may_stay_where_it_is_and_what_is_carried_may_not():
    iron = replace(task("ironing_board", "(on shirt ?)"), request="Iron a shirt.")
    assert suggest(iron, ["table"], KNOWLEDGE).best.class_name == "table"
    assert suggest(task("stool", "(inhand ? human0)"), ["sofa", "stairs"], KNOWLEDGE).best is None


def test_what_serves_the_end_need_be_no_vessel_and_what_is_full_is_none():
    lunch = replace(task("food_container", "(in sandwich ?)"), request="Pack a sandwich for school.")
    assert suggest(lunch, ["aluminum_foil"], KNOWLEDGE).best.class_name == "aluminum_foil"
    assert suggest(replace(lunch, request=""), ["wine"], KNOWLEDGE).best is None


def test_a_thing_with_a_like_name_that_lacks_what_is_needed_is_refused_with_what_it_lacks():
    found = suggest(task("sponge", "(clean dinner_plate)"), ["sponge_cake", "fork"], KNOWLEDGE)
    assert found.best is None
    assert {one.class_name: one.lacking for one in found.refused}["sponge_cake"] == ("wash-dishes",)
    assert found.sentence == "nothing here would do instead of a sponge (dishes get clean with it, or in it)"


def test_a_suggestion_names_the_things_of_its_class_and_says_why():
    found = suggest(task("glass", "(and (liquid_in water ?) (inhand ? human0))"), {"mug": ["mug1", "mug2"]}, KNOWLEDGE)
    assert found.best.names == ("mug1", "mug2")
    assert found.best.sentence == "a mug instead of a glass: people drink from it without a second thought"


def test_the_missing_class_itself_is_no_substitute():
    assert suggest(task("glass", "(inhand ? human0)"), ["glass"], KNOWLEDGE).best is None


def test_one_towel_is_wanted_for_a_wet_body_and_one_umbrella_for_the_rain():
    present = ["t_shirt", "raincoat"]
    assert suggest(task("bath_towel", "(dry human0)"), present, KNOWLEDGE).best.class_name == "t_shirt"
    assert suggest(task("umbrella", "(dry human0)"), present, KNOWLEDGE).best.class_name == "raincoat"


def test_a_pack_with_something_in_it_is_no_free_vessel():
    found = suggest(task("bottle", "(liquid_in water ?)"), ["milk"], KNOWLEDGE)
    assert found.best is None


def test_the_capabilities_of_a_world_say_what_its_tools_need():
    kitchen = load_domain("kitchen")
    knowledge = Knowledge(ObjectAffordances.from_domain(kitchen))
    found = suggest(task("sponge", "(clean table0)"), ["towel", "fork"], knowledge, domain=kitchen)
    assert found.demand.needs >= {"wet-swipe"}
    assert found.best.class_name == "towel"


def test_the_word_of_a_world_about_its_own_classes_counts_before_the_household():
    own = ObjectAffordances.from_domain(load_domain("kitchen"))
    assert not Knowledge(own).profile("water_bottle").can("contain")
    assert Knowledge().profile("water_bottle").can("contain")


def test_an_unknown_class_is_guessed_from_its_head_noun_and_said_to_be():
    found = suggest(task("glass", "(and (liquid_in water ?) (inhand ? human0))"), ["camping_mug", "wibble"], KNOWLEDGE)
    assert found.best.class_name == "camping_mug"
    assert "guessed after" in found.best.note


def test_a_class_that_nobody_knows_has_no_substitute():
    assert suggest(task("wibble", "(inhand ? human0)"), ["cup", "fork"], KNOWLEDGE).best is None


PURPOSES = [
    ("Please get me a gadget to crack the walnuts.", "hammer"),
    ("I need a gadget for watering the flowers.", "pitcher"),
    ("Hand me a gadget so that the papers don't blow away.", "rock"),
    ("I want to shave my beard.", "razor"),
    ("Something to beat the egg whites with.", "fork"),
]


@pytest.mark.parametrize(("request_text", "right"), PURPOSES)
def test_the_purpose_is_read_from_the_words_of_a_request(request_text, right):
    wanted = SubstitutionTask(parse_formula("(inhand g human0)"), "gadget", frozenset({"g"}), request=request_text)
    present = ["hammer", "pitcher", "rock", "razor", "fork", "carpet"]
    assert suggest(wanted, present, KNOWLEDGE).best.class_name == right


def test_without_anything_that_serves_the_purpose_nothing_is_suggested():
    wanted = SubstitutionTask(parse_formula("(quiet human0)"), "earplugs", request="The neighbours are loud.")
    assert suggest(wanted, ["alarm_clock", "bed_sheet", "sunglasses"], KNOWLEDGE).best is None


@pytest.mark.parametrize(
    ("name", "noun"),
    [("axe", "an axe"), ("mug", "a mug"), ("scissors", "scissors"), ("olive_oil", "olive oil")],
)
def test_a_class_is_written_with_its_article(name, noun):
    assert article(name) == noun
