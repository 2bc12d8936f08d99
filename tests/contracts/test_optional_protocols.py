"""What a body, a planner or a model must do that offers more than it has to; each is made by naming itself here."""

import re
import struct
import threading
import time

import pytest

from benchmarks.mishaps import Faulty
from domains.reader import load_domain, load_scene
from graftwork.setup.model_body import symbolic_robot
from planning import make_planner
from robots.symbolic import SymbolicRobot
from semantics.body.motion import MotionInterlock
from semantics.body.protocols import (
    Cancellable,
    ConcurrentMotion,
    ExactSensing,
    FoundPlan,
    Interlocked,
    MotionStatus,
    PictureSource,
    ServedModel,
)
from semantics.errors import OutsideError
from semantics.logic.feedback import Code
from semantics.logic.state import Command, State
from tests.bt.execution.team import key, operator
from tests.contracts import bodies as shipped
from tests.contracts.bodies import BODIES, LAYOUT
from tests.contracts.test_language_model import ASKED, openai
from tests.planning.planners.hard import HARD, TINY

BLOCKS = load_domain("blocks")
SUSSMAN = load_scene(BLOCKS, "sussman")


def symbolic(_layout):
    return symbolic_robot(BLOCKS, SUSSMAN)


def faulty_symbolic(layout):
    return Faulty(symbolic(layout), None, 0, {})


ALL = {**BODIES, "symbolic": symbolic, "faulty symbolic": faulty_symbolic}
UNSTACK = Command("pick", "", {"object": "blue_block", "source": "red_block", "at": "table0"})
FIRST = {**shipped.FIRST, "symbolic": UNSTACK, "faulty symbolic": UNSTACK}


@pytest.fixture
def body(request):
    made = ALL[request.param](LAYOUT)
    yield made
    made.close()


def bodies(*names):
    return pytest.mark.parametrize("body", names, indirect=True)


def started(body, request):
    return body.start(FIRST[request.node.callspec.params["body"]])


@bodies(*ALL)
def test_a_body_carries_one_interlock_that_notes_what_moves(body, request):
    assert isinstance(body, Interlocked)
    interlock = body.motion_interlock
    assert isinstance(interlock, MotionInterlock)
    assert body.motion_interlock is interlock
    busy = frozenset({"robot0"})
    assert interlock.blocks(busy, "robot0") == (False, True)
    motion = started(body, request)
    interlock.begin(motion, busy, "robot0")
    assert interlock.blocks(busy, "robot0") == (True, False)
    interlock.cancel(motion)
    end = body.clock.now() + 5.0
    while motion.poll().stage is MotionStatus.RUNNING and body.clock.now() < end:
        body.clock.sleep(0.05)
    assert motion.poll().feedback.code is Code.CANCELLED
    assert interlock.blocks(busy, "robot0") == (False, True)


@pytest.mark.parametrize("name", ["faulty", "faulty symbolic"])
def test_a_body_around_another_carries_the_interlock_of_that_one(name):
    body = ALL[name](LAYOUT)
    assert body.motion_interlock is body.robot.motion_interlock


@bodies("fake", "symbolic")
def test_an_exact_body_has_sensed_soon_what_is_so(body, request):
    assert isinstance(body, ExactSensing)
    assert body.exact_within > 0
    motion = started(body, request)
    for _ in range(600):
        ended = motion.poll().stage is not MotionStatus.RUNNING
        if ended:
            break
        body.clock.sleep(0.05)
    now = body.clock.now()
    body.clock.sleep(body.exact_within)
    assert ended
    assert body.observation().time >= now


LEFT = operator("wave robot0 flag", "", "waved flag", "left_hand")
RIGHT = operator("ring robot0 bell", "", "rung bell", "right_hand")
BOTH = operator("lift robot0 tray", "", "lifted tray", "left_hand right_hand")
OTHER = operator("sing robot1 song", "", "sung song")


def two_handed():
    known = {key(step.command): step for step in (LEFT, RIGHT, BOTH, OTHER)}
    return SymbolicRobot(State(), lambda command, _: known[key(command)])


CONCURRENT = {"symbolic": two_handed, "faulty": lambda: Faulty(two_handed(), None, 0, {})}


@pytest.mark.parametrize("make", CONCURRENT.values(), ids=CONCURRENT)
def test_a_body_of_several_motions_does_those_at_once_that_keep_nothing_in_common_busy(make):
    body = make()
    assert isinstance(body, ConcurrentMotion)
    busy = {step.action.name: body.occupies(step) for step in (LEFT, RIGHT, BOTH, OTHER)}
    assert all(busy.values())
    assert busy["wave"].isdisjoint(busy["ring"])
    assert not busy["wave"].isdisjoint(busy["lift"])
    motions = [body.start(step.command) for step in (LEFT, RIGHT, OTHER)]
    assert {motion.poll().stage for motion in motions} == {MotionStatus.RUNNING}
    assert body.start(BOTH.command).poll().stage is MotionStatus.FAILED


def test_a_body_around_one_of_one_motion_at_a_time_keeps_all_of_it_busy():
    body = ALL["faulty"](LAYOUT)
    assert {body.occupies(step) for step in (LEFT, RIGHT, BOTH)} == {frozenset({"robot0"})}


@bodies("pybullet")
def test_a_picture_is_a_png_of_the_size_that_was_asked_for(body):
    assert isinstance(body, PictureSource)
    png = body.picture(64, 48)
    assert png.startswith(b"\x89PNG")
    assert struct.unpack(">II", png[16:24]) == (64, 48)


@pytest.fixture(params=["fast-downward", "kairos", "portfolio"])
def planner(request):
    if request.param != "fast-downward":
        pytest.importorskip("kairos")
    made = make_planner(request.param)
    yield made
    made.close()


def test_a_planner_that_is_called_off_answers_at_once_and_can_be_asked_again(planner):
    assert isinstance(planner, Cancellable)
    answers = []
    thread = threading.Thread(target=lambda: answers.append(planner.solve(HARD.domain, HARD.problem, seconds=60.0)))
    thread.start()
    time.sleep(0.5)
    planner.cancel()
    thread.join(20.0)
    assert len(answers) == 1
    assert isinstance(planner.solve(*TINY, seconds=20.0), FoundPlan)


def test_a_model_on_a_server_names_it_when_it_fails(tmp_path):
    with openai(tmp_path, gone=True) as model:
        assert isinstance(model, ServedModel)
        with pytest.raises(OutsideError, match=re.escape(model.server)):
            model.complete(ASKED)
