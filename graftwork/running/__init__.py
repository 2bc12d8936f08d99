"""A run: one instruction ticked from outside, asked, answered, corrected; and the means it is run with."""
