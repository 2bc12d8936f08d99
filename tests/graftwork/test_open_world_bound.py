"""What a name means stays until its goal ends, and what was decided about an older world is never done blindly."""

from dataclasses import replace
from itertools import count

import pytest

from domains.reader import load_domain, load_scene
from graftwork import Outcome, Session
from graftwork.testing import InjectedFault
from robots.fake import FakeRobot
from semantics.body.layout import MovableObject
from semantics.logic.correction import Correction, Insert, Remove, StatementPlace
from semantics.logic.feedback import Code
from semantics.logic.goal import Rejection

KITCHEN = load_domain("kitchen")
SMALL = load_scene(KITCHEN, "small")


def unlisted(name: str, label: str, where: str = "counter0", class_name: str = "", offset=(0.3, 0.0)) -> MovableObject:
    return MovableObject(name, KITCHEN.classes[class_name or label].shape, "on", where, offset, label=label)


def opened(*pieces: MovableObject, faults: tuple[InjectedFault, ...] = (), **given) -> Session:
    layout = replace(SMALL.layout, pieces=(*SMALL.layout.pieces, *pieces))
    return Session(scene="small", robot=FakeRobot(layout, faults=faults), memory=None, **given)


def ticked(session: Session, said: str, ticks: int = 10):
    run = session.start(said)
    run.wait()
    for _ in range(ticks):
        assert run.tick()
    return run


SECOND = unlisted("other", "apple", "table0", offset=(0.0, 0.25))


def test_in_a_correction_the_name_of_a_class_means_the_one_of_the_plan():
    with opened() as session:
        run = ticked(session, "put the apple on the counter", 5)
        session.environment.robot.add_piece(SECOND)
        run.tick()
        run.tick()
        assert "apple1" in session.environment.world.objects
        steps = [str(step) for step in run.plan.steps]
        number = next(number for number, step in enumerate(steps) if step.startswith("(grasp"))
        found = run.correct(
            Correction((Insert(StatementPlace((number,)), "grasp(apple)"), Remove(StatementPlace((number + 1,)))))
        )
        assert not isinstance(found, Rejection), str(found)
        assert run.finish().outcome is Outcome.ACHIEVED
        assert session.environment.robot.world.carriers["apple0"] == ("on", "counter0")


def test_a_plan_after_a_failure_is_about_the_same_thing():
    with opened(faults=(InjectedFault(Code.NOT_GRASPED, "pick"),) * 4) as session:
        run = ticked(session, "put the apple on the counter", 5)
        session.environment.robot.add_piece(SECOND)
        episode = run.finish()
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert session.environment.robot.world.carriers["apple0"] == ("on", "counter0")
        assert session.environment.robot.world.carriers["other"] == ("on", "table0")


def test_the_words_of_a_person_who_is_asked_mean_the_thing_of_the_goal():
    with opened(faults=(InjectedFault(Code.NOT_GRASPED, "pick"),) * 40) as session:
        run = ticked(session, "put the apple on the counter", 5)
        session.environment.robot.add_piece(SECOND)
        asked = []
        said = iter(["no", "put the apple on the shelf"])  # another apple; what else
        run.finish(answer=lambda question: asked.append(question) or next(said, "stop"))
        assert len(asked) >= 2
        assert not any("apple1" in question.options for question in asked)
        assert any("(on apple0 shelf0)" in str(turn) for turn in run.episode.turns)


def test_a_program_keeps_its_names_when_a_second_thing_comes():
    with opened() as session:
        run = session.program("move(end=table0)\ngrasp(apple)\nmove(end=counter0)\nplace(apple)")
        run.wait()
        for _ in range(5):
            assert run.tick()
        session.environment.robot.add_piece(SECOND)
        assert run.finish().outcome is Outcome.ACHIEVED
        assert session.environment.robot.world.carriers["apple0"] == ("on", "counter0")


def test_a_thing_that_only_a_new_plan_names_is_kept_in_mind():
    with opened(unlisted("mine", "orange", "shelf0", offset=(0.0, 0.0))) as session:
        run = ticked(session, "put the apple on the counter", 3)
        steps = [str(step) for step in run.plan.steps]
        detour = "move(robot0, counter0, shelf0)\ngrasp(orange)\nplace(orange)\nmove(robot0, shelf0, counter0)"
        found = run.correct(Correction((Insert(StatementPlace((len(steps),)), detour),)))
        assert not isinstance(found, Rejection), str(found)
        assert "orange0" in session.environment.watcher._kept
        assert "orange0" in session.environment.robot._recognition.kept
        run.cancel()


