"""Problems of rich domains: choices, quantifiers, conditional effects, derived predicates, costs by arguments.

The problem is made ground here (`reaching`), written as plainly as that can be done without changing what a plan costs
(`alternatives`, `compiling`), and handed to the search as a ground task (`written`). What is left in it then (axioms,
conditional effects) decides which search may prove a plan cheapest, see `planning.rich.admitting`.
"""

from planning.rich.admitting import Admission, admits, is_rich
from planning.rich.compiling import needed, opened, plain
from planning.rich.reaching import Reached, reach_all
from planning.rich.task import Task
from planning.rich.written import write_rich

__all__ = ["Admission", "Reached", "Task", "admits", "is_rich", "needed", "opened", "plain", "reach_all", "write_rich"]
