from .choice import (
    TABLE as TABLE,
    Excluded as Excluded,
    PlannerChoice as PlannerChoice,
    PortfolioEntry as PortfolioEntry,
    choose as choose,
)
from .feature import (
    Feature as Feature,
    Features as Features,
    features as features,
    features_of_task as features_of_task,
)
from .kairos import (
    Kairos as Kairos,
    Timed as Timed,
)
from .planner import (
    Portfolio as Portfolio,
    present as present,
)
from .timed import (
    TimedPlan as TimedPlan,
    schedule as schedule,
)
