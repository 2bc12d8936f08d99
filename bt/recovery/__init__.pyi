from .budget import (
    BUDGETS as BUDGETS,
    Budget as Budget,
)
from .inquiry import UserPrompt as UserPrompt
from .mishap import (
    Mishap as Mishap,
    mishaps as mishaps,
)
from .obstacles import (
    Obstacle as Obstacle,
    Obstacles as Obstacles,
    domain_with as domain_with,
    known_to as known_to,
    known_with as known_with,
    obstacles_of as obstacles_of,
    place_of as place_of,
)
from .recover import Recover as Recover
from .repair_search import (
    Mended as Mended,
    Parking as Parking,
    RepairSearch as RepairSearch,
)
from .request import (
    Answer as Answer,
    Ask as Ask,
    Detour as Detour,
    NewGoal as NewGoal,
    NewPlan as NewPlan,
    Nothing as Nothing,
    Repeat as Repeat,
    Request as Request,
    Scope as Scope,
    Strategy as Strategy,
)
from .strategies import (
    Replan as Replan,
    Retry as Retry,
    Rule as Rule,
)
