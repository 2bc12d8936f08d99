"""Whether a model's programs for fourteen tabletop instructions get better by what a person says of them."""
