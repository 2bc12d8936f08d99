"""Behaviour trees of plans and programs: compiled, ticked, repaired, recorded and shown.

The names here are those that a user needs to build a tree with recovery strategies and to run it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
