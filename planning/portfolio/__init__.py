"""Selects the planner for each problem, explains the selection, and runs several planners at once."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
