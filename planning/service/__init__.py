"""Planning as a service: in this process, or in separate processes that never block a tick."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
