"""Conditions, effects and numbers of a domain: PDDL text or plain YAML, each mistake with its place."""
