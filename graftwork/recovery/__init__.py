"""Recovery in a session: its tree, and the strategies that explore, substitute, pursue a part, consult, and ask."""
