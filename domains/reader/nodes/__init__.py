"""YAML nodes with their line and column, and the readers of typed values."""
