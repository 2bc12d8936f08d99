"""What a person says of speed and time, from the sentence to the motion, to the record, to memory and back."""

from pathlib import Path
from random import Random

import pytest

from bt.record import read_record
from graftwork import Episode, Outcome, Session
from graftwork.run.correction import Amended
from semantics.errors import UsageError
from semantics.logic.atoms import Atom
from semantics.logic.correction import Correction, Insert, Remove, StatementPlace
from semantics.logic.state import Action

SLOWLY = "drive slowly to the table"
SLOW_STEP = "(move robot0 floor0 table0 :speed 20cm/s)"


def kitchen(robot: str = "fake", **more: object) -> Session:
    return Session("kitchen", "small", robot=robot, **{"memory": None, **more})


def timed(session: Session, said: str) -> tuple[Episode, float]:
    started = session.environment.robot.clock.now()
    episode = session.handle(said)
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    return episode, session.environment.robot.clock.now() - started


@pytest.mark.parametrize("robot", ["fake", "pybullet"])
def test_what_is_said_to_be_slow_takes_longer(robot: str) -> None:
    seconds = {}
    for said in ("drive to the table", SLOWLY, "drive to the table at 0.4 m/s"):
        with kitchen(robot) as session:
            _, seconds[said] = timed(session, said)
    usual, slow, half = seconds.values()
    assert slow > 1.5 * half
    assert half > 1.1 * usual


def test_all_steps_that_take_it_get_it_and_the_episode_shows_them() -> None:
    with kitchen() as session:
        episode, _ = timed(session, "bring me the milk, slowly")
    drives = [step for step in episode.plan if step.startswith(("(move", "(take_out"))]
    assert len(drives) == 3
    assert all(step.endswith(" :speed 20cm/s)") for step in drives)
    assert not any(":speed" in step for step in set(episode.plan) - set(drives))
    assert episode.goal == "(inhand milk0 human0) :speed 20cm/s"
    assert "'slowly' was read as speed 20cm/s." in episode.notes


def test_the_record_and_the_report_tell_it(tmp_path: Path) -> None:
    with kitchen(record=tmp_path / "run") as session:
        timed(session, SLOWLY)
    events = {event["e"]: event for event in read_record(tmp_path / "run")}
    assert events["goal"]["values"] == {"speed": "20cm/s"}
    assert events["goal"]["words"] == "robot0 is at table0 (speed 20cm/s)"
    assert events["plan"]["steps"] == [SLOW_STEP]
    assert "(speed 20cm/s)" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")


def test_the_same_sentence_from_memory_is_as_slow(tmp_path: Path) -> None:
    seconds = []
    for _ in range(2):
        with kitchen(memory=tmp_path / "memory.sqlite") as session:
            episode, took = timed(session, SLOWLY)
            seconds.append(took)
            assert episode.plan == (SLOW_STEP,)
    assert episode.recalled
    assert episode.goal == "(at robot0 table0) :speed 20cm/s"
    assert seconds[1] == pytest.approx(seconds[0], abs=0.2)


def test_another_speed_is_another_sentence(tmp_path: Path) -> None:
    for said, speed in (("go to the table at 0.5 m/s", "0.5m/s"), ("go to the table at 0.7 m/s", "0.7m/s")):
        with kitchen(memory=tmp_path / "memory.sqlite") as session:
            episode, _ = timed(session, said)
            assert not episode.recalled
            assert episode.plan == (f"(move robot0 floor0 table0 :speed {speed})",)


def test_a_run_that_was_broken_off_goes_on_as_slowly(tmp_path: Path) -> None:
    said = "go to the fridge slowly, then drive to the table at 30 cm/s"
    with kitchen(record=tmp_path / "one") as session:
        run = session.start(said)
        for _ in range(20):
            assert run.tick()
    with kitchen() as session:
        episode = session.resume(tmp_path / "one").finish()
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    assert [step.rpartition(":")[2] for step in episode.plan] == ["speed 20cm/s)", "speed 30cm/s)"]


@pytest.mark.parametrize("values", [":speed 30cm/s", ":speed 0.3 m/s", ":move.speed 30cm/s", ":speed 30 cm/s"])
def test_a_goal_in_pddl_may_have_values(values: str) -> None:
    with kitchen() as session:
        episode = session.handle(goal=f"(at robot0 table0) {values}")
        assert episode.goal == f"(at robot0 table0) {' '.join(values.split()[:2])}{''.join(values.split()[2:])}"
        assert [Action.read(step).values[0][1].base for step in episode.plan] == pytest.approx([0.3])


