"""Steps of a plan that do not depend on each other, done at the same time."""

from bt.weaving.building import Together, one_by_one, resuming
from bt.weaving.claims import Claim, Handy, Occupied, claim_of, occupancy
from bt.weaving.given import Woven, ordered, pairs_of_times
from bt.weaving.order import Order, woven
from bt.weaving.sharing import shared_out
from bt.weaving.weave import Weave

__all__ = [
    "Claim",
    "Handy",
    "Occupied",
    "Order",
    "Together",
    "Weave",
    "Woven",
    "claim_of",
    "occupancy",
    "one_by_one",
    "ordered",
    "pairs_of_times",
    "resuming",
    "shared_out",
    "woven",
]
