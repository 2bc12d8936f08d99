"""Which planner takes which problem, why not the others, and several of them at once."""

from planning.portfolio.choice import TABLE, Choice, Entry, Excluded, choose
from planning.portfolio.features import Feature, Features, features, features_of_task
from planning.portfolio.kairos import Kairos, Timed
from planning.portfolio.planner import Portfolio, present
from planning.portfolio.race import Result, race
from planning.portfolio.replay import replay
from planning.portfolio.timed import TimedPlan, schedule

__all__ = [
    "TABLE",
    "Choice",
    "Entry",
    "Excluded",
    "Feature",
    "Features",
    "Kairos",
    "Portfolio",
    "Result",
    "Timed",
    "TimedPlan",
    "choose",
    "features",
    "features_of_task",
    "present",
    "race",
    "replay",
    "schedule",
]
