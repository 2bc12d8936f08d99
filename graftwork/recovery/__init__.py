"""How a session recovers: its tree, and the strategies that look around, substitute, take a part, and ask."""
