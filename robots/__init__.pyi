from .errors import BodyUnavailableError as BodyUnavailableError
from .fake import (
    FakeRobot as FakeRobot,
    InjectedFault as InjectedFault,
    VirtualClock as VirtualClock,
)
from .perturb import perturbed as perturbed
from .primitives import (
    PRIMITIVES as PRIMITIVES,
    Primitive as Primitive,
)
from .pybullet import PyBulletRobot as PyBulletRobot
from .real_time import (
    PacedClock as PacedClock,
    RealTime as RealTime,
    WallClock as WallClock,
)
from .served import (
    BodyServer as BodyServer,
    ServedRobot as ServedRobot,
)
from .symbolic import SymbolicRobot as SymbolicRobot
