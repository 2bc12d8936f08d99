"""How fast trees are ticked, and whether the outcome is that of a plain tick."""
