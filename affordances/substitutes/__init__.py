"""Find substitutes for a missing object, from data or by asking a language model."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
