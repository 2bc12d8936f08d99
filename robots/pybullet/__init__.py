"""A simulated body in PyBullet; the only room that imports it."""

from robots.pybullet.client import import_pybullet

import_pybullet()

from robots.pybullet.robot import PyBulletRobot  # noqa: E402 - pybullet is loaded quietly before anything needs it

__all__ = ["PyBulletRobot"]
