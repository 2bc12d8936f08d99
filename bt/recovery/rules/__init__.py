"""Repair rules: repairs of known failures, found on the model and inserted into the plan."""

from bt.recovery.rules.repair_search import Applied, Mended, Parking, RepairSearch
from bt.recovery.rules.rule import Rule

__all__ = ["Applied", "Mended", "Parking", "RepairSearch", "Rule"]
