"""The whole problem: ground, or written as PDDL for planners that only read that."""
