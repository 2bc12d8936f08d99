"""What a thing is good for, and what is believed of the scene."""
