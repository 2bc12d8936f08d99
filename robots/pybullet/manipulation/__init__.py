"""The primitives of the simulated robot: drive, grasp, place, open and close doors, and work with held objects."""
