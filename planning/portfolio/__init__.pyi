from .choice import choose as choose
from .feature import (
    Feature as Feature,
    Features as Features,
    features as features,
)
from .kairos import Kairos as Kairos
from .planner import (
    Portfolio as Portfolio,
    present as present,
)
