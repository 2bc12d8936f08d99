"""Physical failures as facts with a lifetime, which the planner takes into account."""

from bt.recovery.obstacles.beliefs import Obstacles
from bt.recovery.obstacles.obstacle import LIFETIMES, Obstacle, domain_with, known_to, obstacle_of

__all__ = ["LIFETIMES", "Obstacle", "Obstacles", "domain_with", "known_to", "obstacle_of"]
