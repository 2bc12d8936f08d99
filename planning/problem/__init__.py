"""The whole problem, ground or as PDDL for planners that only read PDDL."""
