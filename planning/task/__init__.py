"""Ground tasks: the input of a search, made directly from our own values.

`schemas` reads the capabilities once. `reachability` finds the actions that can ever be applied. `grounding` turns them
into a task without irrelevant parts. `sas` writes the task for Fast Downward, so no translator is needed.
"""

from planning.task.grounding import SearchTask, ground_task
from planning.task.reachability import Individual, TooManyError, explore
from planning.task.sas import write_sas

__all__ = ["Individual", "SearchTask", "TooManyError", "explore", "ground_task", "write_sas"]
