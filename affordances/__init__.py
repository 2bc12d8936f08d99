"""What objects afford, and what a robot believes about the objects around it.

`Scene` holds beliefs about one place, and `Watcher` keeps them up to date with what a robot senses. `ObjectAffordances`
says what the objects of each class are good for, and `suggest` proposes a substitute for an object that is missing.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
