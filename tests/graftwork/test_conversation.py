"""A conversation goes on: later words follow from what was said, meant and done, and change what runs."""

from contextlib import ExitStack

import pytest

from domains.reader import load_domain, load_scene
from graftwork import Outcome, Session
from graftwork.memory import Memory
from robots.fake import FakeRobot
from robots.served import BodyServer
from semantics.logic.atoms import Atom, Literal

FOLLOWING = {
    "a thing that is named again by a pronoun, a place, and where it was": [
        ("bring me the apple", "(inhand apple0 human0)"),
        ("put it back", "(on apple0 table0)"),
        ("undo that", "(inhand apple0 human0)"),
        ("the banana too", "(inhand banana0 human0)"),
        ("now put it on the shelf", "(on banana0 shelf0)"),
        ("the lemon there", "(on lemon0 shelf0)"),
        ("no, the orange", "(on orange0 shelf0)"),
    ],
    "the place of what was done before": [
        ("put the apple on the shelf", "(on apple0 shelf0)"),
        ("put the banana there", "(on banana0 shelf0)"),
        ("and the lemon", "(on lemon0 shelf0)"),
        ("put both of them in the sink", "(and (in banana0 sink0) (in lemon0 sink0))"),
    ],
    "there, rather than in what was put there": [
        ("put the cup in the sink", "(in cup0 sink0)"),
        ("put the plate in there as well", "(in plate0 sink0)"),
    ],
    "some of them, and what is undone and done again beside remarks": [
        ("put the apple and the banana on the counter", "(and (on apple0 counter0) (on banana0 counter0))"),
        ("the lemon too", "(on lemon0 counter0)"),
        ("now bring me the two yellow ones of them", "(and (inhand banana0 human0) (inhand lemon0 human0))"),
        ("oh, that was too early. undo that", "(and (on banana0 counter0) (on lemon0 counter0))"),
        ("bring me the cup", "(inhand cup0 human0)"),
        ("right. done with the cup, put it back", "(on cup0 table0)"),
        ("put the apple back", "(on apple0 table0)"),
    ],
    "what was done first is undone second": [
        ("put the apple on the counter", "(on apple0 counter0)"),
        ("the lemon too", "(on lemon0 counter0)"),
        ("undo the last one", "(on lemon0 table0)"),
        ("and the one before as well", "(on apple0 table0)"),
    ],
    "both are undone, each to where it was before the first": [
        ("put the apple on the counter", "(on apple0 counter0)"),
        ("put the apple on the shelf", "(on apple0 shelf0)"),
        ("undo both moves", "(on apple0 table0)"),
    ],
    "all is undone, and some of it before": [
        ("put the apple on the counter", "(on apple0 counter0)"),
        ("put the lemon on the shelf", "(on lemon0 shelf0)"),
        ("put the banana on the counter", "(on banana0 counter0)"),
        ("undo what you did with the lemon", "(on lemon0 table0)"),
        ("undo everything you did", "(and (on apple0 table0) (on banana0 table0))"),
    ],
    "a place that was no hand": [
        ("bring me the apple", "(inhand apple0 human0)"),
        ("put the apple in the bowl", "(in apple0 bowl0)"),
        ("put it back where it was", "(on apple0 table0)"),
        ("no, give it back to me", "(inhand apple0 human0)"),
    ],
    "two things change places": [
        ("put the cup on the counter", "(on cup0 counter0)"),
        ("put the plate on the shelf", "(on plate0 shelf0)"),
        ("swap the two", "(and (on cup0 shelf0) (on plate0 counter0))"),
    ],
}


@pytest.mark.parametrize(
    ("words", "reply"),
    [
        ("hello", "Hello."),
        ("thanks, that's all", "You are welcome."),
        ("stop", "I do nothing now."),
        ("it is cold in here", "I take that for a remark, and do nothing."),
    ],
)
def test_what_asks_for_nothing_is_answered(words, reply):
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        session.converse("open the fridge").finish()
        run = session.converse(words)
        run.finish()
    assert run.episode.outcome is Outcome.ANSWERED
    assert reply in run.episode.message


@pytest.mark.parametrize(
    ("answer", "goal"),
    [
        ("the apple and the lemon", "(and (in apple0 sink0) (in lemon0 sink0))"),
        ("all of them", "(and (in apple0 sink0) (in banana0 sink0) (in lemon0 sink0))"),
    ],
)
def test_both_of_three_things_is_asked_about(answer, goal):
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        asked: list[str] = []
        session.converse("put the apple, the banana and the lemon on the counter").finish()
        run = session.converse("put both of those in the sink")
        run.finish(answer=lambda question: asked.append(question.text) or answer)
    assert asked == ["Which is meant by 'both of them': 'apple0', 'banana0' or 'lemon0'?"]
    assert str(run.episode.goal) == goal


