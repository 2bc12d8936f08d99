"""Graftwork: from an instruction to an episode.

`Session` opens a world and a body. `Session.handle` carries out an instruction, `Session.start` returns a `Run` that
your program ticks, and `Session.subtree` returns a behaviour for your own tree.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
