"""The simulated room: furniture, objects, persons, and the world that contains them."""
