"""A body that lives in a model: what it does has exactly the effect the model says, in virtual time."""

from robots.symbolic.observation import ClosedWorld
from robots.symbolic.robot import SymbolicRobot

__all__ = ["ClosedWorld", "SymbolicRobot"]
