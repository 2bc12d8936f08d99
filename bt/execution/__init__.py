"""Execution of a plan: the order of its steps, what is left of it, and the composite that carries it out."""

from bt.execution.execute import Execute
from bt.execution.given import Deordered, ordered, pairs_of_times
from bt.execution.improvement import Improving
from bt.execution.load_sharing import shared_out
from bt.execution.order import Occupied, Order

__all__ = ["Deordered", "Execute", "Improving", "Occupied", "Order", "ordered", "pairs_of_times", "shared_out"]
