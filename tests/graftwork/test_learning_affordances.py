"""A run leaves evidence of what it showed; the next one plans by it."""

import logging

import pytest

from affordances.mapping import Evidence, EvidenceFileError, EvidenceSource, EvidenceStore
from domains.reader import load_domain, load_scene
from domains.world import World
from graftwork import Outcome, Session
from graftwork.memory.evidence import BLAMING, asked_of
from robots.fake import FakeRobot, InjectedFault
from semantics.body.protocols import MotionProgress, MotionStatus
from semantics.logic.feedback import Code, Feedback, Level
from semantics.logic.state import Action

KITCHEN = load_domain("kitchen")
SMALL = load_scene(KITCHEN, "small")
WORLD = World.of(SMALL, KITCHEN)


@pytest.fixture
def memory(tmp_path):
    return tmp_path / "memory.sqlite"


@pytest.fixture
def store(memory):
    return EvidenceStore(memory.with_suffix(".affordances.sqlite"))


def outcome(instruction, **kwargs):
    with Session(scene="small", **({"robot": "fake"} | kwargs)) as session:
        return session.handle(instruction)


def shown(store):
    return {(piece.class_name, piece.affordance, str(piece.source)): piece.times for piece in store.load()}


def test_each_step_that_worked_speaks_for_what_it_asks_of_its_things(memory, store):
    assert outcome("bring me the milk", memory=memory).outcome is Outcome.ACHIEVED
    assert shown(store) == {
        ("fridge", "open", "worked"): 1,
        ("fridge", "close", "worked"): 1,
        ("fridge", "contain", "worked"): 1,
        ("milk", "carry", "worked"): 2,
    }
    assert {(piece.by, piece.at is not None) for piece in store.load()} == {("fake", True)}


def test_runs_add_up(memory, store):
    outcome("put the apple on the counter", memory=memory)
    outcome("put the apple on the counter", memory=memory)
    assert shown(store)["apple", "carry", "worked"] == 4
    assert shown(store)["counter", "support", "worked"] == 2


def test_without_a_memory_nothing_is_kept(memory, tmp_path):
    assert outcome("open the fridge", memory=None).outcome is Outcome.ACHIEVED
    assert list(tmp_path.iterdir()) == []


class Slippery:
    """A motion that ends because of the thing it is about."""

    def __init__(self, feedback):
        self._feedback = feedback

    def poll(self):
        return MotionProgress(MotionStatus.FAILED, 0.0, self._feedback)

    def cancel(self):
        """It has ended."""


class Clumsy(FakeRobot):
    """A body that fails to pick, for a reason of its own."""

    reason = Feedback(Code.NOT_GRASPED, "milk0", "the fingers closed without it.", culprits=("milk0",))

    def __init__(self, layout):
        super().__init__(layout)
        self.picks = 0

    def start(self, command):
        self.picks += command.primitive == "pick"
        return Slippery(self.reason) if command.primitive == "pick" else super().start(command)


def test_a_thing_that_the_body_blames_gets_a_failure(memory, store):
    body = Clumsy(SMALL.layout)
    assert outcome("bring me the milk", robot=body, memory=memory).outcome is Outcome.FAILED
    found = shown(store)
    assert found["milk", "carry", "failed"] == body.picks > 1
    assert ("fridge", "contain", "failed") not in found
    assert ("milk", "carry", "worked") not in found


def test_a_grasp_that_was_made_to_fail_once_gets_one_failure(memory, store):
    body = FakeRobot(SMALL.layout, faults=[InjectedFault(Code.NOT_GRASPED, "pick")])
    assert outcome("bring me the milk", robot=body, memory=memory).outcome is Outcome.ACHIEVED
    assert shown(store)["milk", "carry", "failed"] == 1


@pytest.mark.parametrize("code", [Code.OUT_OF_REACH, Code.NO_ROOM])
def test_a_thing_that_is_only_out_of_reach_or_full_gets_none(memory, store, code):
    class Short(Clumsy):
        reason = Feedback(code, "milk0", "it cannot be done there.", culprits=("milk0",))

    assert outcome("bring me the milk", robot=Short(SMALL.layout), memory=memory).outcome is Outcome.FAILED
    assert EvidenceSource.FAILED not in {piece.source for piece in store.load()}


def test_only_a_body_blames_a_thing():
    assert {Feedback(code, "", "").level for code in BLAMING} == {Level.PHYSICAL}


def test_a_store_that_cannot_be_written_changes_no_run(memory, monkeypatch, caplog):
    def refuse(self, evidence):
        raise EvidenceFileError(self.path, "the disk is full")

    monkeypatch.setattr(EvidenceStore, "add", refuse)
    with caplog.at_level(logging.WARNING, "graftwork"):
        assert outcome("open the fridge", memory=memory).outcome is Outcome.ACHIEVED
    assert "the disk is full" in caplog.text


def test_a_class_that_failed_too_often_is_not_planned_with(memory, store):
    store.add([Evidence.failed("milk", "carry", body="fake", times=30)])
    refused = outcome("bring me the milk", memory=memory)
    assert refused.outcome is Outcome.REFUSED
    assert [record.code for record in refused.feedback] == [Code.WRONG_AFFORDANCE]
    assert outcome("put the apple on the counter", memory=memory).outcome is Outcome.ACHIEVED


def test_a_lower_threshold_plans_with_it_all_the_same(memory, store):
    store.add([Evidence.failed("milk", "carry", body="fake", times=30)])
    assert outcome("bring me the milk", memory=memory, affordance_threshold=0.2).outcome is Outcome.ACHIEVED


def test_a_damaged_store_is_told_of_before_anything_moves(memory, store):
    store.path.write_bytes(b"this is not a database, though it is long enough to be one")
    with pytest.raises(EvidenceFileError, match="damaged"):
        outcome("open the fridge", memory=memory)


def test_an_action_asks_of_its_arguments_what_its_capability_says():
    grasp = Action("grasp", ("robot0", "cup0", "table0", "table0"))
    assert asked_of(grasp, WORLD) == (("cup", "carry"), ("table", "support"))
    assert asked_of(grasp, WORLD, only=("cup0", "robot0")) == (("cup", "carry"),)
    assert asked_of(Action("levitate", ("cup0",)), WORLD) == ()
    assert asked_of(Action("grasp", ("robot0", "gone0", "table0", "table0")), WORLD) == (("table", "support"),)
