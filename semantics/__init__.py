"""The vocabulary of the project: facts, states, actions, goals and feedback, and the check of a goal.

The other packages build on these values and protocols; this package imports none of them.
"""

import lazy_loader

import semantics.process  # noqa: F401  # before any thread of the program

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
