"""Find the affordances of a class: ask a language model with one of three strategies, or guess from known classes."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
