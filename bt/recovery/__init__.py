"""Recovery from failures: the `Recover` node, and the strategies that are the rungs of the repair ladder."""

from bt.recovery.budget import BUDGETS, Budget
from bt.recovery.incident import Unplanned
from bt.recovery.inquiry import UserPrompt
from bt.recovery.log import RecoveryLog
from bt.recovery.mishaps import Mishap, Response, mishaps
from bt.recovery.obstacles import Obstacle, Obstacles, domain_with, known_to
from bt.recovery.recover import Recover
from bt.recovery.request import (
    Answer,
    Ask,
    Detour,
    NewGoal,
    NewPlan,
    Nothing,
    Repeat,
    Request,
    Scope,
    Strategy,
)
from bt.recovery.rules import Applied, Mended, Parking, RepairSearch, Rule
from bt.recovery.strategies import MENDED_BY_CHANCE, Replan, Replanner, Retry

__all__ = [
    "BUDGETS",
    "MENDED_BY_CHANCE",
    "Answer",
    "Applied",
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
    "RecoveryLog",
    "RepairSearch",
    "Repeat",
    "Replan",
    "Replanner",
    "Request",
    "Response",
    "Retry",
    "Rule",
    "Scope",
    "Strategy",
    "Unplanned",
    "UserPrompt",
    "domain_with",
    "known_to",
    "mishaps",
]
