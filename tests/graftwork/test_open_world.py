"""Things that no file lists come into view while a session is open: they are recognised, named and used."""

from dataclasses import replace

import pytest

from domains.reader import load_domain, load_scene
from graftwork import Session
from graftwork.record.episode import Outcome
from robots.fake import FakeRobot
from semantics.body.layout import MovableObject
from semantics.logic.atoms import Atom

KITCHEN = load_domain("kitchen")
SMALL = load_scene(KITCHEN, "small")


def unlisted(name: str, label: str, where: str = "counter0", class_name: str = "", offset=(0.3, 0.0)) -> MovableObject:
    return MovableObject(name, KITCHEN.classes[class_name or label].shape, "on", where, offset, label=label)


def opened(*pieces: MovableObject, **given) -> Session:
    layout = replace(SMALL.layout, pieces=(*SMALL.layout.pieces, *pieces))
    return Session(scene="small", robot=FakeRobot(layout), **{"memory": None, **given})


def rests(session: Session, name: str) -> tuple[str, str]:
    """Return where a piece truly rests, by the name that the body has for it."""
    return session.environment.robot.world.carriers[name]


def test_a_thing_that_no_file_lists_is_done_what_is_asked_with_it():
    with opened(unlisted("thing17", "orange")) as session:
        assert "orange0" in session.environment.world.objects
        episode = session.handle("put the orange on the table")
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert rests(session, "thing17") == ("on", "table0")


def test_a_thing_that_comes_into_view_after_the_run_began_is_taken_in_where_all_of_a_sort_are_asked_for():
    with opened() as session:
        run = session.start("put all the fruit on the counter")
        run.wait()
        for _ in range(30):
            assert run.tick()
        session.environment.robot.add_piece(unlisted("orange7", "orange", "table0"))
        episode = run.finish()
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert rests(session, "orange7") == ("on", "counter0")
        assert "orange" in str(episode.goal)


@pytest.mark.parametrize("goal", ["(forall (?x - fruit) (on ?x counter0))"])
def test_a_goal_in_pddl_that_quantifies_takes_in_what_aporanges(goal: str):
    with opened() as session:
        run = session.start(goal=goal)
        run.wait()
        for _ in range(30):
            assert run.tick()
        session.environment.robot.add_piece(unlisted("orange7", "orange", "table0"))
        assert run.finish().outcome is Outcome.ACHIEVED
        assert rests(session, "orange7") == ("on", "counter0")


def test_a_name_that_a_running_goal_has_means_the_same_thing_until_it_ends():
    with opened() as session:
        run = session.start("put the apple on the counter")
        run.wait()
        for _ in range(5):
            assert run.tick()
        session.environment.robot.add_piece(unlisted("other", "apple", "table0", offset=(0.0, 0.25)))
        assert run.finish().outcome is Outcome.ACHIEVED
        assert rests(session, "apple0") == ("on", "counter0")
        assert rests(session, "other") == ("on", "table0")
        assert Atom("on", ("apple1", "table0")) in session.environment.watcher.state.atoms


def test_a_name_is_never_given_twice():
    with opened() as session:
        robot, watcher = session.environment.robot, session.environment.watcher
        for turn in range(3):
            robot.add_piece(unlisted(f"handle{turn}", "orange"))
            robot.clock.sleep(0.2)
            watcher.refresh()
            robot.remove_piece(f"handle{turn}")
            robot.clock.sleep(0.2)
            watcher.refresh()
        assert {"orange0", "orange1", "orange2"} <= session.environment.world.objects.keys()


def test_what_no_class_fits_can_be_seen_and_is_left_alone():
    with opened(unlisted("thing1", "sextant", class_name="cup")) as session:
        episode = session.handle("bring me the sextant")
        assert episode.outcome is Outcome.QUESTION
        assert rests(session, "thing1") == ("on", "counter0")
        assert session.environment.world.objects["sextant0"].affordances == frozenset()


def test_a_number_that_no_thing_has_is_no_misspelt_name():
    with opened() as session:
        episode = session.handle("put apple9 on the counter")
        assert episode.outcome is not Outcome.ACHIEVED
        assert "apple9" in episode.message


def tagine(**given):
    """Return a session with an open vessel of which no class is known."""
    piece = MovableObject(
        "thing1", replace(KITCHEN.classes["bowl"].shape), "on", "counter0", (0.3, 0.0), label="tagine"
    )
    return opened(piece, **given)


