"""Problems of rich domains: choices, quantifiers, conditional effects, derived predicates, costs by arguments.

The problem is made ground here (`reaching`) and written as plainly as that can be done without changing what a plan
costs (`alternatives`, `compiling`). What no plan needs is left out, by proof (`idle`, `dominated`, `possible`); like
things are put together for a first search (`like`, `folding`, `unfolding`), whose cost is a lower bound. The rest is
handed to the search as a ground task (`written`). What is left in it then (axioms, conditional effects) decides which
search may prove a plan cheapest, see `planning.adl.admission`.
"""

from planning.adl.admission import Admission, admits
from planning.adl.compilation import decided, needed, opened
from planning.adl.like import like_things
from planning.adl.reachability import Reached, reach_all
from planning.adl.task import AdlTask
from planning.adl.written import write_adl

__all__ = [
    "AdlTask",
    "Admission",
    "Reached",
    "admits",
    "decided",
    "like_things",
    "needed",
    "opened",
    "reach_all",
    "write_adl",
]
