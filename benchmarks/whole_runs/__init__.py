"""Whole runs in the simulator: sentences, rooms and disturbances by an author who knew no code, judged from outside."""
