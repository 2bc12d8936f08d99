"""Places as values of actions: random programs, and how near to a point a thing comes."""
