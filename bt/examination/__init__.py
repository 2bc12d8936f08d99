"""What can be told of a tree without ticking it: what is never reached, never ends, or can never be known to work."""

from bt.examination.examination import examine
from bt.examination.flaws import Flaw, FlawKind
from bt.examination.outcomes import outcomes

__all__ = ["Flaw", "FlawKind", "examine", "outcomes"]
