"""Learning repair rules from what has worked, behind a gate."""

from bt.repairing.proposing.fixes import Fix, fixes
from bt.repairing.proposing.gate import Trial, passes, tried
from bt.repairing.proposing.proposing import propose

__all__ = ["Fix", "Trial", "fixes", "passes", "propose", "tried"]
