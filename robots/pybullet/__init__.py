"""A simulated robot in PyBullet; only this package imports PyBullet."""

from robots.pybullet.client import import_pybullet

import_pybullet()

from robots.pybullet.robot import PyBulletRobot  # noqa: E402 - pybullet is loaded quietly before anything needs it

__all__ = ["PyBulletRobot"]