@pytest.mark.parametrize("answer", ["yes", "Sure, go ahead."])
def test_a_thing_of_an_unknown_class_is_used_after_a_person_agrees(answer):
    asked = []
    with tagine() as session:
        episode = session.handle("put the apple in the tagine", lambda question: asked.append(question.text) or answer)
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert rests(session, "apple0") == ("in", "thing1")
        assert any("tagine0 is treated as a bowl (guessed, 0." in note for note in episode.notes)
        assert len(asked) == 1
        assert "I do not know what a tagine is" in asked[0]
        assert "guessed, 0." in asked[0]
        again = session.handle("bring me the tagine")
        assert again.outcome is Outcome.ACHIEVED, again.message


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("no", Outcome.REFUSED),
        ("No, leave it where it is.", Outcome.REFUSED),
        ("Don't touch that!", Outcome.REFUSED),
        ("what do you mean?", Outcome.REFUSED),  # asked once more
        ("yes, but not with the apple", Outcome.REFUSED),
        ("sure, or rather no", Outcome.REFUSED),
        ("Is that a bowl?", Outcome.REFUSED),
        (None, Outcome.QUESTION),
    ],
)
def test_without_consent_nothing_is_done_with_a_thing_of_an_unknown_class(answer, outcome):
    with tagine() as session:
        episode = session.handle("put the apple in the tagine", None if answer is None else lambda _: answer)
        assert episode.outcome is outcome, episode.message
        assert rests(session, "apple0") == ("on", "table0")
        assert session.environment.world.unknown == ("tagine0",)


@pytest.mark.parametrize("answer", ["it is a bowl", "No, it's a bowl.", "a bowl", "that is a bowl, not a pan"])
def test_a_person_says_what_a_thing_is(answer):
    with tagine() as session:
        episode = session.handle("put the apple in the tagine", lambda _: answer)
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert session.environment.world.objects["tagine0"].class_name == "bowl"
        assert session.environment.world.origins["tagine0"].source == "a person"


@pytest.mark.parametrize("words", ["that is a pan, not a tagine", "The tagine is a pan.", "tagine0 is a pan"])
def test_a_person_corrects_what_a_thing_is_and_a_second_session_knows_it(words, tmp_path):
    memory = tmp_path / "memory.db"
    with tagine(memory=memory) as session:
        episode = session.handle(words)
        assert episode.outcome is Outcome.ALREADY, episode.message
        assert episode.message == "tagine0 is treated as a pan (says a person)."
        assert session.environment.world.objects["tagine0"].class_name == "pan"
    with tagine(memory=memory) as session:
        assert session.environment.world.objects["tagine0"].class_name == "pan"
        assert session.environment.world.origins["tagine0"].source == "learned"


@pytest.mark.parametrize("words", ["that is a pan", "the apple is a pan", "the tagine is a sextant"])
def test_a_statement_about_no_such_thing_or_class_changes_nothing(words):
    with tagine() as session:
        assert session.handle(words).outcome is Outcome.REFUSED
        assert session.environment.world.unknown == ("tagine0",)


def test_with_all_guesses_off_an_unknown_thing_is_refused():
    with tagine(new_things="never") as session:
        assert session.handle("put the apple in the tagine").outcome is Outcome.REFUSED


def test_a_thing_that_seems_to_be_one_of_all_those_that_are_asked_for_is_asked_about():
    piece = MovableObject("thing1", KITCHEN.classes["orange"].shape, "on", "table0", (0.2, 0.2), label="blood orange")
    asked = []
    with opened(piece) as session:
        episode = session.handle(
            "put all the fruit on the counter", lambda question: asked.append(question.text) or "yes"
        )
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert rests(session, "thing1") == ("on", "counter0")
        assert len(asked) == 1


def test_a_second_session_knows_what_a_person_has_agreed_to(tmp_path):
    for asked, answer in (([], lambda _: "yes"), ([], None)):
        piece = MovableObject("thing1", KITCHEN.classes["bowl"].shape, "on", "counter0", (0.3, 0.0), label="tagine")
        layout = replace(SMALL.layout, pieces=(*SMALL.layout.pieces, piece))
        with Session(scene="small", robot=FakeRobot(layout), memory=tmp_path / "memory.db") as session:
            episode = session.handle("put the apple in the tagine", answer)
            assert episode.outcome is Outcome.ACHIEVED, (episode.message, asked)
    assert session.environment.world.origins["tagine0"].source == "learned"
