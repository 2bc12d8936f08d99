from .atoms import (
    Atom as Atom,
)
from .atoms import (
    Literal as Literal,
)
from .atoms import (
    dnf as dnf,
)
from .correction import (
    Correction as Correction,
)
from .correction import (
    Insert as Insert,
)
from .correction import (
    Remove as Remove,
)
from .correction import (
    Replace as Replace,
)
from .correction import (
    StatementPlace as StatementPlace,
)
from .feedback import (
    Code as Code,
)
from .feedback import (
    Feedback as Feedback,
)
from .goal import (
    CheckedGoal as CheckedGoal,
)
from .goal import (
    Goal as Goal,
)
from .goal import (
    Question as Question,
)
from .goal import (
    Rejection as Rejection,
)
from .observation import Observation as Observation
from .parsing import parse_formula as parse_formula
from .protocols import (
    Message as Message,
)
from .protocols import (
    Robot as Robot,
)
from .state import (
    Action as Action,
)
from .state import (
    State as State,
)