def test_a_new_order_after_a_stop_is_done():
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        run = session.converse("put the banana on the shelf")
        run.wait()
        for _ in range(3):
            run.tick()
        session.converse("stop")
        run.finish()
        run = session.converse("It is too ripe for the shelf. Put the apple on the counter.")
        run.finish()
        assert (run.episode.outcome, str(run.episode.goal)) == (Outcome.ACHIEVED, "(on apple0 counter0)")


@pytest.mark.parametrize(
    ("answer", "goal"),
    [
        ("get me the milk and the bread", "(and (inhand milk0 human0) (inhand bread0 human0))"),
        ("put the red mug on the counter", "(on mug1 counter0)"),
        ("bring me the red one", "(in mug1 sink0)"),
    ],
)
def test_an_order_of_its_own_is_no_answer(answer, goal):
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        run = session.converse("put the mug in the sink")
        run.wait()
        assert run.question is not None
        session.converse(answer)
        run.wait()
        assert str(run.decision.goal.goal.formula) == goal
        run.cancel()
        run.finish()


def test_what_is_put_back_after_a_question_is_where_it_was():
    with Session("blocks", "towers", robot="symbolic", memory=None) as session:
        session.converse("put the black block on the yellow block").finish()
        session.converse("put the white one on the black one").finish()
        session.converse("what is the white one standing on now").finish()
        run = session.converse("put just that one back where it was before pls")
        run.finish()
        assert str(run.episode.goal) == "(on white_block purple_block)"


@pytest.mark.parametrize("lines", FOLLOWING.values(), ids=FOLLOWING)
def test_later_words_follow_from_earlier_ones(lines):
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        for words, goal in lines:
            run = session.converse(words)
            run.finish()
            assert (run.episode.outcome, str(run.episode.goal)) == (Outcome.ACHIEVED, goal), words
            assert words.startswith(("put the ", "bring me the ")) or run.episode.notes, words


TABLETOP = [
    ("put the green block in the red bowl", "(in green_block red_bowl)"),
    ("the blue one too", "(in blue_block red_bowl)"),
    ("put them back please", "(and (lies green_block middle0) (in blue_block green_bowl))"),
    ("put the green block in the blue bowl", "(in green_block blue_bowl)"),
    ("put it back", "(lies green_block middle0)"),
]
"""On a table, where things are named by their colours and lie in areas."""


def test_one_thing_is_told_from_another_by_its_colour_and_all_go_back():
    with Session("tabletop", "four", robot="symbolic", memory=None) as session:
        for words, goal in TABLETOP:
            run = session.converse(words)
            run.finish()
            assert (run.episode.outcome, str(run.episode.goal)) == (Outcome.ACHIEVED, goal), words


def test_a_question_that_is_not_read_is_no_remark():
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        session.converse("open the fridge").finish()
        run = session.converse("which of them has the oldest label")
        run.finish()
    assert run.episode.outcome is Outcome.REFUSED


@pytest.mark.parametrize("words", ["put it back", "undo that", "do that again", "the other one", "bring me both"])
def test_nothing_follows_from_nothing(words):
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        run = session.converse(words)
        run.finish()
    assert run.episode.outcome is Outcome.REFUSED


EDITS = {
    "no, the banana": ("(on banana0 shelf0)", "I take banana0 instead of apple0."),
    "not the apple, the orange": ("(on orange0 shelf0)", "I take orange0 instead of apple0."),
    "on the counter instead": ("(on apple0 counter0)", "I take counter0 instead of shelf0."),
    "the banana too": ("(and (on apple0 shelf0) (on banana0 shelf0))", "I do this as well"),
    "bring me the cup when you are done": ("(inhand cup0 human0)", "I do this afterwards"),
    "but open the fridge before you do that": (
        "(opened fridge0), then (on apple0 shelf0)",
        "I do this first: fridge0 is open.",
    ),
    "and the cup with it, so I can drink": ("(and (on apple0 shelf0) (on cup0 shelf0))", "I do this as well"),
    "it is too ripe, I would rather have the banana": ("(on banana0 shelf0)", "I take banana0 instead of apple0."),
    "no not the apple the orange": ("(on orange0 shelf0)", "I take orange0 instead of apple0."),
    "leave that, bring me the cup": ("(inhand cup0 human0)", "I do this instead"),
}


