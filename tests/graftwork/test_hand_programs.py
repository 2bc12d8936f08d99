"""Programs and sentences that move the hand by itself, on the fake body."""

import re

import pytest

from graftwork import Outcome, Session
from tests.docs.blocks import DOCS


@pytest.fixture
def session():
    with Session(domain="tabletop", scene="four", robot="fake", memory=None) as opened:
        yield opened


def test_a_program_moves_grips_lets_go_pushes_and_turns(session):
    text = """
move_hand(to=green_block)
close_gripper(force=10)
taken = inhand(green_block, robot0)
move_hand(to=point(0.35, 0.0, 0.76))
hand = get_position("gripper")
open_gripper()
is_open = gripper_open(robot0)
push(green_block, to=point(0.45, 0.0))
turn(green_block, angle=45)
pick_up(green_block, middle0)
return [taken, is_open, distance(hand, point(0.35, 0.0, 0.76)) < 0.01, inhand(green_block, robot0)]
"""
    episode = session.program(text).finish()
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    assert episode.answer["value"] == [True, True, True, True]


def test_the_gripper_is_closed_and_opened_in_words(session):
    episode = session.handle("close the gripper and then open the gripper")
    assert episode.outcome is Outcome.ACHIEVED, episode.message


def test_the_position_of_a_gripper_is_checked_before_the_run_and_unknown_names_are_told(session):
    episode = session.program('return get_position("gripperr")').finish()
    assert episode.outcome is not Outcome.ACHIEVED
    assert "gripperr" in episode.message


def test_the_program_of_the_page_lifts_a_block(session):
    section = (DOCS / "programs.md").read_text(encoding="utf-8").split("## The hand by itself")[1]
    block = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    text = block[1] + "return [inhand(green_block, robot0), get_position(green_block)]"
    episode = session.program(text).finish()
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    assert episode.answer["value"][0] is True
