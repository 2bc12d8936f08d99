"""Selects the planner for each problem, explains the selection, and runs several planners at once."""

from planning.portfolio.choice import TABLE, Excluded, PlannerChoice, PortfolioEntry, choose
from planning.portfolio.features import Feature, Features, features, features_of_task
from planning.portfolio.kairos import Kairos, Timed
from planning.portfolio.planner import Portfolio, present
from planning.portfolio.race import race
from planning.portfolio.timed import TimedPlan, schedule

__all__ = [
    "TABLE",
    "Excluded",
    "Feature",
    "Features",
    "Kairos",
    "PlannerChoice",
    "Portfolio",
    "PortfolioEntry",
    "Timed",
    "TimedPlan",
    "choose",
    "features",
    "features_of_task",
    "present",
    "race",
    "schedule",
]
