"""A cheapest plan with a proof, on as small a part of the problem as the proof allows."""
