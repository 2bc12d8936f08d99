"""What does not fit is refused before anything moves, with the lengths; what takes the room is moved away first."""

import pytest

from graftwork import Outcome, Session

ROOM = """domain: kitchen
speaker: human0
things:
  floor0: {class: floor}
  table0: {class: table, pose: [1.9, 0.5, 3.1416], size: [1.2, 0.6, 0.72]}
  counter0: {class: counter, pose: [0.0, 1.9, -1.5708], size: [0.5, 0.4, 0.85]}
  human0: {class: human, pose: [-1.8, -1.6, 0.7854], at: floor0}
  robot0: {class: robot, pose: [0.0, 0.0, 1.5708], at: floor0}
  bowl0: {class: bowl, on: table0, offset: [-0.4, 0.0]}
"""
FRUIT = """
  orange0: {class: orange, in: bowl0, offset: [0.036, 0.036]}
  orange1: {class: orange, in: bowl0, offset: [0.036, -0.036]}
  orange2: {class: orange, in: bowl0, offset: [-0.036, 0.036]}
  orange3: {class: orange, in: bowl0, offset: [-0.036, -0.036]}
  apple0: {class: apple, on: table0, offset: [0.0, 0.0]}
  tomato0: {class: tomato, on: table0, offset: [0.2, 0.0]}
"""
BOARDS = """
  board0: {class: board, on: table0, offset: [0.2, 0.0]}
  tray0: {class: tray, on: counter0, offset: [0.0, 0.05]}
"""
STOVE = """
  stove0: {class: stove, pose: [0.0, -1.9, 1.5708], size: [0.26, 0.26, 0.85]}
  pan0: {class: pan, on: table0, offset: [0.0, 0.0]}
  plate0: {class: plate, on: table0, offset: [0.3, 0.0]}
  counter1: {class: counter, pose: [-1.9, 1.0, 0.0], size: [1.2, 0.6, 0.85]}
"""


@pytest.fixture
def room(tmp_path):
    def session(things):
        scene = tmp_path / "room.yaml"
        scene.write_text(ROOM + things)
        return Session("kitchen", str(scene), robot="fake", memory=None)

    return session


def test_what_does_not_fit_into_a_bowl_is_refused_before_anything_moves():
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        episode = session.handle("put the banana in the bowl")
        assert (episode.outcome, episode.ticks) == (Outcome.REFUSED, 0)
        assert "banana0 is 160 mm long, the opening of bowl0 is 144 mm wide" in episode.message


def test_of_alternatives_those_that_fit_are_taken():
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        episode = session.handle("put three pieces of fruit in the bowl")
        assert episode.outcome is Outcome.ACHIEVED
        assert not [step for step in episode.plan if "banana0" in step]


def test_what_fills_a_bowl_is_taken_out_first(room):
    with room(FRUIT) as session:
        episode = session.handle("put the apple and the tomato in the bowl")
        assert episode.outcome is Outcome.ACHIEVED
        assert [step for step in episode.plan if step.startswith("(take_out robot0 orange")]


def test_what_a_bowl_cannot_hold_at_all_is_refused_with_areas(room):
    with room(FRUIT) as session:
        wish = "(and (in apple0 bowl0) (in tomato0 bowl0) (in orange0 bowl0) (in orange1 bowl0) (in orange2 bowl0)"
        episode = session.handle(goal=f"{wish} (in orange3 bowl0))")
        assert episode.outcome is Outcome.REFUSED
        assert "bowl0 is full: its contents and tomato0 would cover 228 cm², and it has 207 cm²" in episode.message


def test_what_takes_the_room_of_a_counter_is_moved_first(room):
    with room(BOARDS) as session:
        episode = session.handle("put the board on the counter")
        assert episode.outcome is Outcome.ACHIEVED
        assert episode.plan.index("(grasp robot0 tray0 counter0 counter0)") < episode.plan.index(
            "(place robot0 board0 counter0)"
        )


def test_a_cucumber_is_not_cooked_in_a_bowl_that_is_shorter():
    with Session("kitchen", "tea", robot="fake", memory=None) as session:
        episode = session.handle("cook the cucumber")
        assert episode.outcome is Outcome.REFUSED
        assert "cucumber0 is 200 mm long, the opening of bowl0 is 144 mm wide" in episode.message


def test_what_would_cover_more_than_there_is_of_a_top_is_refused_with_areas(room):
    with room(STOVE) as session:
        episode = session.handle("put the pan, the plate and the bowl on the stove")
        assert (episode.outcome, episode.ticks) == (Outcome.REFUSED, 0)
        assert "stove0: bowl0, pan0 and plate0 would cover 798 cm² at least, and it has 676 cm²." in episode.message


def test_where_an_alternative_has_a_larger_top_it_is_taken(room):
    every = "(and (on pan0 {0}) (on plate0 {0}) (on bowl0 {0}))"
    with room(STOVE) as session:
        episode = session.handle(goal=f"(or {every.format('stove0')} {every.format('counter1')})")
        assert episode.outcome is Outcome.ACHIEVED
