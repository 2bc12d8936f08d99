"""Learning repair rules from what has worked, behind a gate."""

from bt.recovery.proposing.fixes import Fix, fixes
from bt.recovery.proposing.gate import Trial, passes, tried
from bt.recovery.proposing.proposing import propose

__all__ = ["Fix", "Trial", "fixes", "passes", "propose", "tried"]
