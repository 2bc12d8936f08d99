"""Physical failures as facts with a lifetime, which the planner reckons with."""

from bt.repairing.obstacles.believing import Obstacles
from bt.repairing.obstacles.compiling import domain_with, known_to
from bt.repairing.obstacles.obstacle import LIFETIMES, Obstacle, obstacle_of

__all__ = ["LIFETIMES", "Obstacle", "Obstacles", "domain_with", "known_to", "obstacle_of"]
