"""A robot without physics: the primitives, observations and feedback of a real robot, in virtual time."""

from robots.fake.robot import FakeRobot
from robots.motion import InjectedFault, VirtualClock

__all__ = ["FakeRobot", "InjectedFault", "VirtualClock"]
