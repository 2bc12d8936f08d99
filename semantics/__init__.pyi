from .body.observation import Observation as Observation
from .body.protocols import (
    Message as Message,
    Robot as Robot,
)
from .logic.atoms import (
    Atom as Atom,
    Literal as Literal,
    dnf as dnf,
)
from .logic.correction import (
    Correction as Correction,
    Insert as Insert,
    Remove as Remove,
    Replace as Replace,
    StatementPlace as StatementPlace,
)
from .logic.feedback import (
    Code as Code,
    Feedback as Feedback,
)
from .logic.goal import (
    CheckedGoal as CheckedGoal,
    Goal as Goal,
    Question as Question,
    Rejection as Rejection,
)
from .logic.parsing import parse_formula as parse_formula
from .logic.state import (
    Action as Action,
    State as State,
)
