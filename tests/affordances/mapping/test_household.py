"""The mapping that comes with this program: complete, consistent, and of one mind with the kitchen."""

import pytest

from affordances.mapping import household
from affordances.ontology import AFFORDANCES
from domains.reader import load_domain

HOUSE = household()
IMPLIES = {
    "liquid-contain": "contain",
    "enclosed-contain": "contain",
    "precise-pour": "pour",
    "drinkable": "consumable",
    "drink": "liquid-contain",
    "sturdy-support": "support",
    "pick": "pierce",
    "pound": "hit",
    "close": "open",
    "cut": "grasp",
    "carry": "push",
    "wet-swipe": "grasp",
}


def classes_affording(affordance):
    return [name for name in HOUSE.classes if HOUSE.affords(name, affordance)]


def test_it_judges_every_pair_of_many_classes():
    assert len(HOUSE.classes) >= 140
    assert len(HOUSE) == len(HOUSE.classes) * len(AFFORDANCES)


def test_every_affordance_has_some_class_and_no_class_has_them_all():
    for affordance in AFFORDANCES:
        assert 0 < len(classes_affording(affordance)) < len(HOUSE.classes)


@pytest.mark.parametrize(("one", "other"), IMPLIES.items())
def test_what_one_affordance_implies_is_there(one, other):
    assert set(classes_affording(one)) <= set(classes_affording(other))


def test_a_liquid_as_such_can_be_neither_grasped_nor_stacked():
    for name in classes_affording("liquid"):
        assert not HOUSE.affordances_of(name) & {"grasp", "carry", "push", "pull", "stack", "support"}


def test_what_is_opened_has_a_lid_a_cap_a_flap_or_a_door():
    for name in ("scissors", "pliers", "clamp", "clothespin", "umbrella", "tape_measure", "box_cutter"):
        assert not HOUSE.affordances_of(name) & {"open", "close"}, name


def test_what_is_shut_before_it_is_moved_loses_nothing_whoever_makes_it():
    big = ("fridge", "freezer", "oven", "microwave", "dishwasher", "washing_machine", "cabinet", "wardrobe", "dresser")
    assert all({"open", "close", "enclosed-contain", "grasp", "pull"} <= HOUSE.affordances_of(name) for name in big)


def test_nothing_rolls_in_both_ways():
    assert not set(classes_affording("free-roll")) & set(classes_affording("axis-roll"))


def test_each_word_means_one_class():
    words = [word for found in HOUSE.classes.values() for word in found.words]
    assert len(words) == len(set(words))
    assert not {word.replace(" ", "_") for word in words} & HOUSE.classes.keys()


INTENDED = {
    # The kitchen gives `contain` to what a robot can put solid things into, and lets lids and caps stay shut.
    "contain", "open", "close", "enclosed-contain",
    # It turns only what somebody turns in use, and rolls only what does so on its own.
    "rotate", "axis-roll",
    # Its furniture is fixed to the floor.
    "grasp", "carry", "push", "pull", "assisted-carry", "vertical-support",
    # It asks nobody to stack pans or to cook cutlery.
    "stack", "heat-resistance",
}  # fmt: skip
"""Affordances that a class may have in a household and not in the kitchen, and why."""


LOWER = {"bread", "can", "towel"}
"""The classes that are a support in the kitchen only: one thing stands on each."""
FULL = {"detergent"}
"""The classes that take a liquid in a household only: in the kitchen they are full of their own."""


def test_the_kitchen_disagrees_only_where_it_means_to():
    kitchen = load_domain("kitchen")
    for name in kitchen.classes.keys() & HOUSE.classes.keys():
        told, believed = kitchen.classes[name].affordances & AFFORDANCES.keys(), HOUSE.affordances_of(name)
        more = believed - told - ({"liquid-contain"} if name in FULL else set())
        assert more <= INTENDED, f"{name}: mend one of the two, or say why it is intended"
        assert told - believed <= ({"support"} if name in LOWER else set()), f"{name}: household.yaml has less"


def test_kinds_agree_with_the_kitchen():
    kitchen = load_domain("kitchen")
    for name in kitchen.classes.keys() & HOUSE.classes.keys():
        assert kitchen.classes[name].kinds <= HOUSE.classes[name].kinds, name
