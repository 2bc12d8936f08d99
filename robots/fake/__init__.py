"""A robot without physics: the primitives, observations and feedback of a real robot, in virtual time."""

from robots.fake.motion import InjectedFault
from robots.fake.robot import FakeRobot, VirtualClock

__all__ = ["FakeRobot", "InjectedFault", "VirtualClock"]
