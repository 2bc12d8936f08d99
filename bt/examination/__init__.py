"""Static analysis of trees: nodes that are never reached, never end, or have effects that cannot be sensed."""

from bt.examination.examination import Flaw, FlawKind, examine
from bt.examination.outcomes import outcomes

__all__ = ["Flaw", "FlawKind", "examine", "outcomes"]
