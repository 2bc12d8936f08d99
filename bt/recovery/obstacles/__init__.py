"""Physical failures as facts with a lifetime, which the planner reckons with."""

from bt.recovery.obstacles.beliefs import Obstacles
from bt.recovery.obstacles.compilation import domain_with, known_to
from bt.recovery.obstacles.obstacle import LIFETIMES, Obstacle, obstacle_of

__all__ = ["LIFETIMES", "Obstacle", "Obstacles", "domain_with", "known_to", "obstacle_of"]
