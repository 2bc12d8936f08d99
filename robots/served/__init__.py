"""A robot in another process: a server that owns the robot, and a client that implements the robot protocol."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
