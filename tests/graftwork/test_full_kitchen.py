"""The scene `full` has what every phrase of the kitchen needs: each is planned, done and sensed without physics."""

import pytest

from domains import load_domain
from graftwork.session import Session

SENTENCES = {
    "bring me the apple": "handover",
    "give the lemon to the man": "handover",
    "put the apple on the counter": "place",
    "put the apple on the plate": "place_on_top",
    "bring the banana to the trash": "putin",
    "take the spoon out of the sink": "take_out",
    "take the bread off the table": "grasp",
    "take the milk out": "take_out",
    "bring me the cup with water": "draw",
    "pour the lemonade into the cup": "fill",
    "pour the oats into the bowl": "pour",
    "fill the mug0 with water": "draw",
    "chop the tomato": "chop",
    "boil the water": "boil",
    "heat the lemonade": "boil",
    "heat the milk": "heat_food",
    "wet the towel": "wetten",
    "wipe the table with the sponge": "wet_swipe",
    "wipe the table": "wet_swipe",
    "wash the mug0": "wash",
    "rinse off the fork": "wash",
    "soak the sponge in the bowl": "soak",
    "pour out the lemonade": "drain",
    "pour the lemonade away": "drain",
    "pour the lemonade into the sink": "drain",
    "stack can0 on can1": "place_on_top",
    "put the cheese on the bread": "place_on_top",
    "put the fork in the cup": "stand_in",
    "stand the fork in the cup": "stand_in",
    "stand the cup on the tray": "place_on_top",
    "unscrew the bottle": "uncap",
    "open the bottle": "uncap",
    "open the fridge": "open",
    "throw the banana away": "putin",
    "discard the banana": "putin",
    "pick up the apple": "grasp",
    "go to the stove": "move",
}
FURTHER = {"close", "cap", "receive_object", "heat_liquid", "chop_on"}
"""The capabilities that no sentence above needs: the first two undo another, the others are in the cases."""


@pytest.mark.parametrize("said", SENTENCES)
def test_what_is_said_is_planned_done_and_sensed(said):
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        episode = session.handle(said)
    assert episode.outcome == "achieved", (episode.message, episode.plan)
    assert SENTENCES[said] in [step.strip("()").split()[0] for step in episode.plan]


def test_every_capability_of_the_robot_is_used_by_some_sentence():
    assert load_domain("kitchen").agents["robot"].capabilities - set(SENTENCES.values()) == FURTHER


def test_what_was_opened_is_closed_again():
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        for said in ("open the bottle", "close the bottle"):
            assert session.handle(said).outcome == "achieved", said
