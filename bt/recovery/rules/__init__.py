"""Repair rules at work: known small mishaps, mended on the model and spliced into the plan."""

from bt.recovery.rules.parking import Parking
from bt.recovery.rules.repair_search import Applied, Mended, RepairSearch
from bt.recovery.rules.rule import Rule

__all__ = ["Applied", "Mended", "Parking", "RepairSearch", "Rule"]
