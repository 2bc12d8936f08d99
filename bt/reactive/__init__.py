"""How a plan becomes a tree that resumes from wherever the world is."""
