"""Paths among boxes, and the speed of the simulated body."""