def changing(session: Session, change) -> None:
    """Let the world change at the end of each decision, before it is adopted."""
    watcher, refresh = session.environment.watcher, session.environment.watcher.refresh
    calls = count()

    def refreshed() -> bool:
        changed = refresh()
        if next(calls) > 0:  # the first one is before the decision
            change(watcher)
        return changed

    watcher.refresh = refreshed


def test_a_decision_about_a_thing_that_was_forgotten_meanwhile_is_made_anew(tmp_path):
    with opened(unlisted("mine", "orange"), record=tmp_path / "one") as session:
        gone = iter([True])

        def forget(watcher):
            if next(gone, False):
                session.environment.robot.remove_piece("mine")
                watcher._forget_things({"orange0"})

        changing(session, forget)
        episode = session.handle("put the orange on the table")
        assert episode.outcome is Outcome.QUESTION  # whether an apple would do
        assert "it is decided anew" in (tmp_path / "one" / "record.jsonl").read_text()


def test_what_becomes_another_thing_at_every_decision_is_refused():
    with opened(unlisted("mine", "orange")) as session:
        turn = count()

        def recast(watcher):
            thing = replace(watcher.world.objects["orange0"], words=(f"orange{'e' * next(turn)}", "orange"))
            watcher.adopt(watcher.world.with_objects(thing))

        changing(session, recast)
        episode = session.handle("put orange0 on the table")
        assert episode.outcome is Outcome.REFUSED
        assert "is known otherwise since it was decided" in episode.message


def test_what_is_already_so_is_not_when_another_one_has_come_meanwhile():
    pieces = [unlisted("mine", "orange")]
    with opened(*pieces) as session:
        assert session.handle("put all the fruit on the counter").outcome is Outcome.ACHIEVED
        added = iter([True])

        def add(watcher):
            if next(added, False):
                session.environment.robot.add_piece(unlisted("late", "orange", "table0", offset=(0.2, 0.2)))
                session.environment.robot.clock.sleep(0.3)
                type(watcher).refresh(watcher)

        changing(session, add)
        episode = session.handle("put all the fruit on the counter")
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert session.environment.robot.world.carriers["late"] == ("on", "counter0")


def test_a_correction_about_a_thing_that_has_become_another_one_is_refused():
    with opened(unlisted("mine", "orange", "shelf0", offset=(0.0, 0.0))) as session:
        run = ticked(session, "put the orange on the counter", 3)
        steps = [str(step) for step in run.plan.steps]
        number = next(number for number, step in enumerate(steps) if step.startswith("(grasp"))
        detour = "move(robot0, shelf0, table0)\nmove(robot0, table0, shelf0)"
        correcting = run.correct_meanwhile(Correction((Insert(StatementPlace((number,)), detour),)))
        world = session.environment.world
        session.environment.watcher.adopt(world.with_objects(replace(world.objects["orange0"], words=("tangerine",))))
        while correcting.is_pending:
            run.tick()
        assert isinstance(correcting.result, Rejection)
        assert "known otherwise" in str(correcting.result)
        run.cancel()


@pytest.mark.parametrize("said", ["put the orange on the table", "put all the fruit on the table"])
def test_a_thing_that_was_taken_away_is_looked_for_and_told(said):
    with opened(unlisted("mine", "orange")) as session:
        session.environment.robot.remove_piece("mine")
        episode = session.handle(said)
        assert episode.outcome not in (Outcome.ACHIEVED, Outcome.ALREADY), episode.message
        assert "orange0" in episode.message
        assert episode.ticks < 4000


@pytest.mark.parametrize("said", ["put the orange on the table", "put all the fruit on the table"])
def test_a_thing_that_is_taken_away_on_the_way_is_looked_for_and_told(said):
    with opened(unlisted("mine", "orange")) as session:
        run = ticked(session, said, 20)
        session.environment.robot.remove_piece("mine")
        episode = run.finish()
        assert episode.outcome is Outcome.FAILED, episode.message
        assert "orange0" in episode.message
        assert episode.ticks < 4000
