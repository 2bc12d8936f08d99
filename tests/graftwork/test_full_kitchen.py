"""The scene `full` has what every phrase of the kitchen needs: each is planned, done and sensed without physics."""

import pytest

from domains import load_domain
from domains.relations import MADE
from graftwork.session import Session

SENTENCES = {
    "bring me the apple": "handover",
    "give the lemon to the man": "handover",
    "put the apple on the counter": "place",
    "put the apple and the cup and the lemon on the plate": "place_on_top",
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
    "stack can0 on can1": "stack",
    "put the cheese on the bread": "stack",
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
    "wait ten seconds": "wait",
}
FURTHER = {"close", "cap", "receive_object", "heat_liquid", "chop_on", "take_off", "pull_out", "grasp_near"}
"""The capabilities that no sentence above needs: the first two undo another, the last one a mishap, and the others are
in the cases."""


@pytest.mark.parametrize("said", SENTENCES)
def test_what_is_said_is_planned_done_and_sensed(said):
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        episode = session.handle(said)
    assert episode.outcome == "achieved", (episode.message, episode.plan)
    assert SENTENCES[said] in [step.strip("()").split()[0] for step in episode.plan]


def test_every_capability_of_the_robot_is_used_by_some_sentence():
    able = load_domain("kitchen").agents["robot"].capabilities
    of_relations = {f"place_{relation}" for relation in MADE}  # these have tests of their own
    assert able - set(SENTENCES.values()) - of_relations == FURTHER


def test_what_was_opened_is_closed_again_and_a_load_stays_on_its_plate():
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        for said in ("open the bottle", "close the bottle", "put the apple and the cup on the plate"):
            assert session.handle(said).outcome == "achieved", said
        episode = session.handle("bring me the plate")
        assert episode.outcome == "achieved", episode.message
        world = session.environment.robot.world
        assert world.carriers["plate0"] == ("held", "human0")
        assert {world.carriers["apple0"], world.carriers["cup0"]} == {("on", "plate0")}


def test_a_load_is_taken_off_where_an_earlier_plan_carried_it_and_a_fork_out_of_a_cup():
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        for said, last in (
            ("put the apple on the plate", "place_on_top"),
            ("put the plate on the counter", "place"),
            ("put the apple on the shelf", "place"),
            ("put the fork in the cup", "stand_in"),
            ("bring me the fork", "handover"),
        ):
            episode = session.handle(said)
            assert episode.outcome == "achieved", (said, episode.message)
            assert episode.plan[-1].strip("()").split()[0] == last
        assert session.environment.robot.world.carriers["plate0"] == ("on", "counter0")
