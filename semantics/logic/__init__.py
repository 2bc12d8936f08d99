"""The logic of tasks: facts, states, goals with their values and rules, programs, and their text."""
