"""Words of people and the things that they name."""
