"""Robot bodies, and what they share.

There are four bodies: `FakeRobot` without physics, `SymbolicRobot` in a PDDL model, `PyBulletRobot` in a physics
simulation, and `ServedRobot`, which drives a body in another process. All of them implement
`semantics.body.protocols.Robot` and report failures as `Feedback`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
