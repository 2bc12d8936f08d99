"""The repair ladder of a session: what each rung may spend, and the rungs that need more than a plan's tree."""
