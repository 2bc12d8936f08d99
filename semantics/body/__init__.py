"""What a body is, senses and does, and the protocols of all that is passed in."""
