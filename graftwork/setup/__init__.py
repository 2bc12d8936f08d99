"""The parts of a session: its settings and limits, its world with a body, its planner, and the costs of actions."""