@pytest.mark.parametrize(
    ("values", "why"),
    [
        (":speed 3m/s", "the nearest is 75cm/s"),
        (":speed 3kg", "3kg is a mass and no speed"),
        (":sped 30cm/s", "Did you mean speed?"),
        (":place.speed 30cm/s", "nothing here takes such a value"),
    ],
)
def test_a_wrong_value_of_a_goal_is_refused(values: str, why: str) -> None:
    with kitchen() as session:
        refused = session.handle(goal=f"(at robot0 fridge0) {values}")
        assert refused.outcome is Outcome.REFUSED
        assert why in refused.message
        with pytest.raises(UsageError, match="speed: 'slow' is no quantity"):
            session.handle(goal="(at robot0 fridge0) :speed slow")


def test_a_resumed_goal_keeps_its_values(tmp_path: Path) -> None:
    with kitchen(record=tmp_path / "one") as session:
        session.start(goal="(at robot0 table0) :speed 30cm/s").wait()
    with kitchen() as session:
        assert session.resume(tmp_path / "one").finish().plan == ("(move robot0 floor0 table0 :speed 30cm/s)",)


def test_what_makes_no_difference_is_told() -> None:
    with kitchen() as session:
        timed(session, "drive to the table")
        already = session.handle(SLOWLY)
        assert already.outcome is Outcome.ALREADY
        assert "Nothing is done, so speed 20cm/s makes no difference." in already.message
        timed(session, "pick up the apple")
        episode, _ = timed(session, "put the apple on the table slowly")
        assert "No step takes the speed 20cm/s, so it makes no difference." in episode.notes


def test_a_new_plan_on_the_way_is_as_slow(tmp_path: Path) -> None:
    with kitchen(record=tmp_path / "run") as session:
        run, robot = session.start("put the apple on the counter slowly"), session.environment.robot
        while run.tick():
            if run.runner is not None and run.runner.ticks == 20:
                robot.move_piece("apple0", "on", "shelf0")
        assert run.episode is not None
        assert run.episode.outcome is Outcome.ACHIEVED, run.episode.message
    plans = [event["steps"] for event in read_record(tmp_path / "run") if event["e"] == "plan"]
    moves = [step for steps in plans for step in steps if step.startswith("(move ")]
    assert len(plans) > 1
    assert "shelf0" in str(plans[-1])
    assert all(step.endswith(" :speed 20cm/s)") for step in moves)


def test_a_corrected_plan_is_as_slow_and_may_say_another_speed() -> None:
    with kitchen() as session:
        run = session.start("put the apple into the fridge slowly")
        run.wait()
        assert run.plan is not None
        number = [str(step) for step in run.plan.steps].index("(move robot0 fridge0 table0 :speed 20cm/s)")
        assert run.tick()
        detour = "move(robot0, fridge0, shelf0, speed='70 cm/s')\nmove(robot0, shelf0, table0)"
        edits = (Insert(StatementPlace((number,)), detour), Remove(StatementPlace((number + 2,))))
        corrected = run.correct(Correction(edits))
        assert isinstance(corrected, Amended), corrected
        moves = [step for step in corrected.steps if step.startswith("(move")]
        assert moves == [
            "(move robot0 floor0 fridge0 :speed 20cm/s)",
            "(move robot0 fridge0 shelf0 :speed 70cm/s)",
            "(move robot0 shelf0 table0)",
            "(move robot0 table0 fridge0 :speed 20cm/s)",
        ]
        assert run.finish().outcome is Outcome.ACHIEVED


@pytest.mark.parametrize("robot", ["fake", "symbolic", "pybullet"])
def test_waiting_takes_as_long_as_was_said_each_time(robot: str) -> None:
    with kitchen(robot) as session:
        for said, seconds in (("wait three seconds", 3.0), ("wait three seconds", 3.0), ("wait", 1.0)):
            _, took = timed(session, said)
            assert seconds <= took < seconds + 1.5


def test_waiting_between_two_jobs_is_done_and_not_taken_for_a_disturbance(tmp_path: Path) -> None:
    said = "wait 3 s, go to the fridge and wait for 0.1 minutes, then drive to the table"
    with kitchen(record=tmp_path / "run") as session:
        episode, took = timed(session, said)
    assert [step.partition(" ")[0] for step in episode.plan] == ["(wait", "(move", "(wait", "(move"]
    assert took > 9.0
    assert "No longer so at the end: (at robot0 fridge0)." in episode.message
    events = [event["e"] for event in read_record(tmp_path / "run")]
    assert "disturbed" not in events
    assert events.count("plan") == 4


