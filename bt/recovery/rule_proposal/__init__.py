"""Learns repair rules from successful repairs; a gate tests each proposal."""

from bt.recovery.rule_proposal.gate import Trial, passes, tried
from bt.recovery.rule_proposal.proposer import Fix, fixes, propose

__all__ = ["Fix", "Trial", "fixes", "passes", "propose", "tried"]
