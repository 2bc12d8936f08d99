"""Where a thing's surface has no room beside it, another surface for both is asked for, and never taken unasked."""

import pytest

from graftwork import Outcome, Session

SCENE = """domain: kitchen
speaker: human0
things:
  floor0: {class: floor}
  table0: {class: table, pose: [1.9, 0.5, 3.1416], size: [0.26, 0.26, 0.72]}
  counter0: {class: counter, pose: [0.0, 1.9, -1.5708], size: [1.6, 0.6, 0.85]}
  human0: {class: human, pose: [-1.8, -1.6, 0.7854], at: floor0}
  robot0: {class: robot, pose: [0.0, 0.0, 1.5708], at: floor0}
  plate0: {class: plate, on: table0}
  fork0: {class: fork, on: counter0, offset: [0.5, 0.0]}
"""
SAID = "put the fork left of the plate"
ASKED = "Shall I put both on counter0?"


@pytest.fixture
def room(tmp_path):
    def session(**settings):
        scene = tmp_path / "room.yaml"
        scene.write_text(SCENE)
        return Session("kitchen", str(scene), robot="fake", memory=None, **settings)

    return session


def test_another_surface_is_asked_for_and_taken_with_a_yes(room):
    asked = []
    with room() as session:
        episode = session.handle(SAID, lambda question: asked.append(question.text) or "yes")
        state = session.environment.watcher.state
    assert [text.endswith(ASKED) for text in asked] == [True]
    assert "left of plate0" in asked[0]
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    assert {"(left_of fork0 plate0)", "(on plate0 counter0)"} <= set(map(str, state.atoms))


def test_with_a_no_nothing_moves(room):
    with room() as session:
        episode = session.handle(SAID, lambda question: "no")
    assert (episode.outcome, episode.ticks) == (Outcome.REFUSED, 0)


def test_where_nobody_can_be_asked_the_reason_is_told(room):
    with room() as session:
        episode = session.handle(SAID)
    assert (episode.outcome, episode.ticks) == (Outcome.QUESTION, 0)
    assert "no free place on table0 for fork0 that is left of plate0" in episode.message
    assert episode.message.endswith(ASKED)


def test_a_session_that_never_substitutes_refuses_with_the_reason(room):
    with room(substitute="never") as session:
        episode = session.handle(SAID)
    assert (episode.outcome, episode.ticks) == (Outcome.REFUSED, 0)
    assert "no free place on table0 for fork0 that is left of plate0" in episode.message
