"""The simulated room: furniture, things, a person, and the world that holds them."""
