"""From a checked goal to a plan, or to the reason why there is none.

Each public name is imported when it is first used. The planner's process and the translator start with the first
problem, or when a planning service warms up.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
