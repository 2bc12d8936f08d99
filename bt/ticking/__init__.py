"""An incremental tick: it costs only what can have changed, and has the result of a plain tick."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
