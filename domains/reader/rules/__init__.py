"""The reader of semantic rules: the Prolog of a world, restricted to harmless predicates."""

from __future__ import annotations

from domains.reader.rules.bodies import ASKABLE, RuleFlaw, faults
from domains.reader.rules.rules import Pack, read_pack, read_rules

__all__ = ["ASKABLE", "Pack", "RuleFlaw", "faults", "read_pack", "read_rules"]
