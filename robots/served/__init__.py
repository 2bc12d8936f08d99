"""A robot in another process: a server that owns the robot, and a client that implements the robot protocol."""

from robots.served.robot import ServedRobot
from robots.served.server import BodyServer

__all__ = ["BodyServer", "ServedRobot"]
