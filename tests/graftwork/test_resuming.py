"""A run that was broken off goes on from its record, in the world as it is now, and does nothing twice."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bt.errors import RecordError
from bt.record import read_record
from domains.reader import load_domain, load_scene
from graftwork import Outcome, Session
from graftwork.errors import NothingToDoError
from graftwork.run.past import folder_beside, read_past
from graftwork.testing import ScriptedModel
from planning import FastDownward
from robots.errors import BodyUnavailableError
from robots.fake import FakeRobot
from robots.served import BodyServer, ServedRobot
from semantics.body.protocols import Motion
from semantics.errors import UsageError
from semantics.logic.atoms import Atom
from semantics.logic.state import Command
from tests.unsealed import rewrite

SAID = "put the apple in the fridge and close it"


class Logged(FakeRobot):
    """Keeps the commands it was given."""

    def __init__(self) -> None:
        super().__init__(load_scene(load_domain("kitchen"), "small").arrangement)
        self.begun: list[str] = []

    def start(self, command: Command) -> Motion:
        self.begun.append(command.primitive)
        return super().start(command)


@pytest.fixture
def body() -> Logged:
    return Logged()


@pytest.fixture
def socket(body: Logged, tmp_path: Path) -> Iterator[Path]:
    with BodyServer(body, tmp_path / "body") as server:
        yield server.path


def small(robot: str, **more: object) -> Session:
    return Session("kitchen", "small", robot=robot, memory=None, planner=FastDownward(), **more)


def opened(socket: Path, record: Path | None = None, **more: object) -> Session:
    return small(f"served:{socket}", record=record, **more)


def broken_off(socket: Path, record: Path, ticks: int, said: str = SAID, **more: object) -> None:
    """Do a sentence for some ticks and leave it, as a process does that is killed."""
    with opened(socket, record, **more) as session:
        run = session.start(said)
        run.wait()
        while run.runner is not None and run.runner.ticks < ticks:
            run.tick()
    as_if_killed(record)


def as_if_killed(record: Path) -> None:
    """Take away the end that closing a session writes into its record, and a killed process does not."""
    file = record / "record.jsonl"
    *lines, last = file.read_bytes().splitlines(keepends=True)
    assert json.loads(last)["e"] == "end"
    file.write_bytes(b"".join(lines))


def gone_on(socket: Path, record: Path, into: Path | None = None) -> Outcome:
    with opened(socket, into) as session:
        return session.resume(record).finish().outcome


# Undisturbed: drive, open, drive, pick, drive, insert, close; 339 ticks.
@pytest.mark.parametrize(("ticks", "left"), [(0, 7), (150, 4), (200, 3), (300, 1), (320, 1)])
def test_only_what_is_left_is_done(body: Logged, socket: Path, tmp_path: Path, ticks: int, left: int):
    broken_off(socket, tmp_path / "one", ticks)
    before = len(body.begun)
    assert gone_on(socket, tmp_path / "one") is Outcome.ACHIEVED
    assert ["drive", "open", "drive", "pick", "drive", "insert", "close"][-left:] == body.begun[before:]
    assert body.world.carriers["apple0"] == ("in", "fridge0")
    assert body.world.doors["fridge0"] == 0.0


@pytest.mark.parametrize("cut", [1, 40, 400])
def test_a_record_cut_off_in_the_middle_of_a_line_will_do(socket: Path, tmp_path: Path, cut: int):
    broken_off(socket, tmp_path / "one", 200)
    file = tmp_path / "one" / "record.jsonl"
    file.write_bytes(file.read_bytes()[:-cut])
    assert gone_on(socket, tmp_path / "one") is Outcome.ACHIEVED


def test_a_resume_that_is_broken_off_before_its_first_tick_can_be_resumed(body: Logged, socket: Path, tmp_path: Path):
    broken_off(socket, tmp_path / "one", 300)
    body.set_door("fridge0", 0.0)  # nobody sees any more where the apple is
    with opened(socket, tmp_path / "two") as session:
        session.resume(tmp_path / "one")
    first = read_record(tmp_path / "two")[0]
    assert first["resumes"]["record"] == str(tmp_path / "one")
    past = read_past(tmp_path / "two")
    assert Atom("in", ("apple0", "fridge0")) in past.sensed
    assert past.goal == read_past(tmp_path / "one").goal


def test_what_was_sensed_before_and_cannot_be_seen_now_still_counts(body: Logged, socket: Path, tmp_path: Path):
    broken_off(socket, tmp_path / "one", 300)
    body.set_door("fridge0", 0.0)
    before = len(body.begun)
    with opened(socket) as session:
        assert session.resume(tmp_path / "one").finish().outcome is Outcome.ALREADY
    assert len(body.begun) == before


def test_what_was_only_stated_is_believed_and_not_called_sensed(socket: Path, tmp_path: Path):
    broken_off(socket, tmp_path / "one", 20, "bring me the milk")
    past = read_past(tmp_path / "one")
    assert Atom("in", ("milk0", "fridge0")) in past.stated - past.sensed
    with opened(socket) as session:
        session.resume(tmp_path / "one")
        assert Atom("in", ("milk0", "fridge0")) in session.environment.watcher.state.atoms
        belief = session.environment.watcher.scene.beliefs[Atom("in", ("milk0", "fridge0"))]
        assert belief.seen is None


def test_what_is_seen_to_be_otherwise_is_believed_no_more(body: Logged, socket: Path, tmp_path: Path):
    broken_off(socket, tmp_path / "one", 200)
    body.drop("apple0")
    body.move_piece("apple0", "on", "shelf0")
    before = len(body.begun)
    assert gone_on(socket, tmp_path / "one") is Outcome.ACHIEVED
    assert body.begun[before:] == ["drive", "pick", "drive", "insert", "close"]


def test_the_goal_stands_though_it_took_a_model(socket: Path, tmp_path: Path):
    model = ScriptedModel([{"goal": "(in juice0 fridge0)"}])
    broken_off(socket, tmp_path / "one", 100, "I like it cold", model=model)
    with opened(socket) as session:
        episode = session.resume(tmp_path / "one").finish()
    assert (episode.outcome, episode.model_calls) == (Outcome.ACHIEVED, 0)
    assert episode.instruction == "I like it cold"


def test_without_a_goal_the_instruction_is_read_again(socket: Path, tmp_path: Path):
    broken_off(socket, tmp_path / "one", 0)
    file = tmp_path / "one" / "record.jsonl"
    file.write_bytes(file.read_bytes().splitlines(keepends=True)[0])
    assert read_past(file).goal is None
    assert gone_on(socket, file) is Outcome.ACHIEVED


def test_a_run_that_had_achieved_its_goal_is_not_resumed(socket: Path, tmp_path: Path):
    with opened(socket, tmp_path / "one") as session:
        assert session.handle("open the fridge").outcome is Outcome.ACHIEVED
    assert read_past(tmp_path / "one").is_settled
    with opened(socket) as session, pytest.raises(NothingToDoError, match="had ended: achieved"):
        session.resume(tmp_path / "one")


def test_a_body_that_goes_with_its_process_begins_anew(tmp_path: Path):
    with small("fake", record=tmp_path / "one") as session:
        run = session.start(SAID)
        run.wait()
        while run.runner.ticks < 200:
            run.tick()
    with small("fake") as session:
        run = session.resume(tmp_path / "one")
        run.wait()
        assert len(run.plan.steps) == 7
        assert run.finish().outcome is Outcome.ACHIEVED


def test_a_record_of_another_world_is_refused(socket: Path, tmp_path: Path):
    broken_off(socket, tmp_path / "one", 10)
    with Session("blocks", robot="symbolic", memory=None) as session, pytest.raises(UsageError, match="world kitchen"):
        session.resume(tmp_path / "one")


@pytest.mark.parametrize("text", [b"", b'{"v":1,"e":"sta', b'{"v":1,"e":"tick","n":1}\n', b'{"v":1,"e":"start"}\n'])
def test_a_record_that_says_too_little_is_an_error_that_names_it(tmp_path: Path, text: bytes):
    (tmp_path / "record.jsonl").write_bytes(text)
    with pytest.raises(RecordError, match=str(tmp_path)):
        read_past(tmp_path)


def test_records_of_before_tell_what_they_have(tmp_path: Path):
    start = {"v": 1, "e": "start", "instruction": "open the fridge", "domain": "kitchen", "scene": "small"}
    (tmp_path / "record.jsonl").write_text(json.dumps(start | {"robot": "fake", "seed": 3}) + "\n")
    past = read_past(tmp_path)
    assert past.settings == {"domain": "kitchen", "scene": "small", "robot": "fake", "seed": 3}


def test_a_clock_that_went_back_is_another_ones(socket: Path, tmp_path: Path):
    broken_off(socket, tmp_path / "one", 200)
    past = read_past(tmp_path / "one")
    apple = Atom("inhand", ("apple0", "robot0"))
    domain = load_domain("kitchen")
    assert past.beliefs(past.time + 1, domain)[apple].seen == past.time
    assert past.beliefs(0.0, domain)[apple].seen is None


def test_a_new_folder_stands_beside_the_old_one(tmp_path: Path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run-2").mkdir()
    assert folder_beside(tmp_path / "run") == tmp_path / "run-3"


def test_a_body_that_goes_in_the_middle_is_told_and_recorded(body: Logged, tmp_path: Path):
    with (
        BodyServer(body, tmp_path / "body") as server,
        opened(server.path, tmp_path / "one") as session,
    ):
        run = session.start(SAID)
        run.wait()
        while run.runner.ticks < 100:
            run.tick()
        server.close()
        episode = run.finish()
    assert (episode.outcome, episode.exit_code) == (Outcome.UNAVAILABLE, 5)
    assert "the body is gone" in episode.message
    assert read_record(tmp_path / "one")[-1]["outcome"] == "unavailable"
    assert not body.observation().agents["robot0"].moving
    with BodyServer(body, tmp_path / "body") as server:
        assert gone_on(server.path, tmp_path / "one") is Outcome.ACHIEVED


def test_a_served_body_is_one_drivers(socket: Path):
    with opened(socket), pytest.raises(BodyUnavailableError, match="somebody else drives it"):
        ServedRobot(socket)


def test_a_world_whose_files_have_changed_is_told(socket: Path, tmp_path: Path):
    broken_off(socket, tmp_path / "one", 100)
    rewrite(tmp_path / "one", lambda events: events[0].update(world="0" * 64))
    assert gone_on(socket, tmp_path / "one", tmp_path / "two") is Outcome.ACHIEVED
    notes = [event["text"] for event in read_record(tmp_path / "two") if event["e"] == "note"]
    assert notes == ["the files of this world have changed since; it goes on by what they say now"]
    broken_off(socket, tmp_path / "three", 0, "open the fridge")
    with opened(socket, tmp_path / "four") as session:
        session.resume(tmp_path / "three")
    assert all(event["e"] != "note" for event in read_record(tmp_path / "four"))


def test_a_program_that_was_killed_while_the_hand_moved_is_not_gone_on_with_and_says_what_to_do(tmp_path: Path):
    with Session("tabletop", "four", robot="fake", memory=None, record=tmp_path / "record") as session:
        run = session.program("move_hand(to=green_block)\nclose_gripper()")
        run.wait()
        while run.runner is None or run.runner.ticks < 3:
            run.tick()
    as_if_killed(tmp_path / "record")
    events = read_record(tmp_path / "record")
    assert any(event["e"] == "line" and "move_hand" in event["text"] for event in events)
    assert all(event["e"] != "end" for event in events)
    with pytest.raises(RecordError, match="begin that again with --program"):
        read_past(tmp_path / "record")
