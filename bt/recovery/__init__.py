"""Recovery from failures: the `Recover` node, and the strategies that are the rungs of the repair ladder."""

from bt.recovery.budget import BUDGETS, Budget
from bt.recovery.inquiry import UserPrompt
from bt.recovery.mishaps import Mishap, mishaps
from bt.recovery.obstacles import Obstacle, Obstacles, domain_with, known_to, known_with, obstacles_of, place_of
from bt.recovery.recover import Recover
from bt.recovery.repair_search import Mended, Parking, RepairSearch
from bt.recovery.request import Answer, Ask, Detour, NewGoal, NewPlan, Nothing, Repeat, Request, Scope, Strategy
from bt.recovery.strategies import Replan, Retry, Rule

__all__ = [
    "BUDGETS",
    "Answer",
    "Ask",
    "Budget",
    "Detour",
    "Mended",
    "Mishap",
    "NewGoal",
    "NewPlan",
    "Nothing",
    "Obstacle",
    "Obstacles",
    "Parking",
    "Recover",
    "RepairSearch",
    "Repeat",
    "Replan",
    "Request",
    "Retry",
    "Rule",
    "Scope",
    "Strategy",
    "UserPrompt",
    "domain_with",
    "known_to",
    "known_with",
    "mishaps",
    "obstacles_of",
    "place_of",
]
