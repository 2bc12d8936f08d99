"""A robot that executes a planning model: each motion has exactly the effects of its operator, in virtual time."""

from robots.symbolic.robot import ClosedWorld, SymbolicRobot

__all__ = ["ClosedWorld", "SymbolicRobot"]
