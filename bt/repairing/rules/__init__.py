"""Repair rules at work: known small mishaps, mended on the model and spliced into the plan."""

from bt.repairing.rules.mending import Applied, Mended, Mender
from bt.repairing.rules.parking import Parking
from bt.repairing.rules.rung import Rule

__all__ = ["Applied", "Mended", "Mender", "Parking", "Rule"]
