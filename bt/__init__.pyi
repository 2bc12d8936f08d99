from .compiler import (
    compile_plan as compile_plan,
    pursue as pursue,
)
from .examination import examine as examine
from .execution.step import Step as Step
from .node import Tree as Tree
from .record import Entries as Entries
from .recovery.budget import Budget as Budget
from .recovery.inquiry import UserPrompt as UserPrompt
from .recovery.obstacles import Obstacles as Obstacles
from .recovery.recover import Recover as Recover
from .recovery.repair_search import RepairSearch as RepairSearch
from .recovery.request import (
    Ask as Ask,
    Nothing as Nothing,
    Repeat as Repeat,
    Scope as Scope,
    Strategy as Strategy,
)
from .recovery.strategies import (
    Replan as Replan,
    Retry as Retry,
    Rule as Rule,
)
from .runner import Runner as Runner