def test_waiting_for_a_time_that_nothing_takes_is_refused() -> None:
    with kitchen() as session:
        refused = session.handle("bring me the milk for ten seconds")
        assert refused.outcome is Outcome.REFUSED
        assert "no step of the plan takes it; wait would" in refused.message
        assert session.environment.robot.clock.now() == 0.0


def test_waiting_is_remembered_and_done_again(tmp_path: Path) -> None:
    for recalled in (False, True):
        with kitchen(memory=tmp_path / "memory.sqlite") as session:
            for _ in range(2):
                episode, took = timed(session, "wait 4 seconds")
                assert took >= 4.0
            assert episode.recalled or not recalled


def bar(**more: object) -> Session:
    return Session("barman", "counter", robot="symbolic", **{"memory": None, **more})


def level(session: Session, vessel: str) -> float:
    return 1000.0 * session.environment.robot.observation().numbers[Atom("level", (vessel,))]


@pytest.mark.parametrize(
    ("said", "amount"),
    [
        ("pour 30 ml of soda water into the tall glass", 30.0),
        ("fill the tall glass with a quarter litre of milk", 250.0),
        ("pour 2.5 cl of ginger beer into the tall glass", 25.0),
        ("pour soda water into the tall glass", 50.0),
    ],
)
def test_as_much_is_poured_as_was_said(said: str, amount: float) -> None:
    with bar() as session:
        timed(session, said)
        assert level(session, "tall_glass") == pytest.approx(amount, abs=1e-9)


def test_each_amount_is_that_of_its_stage_also_from_memory_and_resumed(tmp_path: Path) -> None:
    said = "pour 20 ml of milk into the thimble, then pour 15 ml of soda water into it"
    with bar(record=tmp_path / "one") as session:
        timed(session, said)
        assert level(session, "thimble") == pytest.approx(35.0, abs=1e-9)
    with bar(record=tmp_path / "two") as session:
        session.start(said).wait()
    with bar() as session:
        assert session.resume(tmp_path / "two").finish().outcome is Outcome.ACHIEVED
        assert level(session, "thimble") == pytest.approx(35.0, abs=1e-9)
    for recalled in (False, True):
        with bar(memory=tmp_path / "memory.sqlite") as session:
            episode, _ = timed(session, "pour 40 ml of milk into the thimble")
            assert episode.recalled is recalled
            assert level(session, "thimble") == pytest.approx(40.0, abs=1e-9)


def test_fifty_pours_are_exact() -> None:
    amounts = [Random(number).randint(10, 55) / 10.0 for number in range(50)]
    pours = (f"pour(left_hand, soda_bottle, soda_water, tall_glass, amount={amount})" for amount in amounts)
    program = "\n".join(("get(left_hand, soda_bottle, rack)", "unscrew(left_hand, right_hand, soda_bottle)", *pours))
    with bar() as session:
        episode = session.program(program).finish()
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert level(session, "tall_glass") == pytest.approx(sum(amounts), abs=1e-6)
        assert level(session, "soda_bottle") == pytest.approx(500.0 - sum(amounts), abs=1e-6)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("pour 2 litres of milk into the tall glass", "out of range: 1ml to 1000ml; the nearest is 1000ml"),
        ("pour 800 ml of milk into the tall glass", "has room for 300ml, and 800ml are asked. At most 300ml."),
        ("open the cooler for 30 ml", "no step of the plan takes it; pour would"),
        ("pour 30 g of milk into the tall glass", "it is a mass, and nothing that is done here takes one"),
    ],
)
def test_an_amount_that_cannot_be_had_is_refused(said: str, why: str) -> None:
    with bar() as session:
        refused = session.handle(said)
        assert refused.outcome is Outcome.REFUSED
        assert why in refused.message


def test_an_amount_of_what_is_there_already_is_refused() -> None:
    with bar() as session:
        timed(session, "pour 30 ml of milk into the tall glass")
        refused = session.handle("pour 40 ml of milk into the tall glass")
        assert refused.outcome is Outcome.REFUSED
        assert ":amount 40ml: it holds already" in refused.message
        assert level(session, "tall_glass") == pytest.approx(30.0, abs=1e-9)
