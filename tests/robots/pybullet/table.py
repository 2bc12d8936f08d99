"""A table with cubes, a bowl and areas in front of an arm on a fixed base."""

from math import pi

from semantics.body.layout import Furniture, Layout, MovableObject, RobotStart, Shape
from semantics.geometry.geometry import PlanarPose

CUBE = Shape("box", (0.04, 0.04, 0.04), 0.05)
BOWL = Shape("open-box", (0.15, 0.15, 0.04), 0.3)
TOP = 0.72
AREAS = (
    Furniture("near_left", "area", PlanarPose(0.30, 0.23, pi), (0.14, 0.14, TOP)),
    Furniture("far_left", "area", PlanarPose(0.76, 0.23, pi), (0.14, 0.14, TOP)),
    Furniture("near_right", "area", PlanarPose(0.30, -0.23, pi), (0.14, 0.14, TOP)),
    Furniture("far_right", "area", PlanarPose(0.76, -0.23, pi), (0.14, 0.14, TOP)),
)
PIECES = (
    MovableObject("red", CUBE, "on", "table0", (-0.1, 0.1), yaw=0.3),
    MovableObject("green", CUBE, "on", "table0", (0.2, -0.2), yaw=0.8),
    MovableObject("blue", CUBE, "on", "table0", (-0.23, -0.23)),
    MovableObject("bowl", BOWL, "on", "table0", (0.1, 0.1)),
)
LAYOUT = Layout(
    RobotStart("robot0", PlanarPose(0.0, 0.0), "panda-fixed"),
    (Furniture("table0", "table", PlanarPose(0.53, 0.0, pi), (0.72, 0.68, TOP)), *AREAS),
    PIECES,
)
