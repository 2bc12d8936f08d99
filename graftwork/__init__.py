"""The front door: from an instruction to an episode."""
