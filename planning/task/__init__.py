"""Ground tasks: what a search works on, made straight from our own values.

`schemas` reads the capabilities once, `exploring` finds the actions that can ever be taken, `grounding` turns them into
a task without what can never matter, and `sas` writes it for Fast Downward, which so needs no translator.
"""

from planning.task.grounding import SearchTask, ground_task
from planning.task.reachability import Individual, TooManyError, explore
from planning.task.sas import write_sas

__all__ = ["Individual", "SearchTask", "TooManyError", "explore", "ground_task", "write_sas"]
