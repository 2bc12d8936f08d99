from .compiler import (
    compile_plan as compile_plan,
)
from .compiler import (
    pursue as pursue,
)
from .examination.examination import examine as examine
from .execution.step import Step as Step
from .node import Tree as Tree
from .record import Entries as Entries
from .recovery.budget import Budget as Budget
from .recovery.inquiry import UserPrompt as UserPrompt
from .recovery.obstacles import Obstacles as Obstacles
from .recovery.recover import Recover as Recover
from .recovery.request import (
    Ask as Ask,
)
from .recovery.request import (
    Nothing as Nothing,
)
from .recovery.request import (
    Repeat as Repeat,
)
from .recovery.request import (
    Scope as Scope,
)
from .recovery.request import (
    Strategy as Strategy,
)
from .recovery.repair_search import RepairSearch as RepairSearch
from .recovery.strategies import Rule as Rule
from .recovery.strategies import (
    Replan as Replan,
)
from .recovery.strategies import (
    Retry as Retry,
)
from .runner import Runner as Runner
