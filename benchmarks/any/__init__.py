"""Random planning problems in PDDL, of twelve families and twenty sizes, which test a planner of any problem."""
