"""The repair ladder: once more, by a rule, around an obstacle, anew, by doing something else; each usable anywhere."""

from bt.repairing.again import MENDED_BY_CHANCE, Again
from bt.repairing.budget import Budget
from bt.repairing.ladder import Ladder, Noting, Tally, climb
from bt.repairing.mishaps import Mishap, Response, mishaps
from bt.repairing.obstacles import Obstacle, Obstacles, domain_with, known_to
from bt.repairing.pursuing import Rungs, pursue_mending, turning
from bt.repairing.rules import Applied, Mended, Mender, Parking, Rule
from bt.repairing.turns import Desk, Finder, InVain, Query, Turn, Turning

__all__ = [
    "MENDED_BY_CHANCE",
    "Again",
    "Applied",
    "Budget",
    "Desk",
    "Finder",
    "InVain",
    "Ladder",
    "Mended",
    "Mender",
    "Mishap",
    "Noting",
    "Obstacle",
    "Obstacles",
    "Parking",
    "Query",
    "Response",
    "Rule",
    "Rungs",
    "Tally",
    "Turn",
    "Turning",
    "climb",
    "domain_with",
    "known_to",
    "mishaps",
    "pursue_mending",
    "turning",
]
