"""The object-affordance mapping (OAM): the affordances of each class, each with its probability and evidence."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
