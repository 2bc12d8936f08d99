"""The lower rungs of the repair ladder: once more, by a rule, around an obstacle; each usable in any tree."""

from bt.repairing.again import MENDED_BY_CHANCE, Again
from bt.repairing.budget import Budget
from bt.repairing.ladder import Ladder, Noting, Tally, climb
from bt.repairing.mishaps import Mishap, Response, mishaps
from bt.repairing.obstacles import Obstacle, Obstacles, domain_with
from bt.repairing.pursuing import Rungs, pursue_mending
from bt.repairing.rules import Applied, Mended, Mender, Parking, Rule

__all__ = [
    "MENDED_BY_CHANCE",
    "Again",
    "Applied",
    "Budget",
    "Ladder",
    "Mended",
    "Mender",
    "Mishap",
    "Noting",
    "Obstacle",
    "Obstacles",
    "Parking",
    "Response",
    "Rule",
    "Rungs",
    "Tally",
    "climb",
    "domain_with",
    "mishaps",
    "pursue_mending",
]
