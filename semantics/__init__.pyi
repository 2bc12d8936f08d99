from .atoms import (
    Atom as Atom,
    Literal as Literal,
    dnf as dnf,
)
from .correction import (
    Correction as Correction,
    Insert as Insert,
    Remove as Remove,
    Replace as Replace,
    StatementPlace as StatementPlace,
)
from .feedback import (
    Code as Code,
    Feedback as Feedback,
)
from .goal import (
    CheckedGoal as CheckedGoal,
    Goal as Goal,
    Question as Question,
    Rejection as Rejection,
)
from .observation import Observation as Observation
from .parsing import parse_formula as parse_formula
from .protocols import (
    Message as Message,
    Robot as Robot,
)
from .state import (
    Action as Action,
    State as State,
)
