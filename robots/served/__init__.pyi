from .robot import ServedRobot as ServedRobot
from .server import BodyServer as BodyServer
