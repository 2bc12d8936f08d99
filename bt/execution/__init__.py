"""Execution of a plan: the order of its steps, what is left of it, and the composite that carries it out."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
