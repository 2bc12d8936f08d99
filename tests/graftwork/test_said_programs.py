"""Sentences that no goal says, carried out by the fake body: where things and the hand are afterwards."""

from itertools import pairwise

import pytest

from graftwork import Outcome, Session

BLOCKS = ("red_block", "yellow_block", "green_block", "blue_block")


@pytest.fixture
def session():
    with Session(domain="tabletop", scene="four", robot="fake", memory=None) as opened:
        yield opened


def done(session, sentence):
    """Carry a sentence out; return where each block stood and where the hand was, before and after."""
    before = spots(session)
    episode = session.handle(sentence)
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    return before, spots(session)


def spots(session):
    session.environment.watcher.refresh()
    return {name: seen.box.centre for name, seen in session.environment.watcher.sightings.items()}


def test_a_thing_is_moved_by_a_length(session):
    before, after = done(session, "move the green block 5 cm to the left")
    assert after["green_block"][1] - before["green_block"][1] == pytest.approx(0.05, abs=0.01)
    assert after["green_block"][0] == pytest.approx(before["green_block"][0], abs=0.01)


def test_what_stands_on_a_thing_is_set_aside_before_it_is_moved(session):
    before, after = done(session, "move the red block 3 cm to the right")
    assert before["red_block"][1] - after["red_block"][1] == pytest.approx(0.03, abs=0.01)


@pytest.mark.parametrize(("line", "axis"), [("horizontal", 0), ("vertical", 1)])
def test_a_line_has_one_direction_and_room_between(session, line, axis):
    _, after = done(session, f"put all the blocks in a {line} line")
    across = [after[name][axis] for name in BLOCKS]
    assert max(across) - min(across) < 0.02
    along = sorted(after[name][1 - axis] for name in BLOCKS)
    assert all(0.06 < later - earlier < 0.12 for earlier, later in pairwise(along))


def test_a_tower_stands_at_the_place_that_was_said(session):
    _, after = done(session, "stack all the blocks on the left side")
    assert all(abs(after[name][0] - 0.53) < 0.06 and abs(after[name][1] - 0.23) < 0.06 for name in BLOCKS)
    heights = sorted(after[name][2] for name in BLOCKS)
    assert all(higher - lower == pytest.approx(0.04, abs=0.005) for lower, higher in pairwise(heights))


@pytest.mark.parametrize(("said", "lowest"), [("the green block at the bottom", 0), ("the green block on top", 3)])
def test_who_is_at_the_bottom_or_on_top_of_a_tower_is_said(session, said, lowest):
    _, after = done(session, f"stack all the blocks with {said}")
    assert sorted(BLOCKS, key=lambda name: after[name][2]).index("green_block") == lowest


def test_each_of_some_things_gets_a_corner_of_its_own(session):
    done(session, "put all the blocks in different corners")
    corners = {atom.args[1] for atom in session.environment.watcher.state.atoms if atom.predicate == "lies"}
    assert len(corners) == 4
    assert all(corner.endswith("corner") for corner in corners)


def test_a_shape_needs_as_many_things_as_corners(session):
    episode = session.handle("put the red block and the green block in a square around the middle")
    assert episode.outcome is Outcome.REFUSED
    assert "4 corners, and there are 2 things" in episode.message


def test_what_finds_no_room_is_refused_before_anything_moves(session):
    before = spots(session)
    episode = session.handle("move the green block 10 cm towards the red bowl")
    assert episode.outcome is Outcome.REFUSED
    assert "something stands where green_block has to go" in episode.message
    assert spots(session) == before


def test_a_run_tells_what_was_taken_as_given(session):
    run = session.start("move the hand a little up")
    run.finish()
    assert "I take 'a little' as 0.05 m." in run.program


def test_a_thing_in_an_area_that_lies_far_from_its_middle_is_moved_there(session):
    done(session, "put the green block on the left side, then move it 9 cm to the top")
    _, after = done(session, "put the green block on the left side")
    x, y, _ = after["green_block"]
    assert abs(x - 0.53) < 0.06
    assert abs(y - 0.23) < 0.06


def test_a_thing_is_put_beside_two_others_at_once(session):
    _, after = done(session, "put the green block left of the blue bowl and in front of the red bowl")
    (x, y, _), bowl, other = after["green_block"], after["blue_bowl"], after["red_bowl"]
    assert y - bowl[1] > abs(x - bowl[0])
    assert other[0] - x > abs(y - other[1])


def test_the_side_of_the_person_is_not_taken_for_that_of_the_robot(session):
    episode = session.handle("move the green block 5 cm to my left")
    assert episode.outcome is Outcome.REFUSED
