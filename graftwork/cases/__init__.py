"""Cases: the expected outcome of an instruction or a goal in a scene, stored as data beside a world.

`read_cases` reads them and `CaseRunner` runs them without a robot. ``graftwork test`` and the pytest plugin use both.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
