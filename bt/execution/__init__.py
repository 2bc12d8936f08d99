"""Execution of a plan: the order of its steps, what is left of it, and the composite that carries it out."""

from bt.execution.execute import Execute
from bt.execution.given import Deordered, ordered, pairs_of_times
from bt.execution.improvement import Improvement, Improver, Improving
from bt.execution.load_sharing import shared_out
from bt.execution.order import Occupied, Order, ResourceClaim, claim_of, occupancy, partial_order
from bt.execution.remaining import Work

__all__ = [
    "Deordered",
    "Execute",
    "Improvement",
    "Improver",
    "Improving",
    "Occupied",
    "Order",
    "ResourceClaim",
    "Work",
    "claim_of",
    "occupancy",
    "ordered",
    "pairs_of_times",
    "partial_order",
    "shared_out",
]
