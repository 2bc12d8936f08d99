"""Reading and writing PDDL, the language of planners.

Each name is imported when it is first used: a planning process writes PDDL at once and reads none.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
