"""A language model says what things are of which nobody knows it: all in one request, and as a guess."""

from dataclasses import replace

import pytest

from domains.reader import load_domain, load_scene
from graftwork import Outcome, Session
from graftwork.testing import ScriptedModel
from robots.fake import FakeRobot
from semantics.body.layout import MovableObject
from semantics.errors import OutsideError

KITCHEN = load_domain("kitchen")
SMALL = load_scene(KITCHEN, "small")
TAGINE = MovableObject("thing1", KITCHEN.classes["bowl"].shape, "on", "counter0", (0.3, 0.0), label="tagine")
KUMQUAT = MovableObject("thing2", KITCHEN.classes["orange"].shape, "on", "table0", (0.2, 0.2), label="kumquat")
GOAL = {"goal": "(in apple0 tagine0)"}


def said(*things: tuple[str, str | None, float]) -> dict:
    return {"things": [dict(zip(("thing", "class", "probability"), each, strict=True)) for each in things]}


def opened(*answers, pieces=(TAGINE, KUMQUAT), **given) -> Session:
    layout = replace(SMALL.layout, pieces=(*SMALL.layout.pieces, *pieces))
    return Session(scene="small", robot=FakeRobot(layout), memory=None, model=ScriptedModel(answers), **given)


def handled(session: Session, answer: str | None = "yes"):
    asked = []
    words = "put the apple in the tagine"
    episode = session.handle(words, None if answer is None else lambda each: asked.append(each.text) or answer)
    return episode, asked


def test_all_unknown_things_are_asked_about_in_one_request_and_told_as_guesses():
    refused = {"refusal": "nothing of that kind"}
    both = said(("tagine", "bowl", 0.97), ("kumquat", "orange", 0.8))
    with opened(refused, both, GOAL, GOAL, GOAL) as session:
        episode, asked = handled(session)
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        requests = [each for each in session._services.model.requests if "The things:" in each.messages[-1].content]
        assert len(requests) == 1
        assert "- tagine: 16 x 16 x 7 cm, open above" in requests[0].messages[-1].content
        assert "- kumquat: " in requests[0].messages[-1].content
        assert asked == ["I do not know what a tagine is. May I treat tagine0 as a bowl (guessed by the model, 0.89)?"]
        assert "tagine0 is treated as a bowl (guessed by the model, 0.89)." in episode.notes
        assert session.environment.world.origins["tagine0"].source == "model"
        assert session.environment.world.unknown == ("kumquat0",)
        assert episode.model_calls == len(session._services.model.requests)


@pytest.mark.parametrize(
    "answer",
    [
        "no idea",
        "{}",
        {"things": "tagine"},
        said(("tagine", "no such class", 0.9)),
        said(("tagine", "bowl", float("nan"))),
        said(("tagine", "bowl", 7.0)),
        said(("teapot", "bowl", 0.5)),
        said(("tagine", None, 0.5)),
    ],
    ids=str,
)
def test_what_a_model_says_in_vain_leaves_the_guess_of_its_own(answer):
    with opened({"refusal": "nothing"}, answer, GOAL, GOAL, GOAL) as session:
        episode, asked = handled(session)
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert "(guessed, 0." in asked[0]


def test_a_model_that_cannot_be_reached_leaves_the_guess_of_its_own():
    with opened({"refusal": "nothing"}, OutsideError("away"), GOAL, GOAL, GOAL) as session:
        episode, asked = handled(session)
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert "(guessed, 0." in asked[0]


def test_without_consent_a_model_is_not_enough():
    with opened({"refusal": "nothing"}, said(("tagine", "bowl", 1.0)), GOAL, GOAL) as session:
        episode, _ = handled(session, None)
        assert episode.outcome is Outcome.QUESTION
        assert session.environment.robot.world.carriers["apple0"] == ("on", "table0")
