"""What a session is made of: its settings and limits, its world with a body in it, and who plans at which cost."""
