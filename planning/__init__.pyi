from .costs import (
    CostModel as CostModel,
    Tries as Tries,
)
from .errors import (
    PlannerUnavailableError as PlannerUnavailableError,
    PlanningFailedError as PlanningFailedError,
    UnplannableError as UnplannableError,
)
from .part import (
    PartialPlan as PartialPlan,
    best_part as best_part,
)
from .planners.fast_downward import FastDownward as FastDownward
from .problem.text import pddl_text as pddl_text
from .reasons import explain as explain
from .registry import make_planner as make_planner
from .replanning.replan import (
    Replanned as Replanned,
    replan as replan,
)
from .service import OwnProcess as OwnProcess
from .solver import (
    Anytime as Anytime,
    solve as solve,
)
from .validation import (
    Invalid as Invalid,
    Valid as Valid,
    validate as validate,
    validate_actions as validate_actions,
)
