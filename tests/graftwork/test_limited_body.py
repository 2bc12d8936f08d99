"""A body without some motion primitives: what needs them is planned another way, or refused before anything moves."""

import pytest

from domains import load_domain, load_scene
from graftwork.session import Session
from robots.fake import FakeRobot
from robots.primitives import PRIMITIVES
from semantics.logic.feedback import Code


class CapsAreTooHard(FakeRobot):
    primitives = frozenset(PRIMITIVES) - {"cap", "uncap"}


@pytest.fixture
def session():
    layout = load_scene(load_domain("kitchen"), "tea").layout
    with Session("kitchen", "tea", robot=CapsAreTooHard(layout), memory=None) as opened:
        yield opened


def test_a_person_does_what_the_body_lacks_a_primitive_for(session):
    episode = session.handle("open the bottle")
    assert episode.outcome == "achieved", episode.message
    assert [step.strip("()").split()[0] for step in episode.plan][-1] == "unscrew"


class NoWater(FakeRobot):
    primitives = frozenset(PRIMITIVES) - {"draw", "wash"}


@pytest.mark.parametrize(("said", "primitive"), [("wash the mug0", "wash"), ("fill the cup with water", "draw")])
def test_a_goal_that_needs_a_missing_primitive_is_refused_before_anything_moves(said, primitive):
    layout = load_scene(load_domain("kitchen"), "full").layout
    with Session("kitchen", "full", robot=NoWater(layout), memory=None) as session:
        episode = session.handle(said)
        assert session.environment.robot.clock.now() == 0.0
    assert episode.outcome == "refused"
    (feedback,) = episode.feedback
    assert feedback.code is Code.REFUSED_BY_BODY
    assert f"lacks the motion primitive {primitive}" in feedback.why


def test_the_simulated_body_says_which_primitives_it_has():
    pytest.importorskip("pybullet")
    from robots.pybullet.robot import BY_HAND, DOABLE

    assert frozenset(PRIMITIVES) - {*DOABLE, *BY_HAND} == {"cap", "uncap", "stand"}
