"""A simulated body in PyBullet; the only room that imports it."""

from robots.pybullet.robot import PyBulletRobot

__all__ = ["PyBulletRobot"]
