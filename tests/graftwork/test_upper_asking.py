"""Where nothing else helps, a person is told why and asked what to do; their words are read as any others are."""

import pytest

from graftwork import Outcome
from graftwork.recovery.ask import AGAIN, DONE, STOP, chosen
from semantics.logic.goal import Question
from tests.graftwork.blocked import GOAL, OTHER, SENTENCE, blocked, said


class Person:
    """Says one thing after the other; nothing more once that is over."""

    def __init__(self, *words: str | None) -> None:
        self.asked: list[Question] = []
        self._words = list(words)

    def __call__(self, question: Question) -> str | None:
        if not self.asked or question is not self.asked[-1]:
            self.asked.append(question)
            return self._words.pop(0) if self._words else None
        return None


def test_a_person_is_told_why_and_what_they_ask_for_is_done_instead():
    person = Person("put the apple on the apple", "put the apple on the table")
    session, journal = blocked()
    with session:
        episode = session.handle(SENTENCE, person)
        assert session.environment.robot.world.carriers["apple0"] == ("on", "table0")
    assert (episode.outcome, episode.goal, episode.first_goal) == (Outcome.ACHIEVED, OTHER, GOAL)
    first, again = person.asked
    assert SENTENCE in first.text
    assert "a fault was asked for" in first.text
    assert first.options == (AGAIN, DONE, STOP)
    assert "does not afford" in again.text  # what is not understood is asked about, and moves nothing
    assert said(journal, "answered", "words") == ["put the apple on the apple", "put the apple on the table"]
    assert "A person says what to do instead: “put the apple on the table”" in episode.message


@pytest.mark.parametrize("words", ["try again, please", "1", SENTENCE])
def test_a_person_may_have_it_tried_once_more(words: str):
    session, journal = blocked(times=2)
    with session:
        episode = session.handle(SENTENCE, Person(words))
    assert (episode.outcome, episode.goal, episode.first_goal) == (Outcome.ACHIEVED, GOAL, None)
    assert (episode.rungs[-1].rung, episode.rungs[-1].solved) == ("ask", True)
    assert said(journal, "turn", "goal") == [None]


def test_what_a_person_says_to_have_done_is_sensed_and_not_believed():
    session, _ = blocked(times=4)
    robot = session.environment.robot

    def helping(question: Question) -> str:
        asked.append(question)
        if len(asked) == 2:
            robot.move_piece("apple0", "on", "shelf0")
        return "I have done it"

    asked: list[Question] = []
    with session:
        episode = session.handle(SENTENCE, helping)
    assert len(asked) == 2  # the first time nothing had been done
    assert episode.outcome is Outcome.ACHIEVED


@pytest.mark.parametrize(
    ("words", "outcome", "why"),
    [
        ("stop", Outcome.STOPPED, "the person said stop"),
        ("3", Outcome.STOPPED, "the person said stop"),
        ("leave it", Outcome.FAILED, "leave it at that"),
        (None, Outcome.FAILED, "nobody has answered in time"),
    ],
)
def test_a_person_may_stop_it_decline_or_be_away(words: str | None, outcome: Outcome, why: str):
    session, journal = blocked(answer_seconds=5.0)
    with session:
        episode = session.handle(SENTENCE, Person(words))
    assert episode.outcome is outcome
    assert why in episode.message
    assert len(journal.of("asked")) == 1
    assert journal.of("turn") == []


def test_words_that_are_not_understood_are_asked_about_four_times_and_no_more():
    person = Person(*["dance"] * 9)
    session, _ = blocked()
    with session:
        episode = session.handle(SENTENCE, person)
    assert episode.outcome is Outcome.FAILED
    assert len(person.asked) == 4


def test_an_ambiguous_wish_is_asked_about_and_its_answer_read_with_it():
    person = Person("put the drink on the table", "juice0")
    session, _ = blocked()
    with session:
        episode = session.handle(SENTENCE, person)
    assert (episode.outcome, episode.goal) == (Outcome.ACHIEVED, "(on juice0 table0)")
    assert "juice0" in person.asked[1].options


def test_a_program_that_ticks_sees_the_question_and_answers_it_while_the_robot_rests():
    session, journal = blocked()
    with session:
        run = session.start(SENTENCE)
        run.wait()
        while run.tick() and run.question is None:
            pass
        assert run.question is not None
        world = session.environment.robot.world
        before = world.pose, dict(world.carriers)
        for _ in range(20):
            assert run.tick()
        assert (world.pose, world.carriers) == before
        assert run.say("put the apple on the table")
        assert run.question is None
        assert run.goal is not None
        episode = run.finish()
    assert episode.outcome is Outcome.ACHIEVED
    assert len(journal.of("answered")) == 1
    assert not run.say("put the apple on the shelf")


def test_nobody_is_asked_where_nobody_answers_and_the_rung_can_be_left_out():
    for ladder, told in (({}, True), ({"ask": None}, False)):
        session, journal = blocked(ladder=ladder)
        with session:
            episode = session.handle(SENTENCE)
        assert episode.outcome is Outcome.FAILED
        assert journal.of("asked") == []
        assert ("nobody to ask" in episode.message) is told


def test_a_wish_is_not_remembered_as_what_the_first_words_meant(tmp_path):
    session, _ = blocked(memory=tmp_path / "m.sqlite")
    with session:
        session.handle(SENTENCE, Person("put the apple on the table"))
        session.handle("put the apple on the table")
        run = session.start(SENTENCE)
        run.wait()
        assert not run.recalled
        assert str(run.goal.goal) == GOAL
        run.cancel()
        run.finish()


@pytest.mark.parametrize(
    ("words", "option"),
    [("Yes, please!", AGAIN), ("2", DONE), ("I've done it.", DONE), ("never mind", STOP), ("4", ""), ("bring tea", "")],
)
def test_an_option_is_chosen_by_its_number_or_in_other_words(words: str, option: str):
    assert chosen(words) == option
