"""A cheapest plan with proof, on as little of the problem as the proof allows."""
