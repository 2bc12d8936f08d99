"""Selects the planner for each problem, explains the selection, and runs several planners at once."""

from planning.portfolio.choice import choose
from planning.portfolio.features import Feature, Features, features
from planning.portfolio.kairos import Kairos
from planning.portfolio.planner import Portfolio, present
from planning.portfolio.timed import TimedPlan, schedule

__all__ = ["Feature", "Features", "Kairos", "Portfolio", "TimedPlan", "choose", "features", "present", "schedule"]
