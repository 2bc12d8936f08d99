"""The readers of conditions, effects and numbers, from PDDL text or plain YAML; each error has its position."""
