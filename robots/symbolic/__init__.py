"""A body that lives in a model: what it does has exactly the effect the model says, in virtual time."""

from robots.symbolic.robot import ClosedWorld, SymbolicRobot

__all__ = ["ClosedWorld", "SymbolicRobot"]
