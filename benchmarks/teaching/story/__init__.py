"""A story in 16 steps that builds on what was taught, from one block on another to a house."""
