"""A body in a process of its own: a server that holds it, and a body like any other on this side of the connection."""

from robots.served.robot import ServedRobot
from robots.served.server import BodyServer

__all__ = ["BodyServer", "ServedRobot"]
