"""Steps of a plan that do not depend on each other, done at the same time."""

from bt.weaving.claims import Claim, Handy, Occupied, claim_of, occupancy
from bt.weaving.order import Order, woven
from bt.weaving.weave import Weave

__all__ = ["Claim", "Handy", "Occupied", "Order", "Weave", "claim_of", "occupancy", "woven"]
