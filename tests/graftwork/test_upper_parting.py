"""A goal of which a part becomes impossible under way ends with the rest, and says so."""

from graftwork import Outcome, Session
from semantics.logic.atoms import Atom
from tests.graftwork.upper import opened, scene, take_away

SENTENCE = "put the apple on the shelf and the banana on the counter"


def lost(session: Session, name: str, when):
    """Run the sentence, and take a thing away once `when` holds of the fake's world."""
    run = session.start(SENTENCE)
    while run.tick():
        if name in session.environment.robot.world.shapes and when(session.environment.robot.world):
            take_away(session, name)
    return run.episode


def test_the_other_half_is_done_and_what_is_left_out_is_told(tmp_path):
    session, journal = opened(scene(tmp_path), substitute="never", part="allow")
    with session:
        episode = lost(session, "banana0", lambda world: world.held("robot0") == ("apple0",))
        assert session.environment.robot.world.carriers["apple0"] == ("on", "shelf0")
    assert (episode.outcome, episode.goal) == (Outcome.ACHIEVED, "(on apple0 shelf0)")
    assert [one["literal"] for one in episode.part["left_out"]] == ["(on banana0 counter0)"]
    assert "(on banana0 counter0) is left out" in episode.message
    (turn,) = [event for event in journal.of("turn") if event["rung"] == "part"]
    assert turn["goal"] == [["(on apple0 shelf0)"]]


def test_what_was_reached_before_counts_and_nothing_more_is_done(tmp_path):
    session, _ = opened(scene(tmp_path), substitute="never", part="allow")
    with session:
        world = session.environment.robot.world
        run = session.start(SENTENCE)
        gone = ""
        while run.tick():
            done = {"apple0": ("on", "shelf0"), "banana0": ("on", "counter0")}
            reached = [name for name, place in done.items() if world.carriers.get(name) == place]
            if reached and not gone:
                (gone,) = done.keys() - set(reached)
                take_away(session, gone)
        episode = run.episode
    assert gone
    assert episode.outcome is Outcome.ACHIEVED
    assert [gone in one["literal"] for one in episode.part["left_out"]] == [True]


def test_what_held_before_is_no_part_worth_having(tmp_path):
    session, _ = opened(scene(tmp_path), substitute="never", part="allow")
    with session:
        run = session.start("put the apple on the shelf and close fridge0")
        for _ in range(5):
            run.tick()
        take_away(session, "apple0")
        episode = run.finish()
    assert episode.outcome is Outcome.FAILED
    assert episode.part is None


def test_a_body_that_lives_in_the_model_parts_with_what_is_gone(tmp_path):
    session, _ = opened(scene(tmp_path), robot="symbolic", substitute="never", part="allow")
    with session:
        run = session.start(SENTENCE)
        run.tick()
        robot = session.environment.robot
        robot.change(deleted=[atom for atom in robot.state.atoms if "banana0" in atom.args])
        episode = run.finish()
        assert Atom("on", ("apple0", "shelf0")) in robot.state.atoms
    assert (episode.outcome, episode.goal) == (Outcome.ACHIEVED, "(on apple0 shelf0)")
