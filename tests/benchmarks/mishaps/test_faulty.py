import pytest

from benchmarks.mishaps import Faulty, MishapKind, RoomHands
from robots.fake import FakeRobot
from semantics.body.observation import Observation
from semantics.body.protocols import MotionStatus, Robot
from semantics.errors import UsageError
from semantics.logic.feedback import Code
from semantics.logic.state import Command
from tests.robots.fake.driven import LAYOUT

DRIVE = Command("drive", "robot0", {"to": "table0"})
BACK = Command("drive", "robot0", {"to": "fridge0"})
PICK = Command("pick", "robot0", {"object": "juice0", "source": "table0", "at": "table0"})


class Noted:
    """Hands that do nothing but note what they were asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[MishapKind, frozenset[str]]] = []

    def do(self, kind, about, random):
        self.asked.append((kind, about))
        return f"{kind} was done"


def faulty(chances, seed=1, hands=None):
    fake = FakeRobot(LAYOUT)
    return Faulty(fake, hands or RoomHands(fake), seed, chances)


def finish(robot, command):
    """Do a command to its end as a runner would: sense, look at the motion, let time pass."""
    motion = robot.start(command)
    seen: list[Observation] = []
    while motion.poll().stage is MotionStatus.RUNNING:
        robot.clock.sleep(0.05)
        seen.append(robot.observation())
    return motion.poll(), seen


def test_it_is_a_robot_by_the_name_of_its_body():
    robot = faulty({})
    assert isinstance(robot, Robot)
    assert robot.name == "robot0"


def test_without_chances_nothing_happens():
    robot = faulty({})
    assert finish(robot, DRIVE)[0].stage is MotionStatus.DONE
    assert finish(robot, PICK)[0].stage is MotionStatus.DONE
    assert robot.happened == []
    assert robot.motions == 2


def test_a_command_is_refused_once_and_taken_when_it_comes_again():
    robot = faulty({MishapKind.REFUSED: 1.0})
    refused = robot.start(DRIVE).poll()
    assert refused.stage is MotionStatus.FAILED
    assert refused.feedback.code is Code.REFUSED_BY_BODY
    assert robot.motions == 0
    assert finish(robot, DRIVE)[0].stage is MotionStatus.DONE
    assert robot.start(BACK).poll().stage is MotionStatus.FAILED
    assert [one.kind for one in robot.happened] == [MishapKind.REFUSED, MishapKind.REFUSED]


def test_what_the_body_cannot_begin_meets_no_mishap():
    hands = Noted()
    robot = faulty({MishapKind.MOVED: 1.0}, hands=hands)
    assert robot.start(PICK).poll().feedback.code is Code.OUT_OF_REACH
    robot.clock.sleep(5.0)
    robot.observation()
    assert hands.asked == []
    assert robot.motions == 0


def test_each_mishap_comes_once_in_a_motion_and_before_a_sensing_of_its_end():
    hands = Noted()
    robot = faulty({MishapKind.MOVED: 1.0, MishapKind.SHUT: 1.0}, hands=hands)
    robot.about |= {"milk0"}
    finish(robot, DRIVE)
    assert sorted(kind for kind, _ in hands.asked) == [MishapKind.MOVED, MishapKind.SHUT]
    assert all(about == {"milk0", "table0"} for _, about in hands.asked)
    robot.clock.sleep(5.0)
    robot.observation()
    assert len(hands.asked) == 2


def test_nothing_happens_any_more_in_what_was_stopped():
    hands = Noted()
    robot = faulty({MishapKind.MOVED: 1.0}, hands=hands)
    motion = robot.start(DRIVE)
    motion.cancel()
    robot.stop()
    robot.clock.sleep(5.0)
    robot.observation()
    assert hands.asked == []


def test_a_blind_body_senses_nothing_of_the_room_for_a_second():
    ways = set()
    for seed in range(8):
        robot = faulty({MishapKind.BLIND: 1.0}, seed)
        seen = finish(robot, DRIVE)[1]
        (blind,) = robot.happened
        meanwhile = [one for one in seen if one.time > blind.time - 1e-9]
        frozen = [one for one in seen if one.time < blind.time]
        ways.add(blind.what)
        if "no sensing" in blind.what:
            assert all(one.time >= blind.time + 0.9 for one in meanwhile)
            assert len(frozen) > len({one.number for one in frozen})
        else:
            hidden = [one for one in meanwhile if one.time < blind.time + 0.9]
            assert hidden
            assert all("juice0" not in one.sightings and not one.searched for one in hidden)
            assert all(one.agents["robot0"].moving is not None for one in hidden)
            assert all(one.sightings["fridge0"].opening is None for one in hidden)
    assert len(ways) == 2


def test_one_seed_gives_one_run_and_another_gives_another():
    def run(seed):
        robot = faulty(dict.fromkeys(MishapKind, 0.5), seed)
        for command in (DRIVE, PICK, BACK, DRIVE, BACK, DRIVE):
            finish(robot, command)
        return robot.happened, dict(robot.robot.world.carriers)

    assert run(3) == run(3)
    assert run(3) != run(4)


def test_about_as_many_mishaps_come_as_the_chance_says():
    hands = Noted()
    robot = faulty({MishapKind.MOVED: 0.2}, hands=hands)
    for _ in range(100):
        finish(robot, DRIVE)
        finish(robot, BACK)
    assert 0.12 < len(hands.asked) / robot.motions < 0.28


@pytest.mark.parametrize("chance", [-0.1, 1.5])
def test_a_chance_is_from_0_to_1(chance):
    with pytest.raises(UsageError, match="from 0 to 1"):
        faulty({MishapKind.BLIND: chance})