@pytest.mark.parametrize(("words", "ends", "told"), [(words, *each) for words, each in EDITS.items()], ids=EDITS)
def test_words_change_what_runs_and_that_is_told_first(words, ends, told):
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        run = session.converse("put the apple on the shelf")
        run.wait()
        for _ in range(3):
            run.tick()
        assert session.converse(words) is run
        replies = [run.reply]
        while run.tick():
            if run.reply and run.reply not in replies:
                replies.append(run.reply)
        assert (run.episode.outcome, str(run.episode.goal)) == (Outcome.ACHIEVED, ends)
    assert any(told in reply for reply in replies), replies


def test_what_is_put_down_is_told_as_that_and_as_no_other_place():
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        run = session.converse("put the apple on the shelf")
        run.wait()
        holding = Literal(Atom("inhand", ("apple0", "robot0")))
        while session.environment.watcher.sensed(holding) is not True:
            run.tick()
        session.converse("put that down, please")
        while not run.reply and run.tick():
            pass
        assert run.reply == "I do this instead: it is not so that apple0 is in the hand of robot0."
        run.finish()
        assert (run.episode.outcome, session.environment.watcher.sensed(holding)) == (Outcome.ACHIEVED, False)


@pytest.mark.parametrize("words", ["not the banana", "on the moon instead", "the trombone too"])
def test_what_cannot_be_changed_is_told_and_nothing_is_lost(words):
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        run = session.converse("put the apple on the shelf")
        run.wait()
        for _ in range(3):
            run.tick()
        session.converse(words)
        for _ in range(20):
            run.tick()
        assert run.reply
        session.converse("go on")
        while run.tick():
            pass
        assert (run.episode.outcome, str(run.episode.goal)) == (Outcome.ACHIEVED, "(on apple0 shelf0)"), run.reply


@pytest.mark.parametrize(("answer", "goal"), [("the second one", "juice0"), ("the milk", "milk0"), ("cola0", "cola0")])
def test_an_answer_names_what_a_phrase_leaves_open_and_continues_nothing_else(answer, goal):
    with Session("kitchen", "full", robot="fake", memory=None) as session:
        session.converse("put the apple on the shelf").finish()
        run = session.converse("I'm thirsty")
        run.wait()
        assert run.question is not None
        session.converse(answer)
        run.wait()
        assert str(run.decision.goal.goal.formula) == f"(inhand {goal} human0)"
        run.cancel()
        run.finish()


BETWEEN = [
    (True, "put it back", Outcome.REFUSED, None),
    (True, "bring me the apple", Outcome.ACHIEVED, "(inhand apple0 human0)"),
    (False, "put it back", Outcome.REFUSED, None),
    (True, "put it back", Outcome.ACHIEVED, "(on apple0 table0)"),
    (True, "undo that", Outcome.ACHIEVED, "(inhand apple0 human0)"),
    (True, "open the fridge", Outcome.ACHIEVED, "(opened fridge0)"),
    (True, "do that again", Outcome.ALREADY, "(opened fridge0)"),
]
"""Whether the memory goes on with the conversation, what is said, how it ends, and with which goal."""


@pytest.mark.parametrize("sessions", ["one", "one each"])
def test_a_conversation_on_a_served_body_is_as_any_and_goes_on_in_the_memory_if_asked(sessions, tmp_path):
    domain = load_domain("kitchen")
    scene = load_scene(domain, "small")
    with BodyServer(FakeRobot(scene.arrangement), tmp_path / "body") as server, ExitStack() as opened:
        given = {"robot": f"served:{server.path}", "memory": tmp_path / "memory.sqlite"}
        session = opened.enter_context(Session("kitchen", "small", **given)) if sessions == "one" else None
        for asked, words, outcome, goal in BETWEEN:
            if session is not None:
                episode = session.converse(words).finish() if asked else None
            else:
                with Session("kitchen", "small", conversation=asked, **given) as each:
                    episode = each.handle(words)
            if episode is not None:
                assert (episode.outcome, episode.goal) == (outcome, goal), words
    vocabulary = domain.vocabulary(scene.things, scene.speaker)
    kept = [] if session is not None else [words for asked, words, _, _ in BETWEEN if asked]
    assert [turn.words for turn in Memory(given["memory"]).turns("kitchen", "small", vocabulary)] == kept
