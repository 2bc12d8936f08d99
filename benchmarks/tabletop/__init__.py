"""Tabletop instructions by seed, in scenes of their own, and a judge who shares no code with the robot."""
