"""What the body does with things: driving to them, grasping, setting down, opening and shutting doors."""
