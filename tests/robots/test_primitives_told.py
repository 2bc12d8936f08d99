"""Every shipped body tells its motion primitives with their roles, and wrappers and servers pass that on."""

from contextlib import closing
from threading import Thread
from typing import ClassVar

import pytest

from benchmarks.mishaps import Faulty
from domains import load_domain, load_scene
from graftwork.setup.bodies import robot_for
from robots import BodyServer, FakeRobot, ServedRobot
from robots.primitives import PRIMITIVES, WAIT
from semantics.body.primitive import Primitive
from semantics.body.protocols import LimitedMotion, MotionStatus
from semantics.logic.state import Command


@pytest.fixture(scope="module")
def world():
    domain = load_domain("kitchen")
    return domain, load_scene(domain, "small")


@pytest.mark.parametrize("name", ["fake", "pybullet"])
def test_a_body_tells_roles_of_its_primitives_and_can_wait(world, name):
    if name == "pybullet":
        pytest.importorskip("pybullet")
    with closing(robot_for(name, *world)) as robot:
        assert isinstance(robot, LimitedMotion)
        assert robot.primitives["pick"].roles == PRIMITIVES["pick"].roles
        motion = robot.start(Command(WAIT, robot.name, {"object": "nothing that it knows"}))
        robot.clock.sleep(1.5)
        robot.observation()
        assert motion.poll().stage is MotionStatus.DONE


def test_the_symbolic_body_tells_the_motions_of_its_model():
    domain = load_domain("blocks")
    with closing(robot_for("symbolic", domain, load_scene(domain, "auto"))) as robot:
        assert set(robot.primitives) == {verb.primitive or name for name, verb in domain.capabilities.items()}


class Gripper(FakeRobot):
    primitives: ClassVar = {
        "drive": PRIMITIVES["drive"],
        "grip": Primitive("Close.", {"object": "what"}, ("up to 0.5 kg",)),
    }


def test_a_served_and_a_faulty_body_tell_those_of_the_body_inside(world, tmp_path):
    inner = Gripper(world[1].arrangement)
    assert Faulty(inner, None, 0, {}).primitives is Gripper.primitives
    with closing(BodyServer(inner, tmp_path / "body")) as server:
        Thread(target=server.serve, daemon=True).start()
        with closing(ServedRobot(tmp_path / "body")) as robot:
            assert robot.primitives == Gripper.primitives


def test_a_capability_that_leaves_a_role_empty_is_beyond_a_body_that_tells_roles():
    domain = load_domain("kitchen")
    told = dict(PRIMITIVES)
    assert not domain.beyond(told)
    told["drive"] = Primitive("Drive.", {"to": "where", "speed": "how fast"})
    assert "drive" in {domain.capabilities[name].primitive for name in domain.beyond(told)}
    assert not domain.beyond(frozenset(PRIMITIVES))
