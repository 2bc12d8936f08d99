"""What can be told of a tree without ticking it: what is never reached, never ends, or can never be known to work."""

from bt.checking.examining import examine
from bt.checking.flaws import Flaw, FlawKind
from bt.checking.outcomes import outcomes

__all__ = ["Flaw", "FlawKind", "examine", "outcomes"]
