from .errors import BodyUnavailableError as BodyUnavailableError
from .fake import (
    FakeRobot as FakeRobot,
)
from .fake import (
    InjectedFault as InjectedFault,
)
from .fake import (
    VirtualClock as VirtualClock,
)
from .mishaps import (
    Faulty as Faulty,
)
from .mishaps import (
    MishapKind as MishapKind,
)
from .perturb import perturbed as perturbed
from .primitives import (
    PRIMITIVES as PRIMITIVES,
)
from .primitives import (
    Primitive as Primitive,
)
from .pybullet import PyBulletRobot as PyBulletRobot
from .served import (
    BodyServer as BodyServer,
)
from .served import (
    ServedRobot as ServedRobot,
)
from .symbolic import SymbolicRobot as SymbolicRobot
