"""What one sentence crosses: how much of the program a reader has to open to follow it."""
