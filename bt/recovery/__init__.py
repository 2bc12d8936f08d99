"""Recovery from failures: the `Recover` node, and the strategies that are the rungs of the repair ladder."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
