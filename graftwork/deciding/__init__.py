"""From an instruction to something to do: decided, in part, or with something else instead; or why nothing is done."""
