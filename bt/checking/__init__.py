"""What can be told of a tree without ticking it: what is never reached, never ends, or can never be known to work."""

from bt.checking.examining import examine
from bt.checking.flaws import Flaw, Sort
from bt.checking.outcomes import outcomes

__all__ = ["Flaw", "Sort", "examine", "outcomes"]
