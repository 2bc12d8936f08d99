"""What goes wrong in CoPAL's published cocktail runs, and which rung of the ladder mends it."""
