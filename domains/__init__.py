"""Worlds as data: the domain language, its readers, writers and checks, and one folder for each built-in world."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
