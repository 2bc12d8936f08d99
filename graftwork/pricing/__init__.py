"""Costs that mean something: from the weights that a person sets to a cost model, and back to the person's units."""
