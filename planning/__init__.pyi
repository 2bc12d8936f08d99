from .anytime import Anytime as Anytime
from .costs import (
    CostModel as CostModel,
)
from .costs import (
    Tries as Tries,
)
from .errors import (
    PlannerUnavailableError as PlannerUnavailableError,
)
from .errors import (
    PlanningFailedError as PlanningFailedError,
)
from .errors import (
    UnplannableError as UnplannableError,
)
from .part import (
    PartialPlan as PartialPlan,
)
from .part import (
    best_part as best_part,
)
from .planners.fast_downward import FastDownward as FastDownward
from .problem.text import pddl_text as pddl_text
from .reasons import explain as explain
from .registry import make_planner as make_planner
from .replanning.replan import (
    Replanned as Replanned,
)
from .replanning.replan import (
    replan as replan,
)
from .service import OwnProcess as OwnProcess
from .solver import solve as solve
from .validation import (
    Invalid as Invalid,
)
from .validation import (
    Valid as Valid,
)
from .validation import (
    validate as validate,
)
from .validation import (
    validate_actions as validate_actions,
)
