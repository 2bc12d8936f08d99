"""The world with a body in it: found by name, opened, embodied."""
