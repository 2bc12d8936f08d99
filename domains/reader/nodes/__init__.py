"""YAML as nodes that know their line and column, and the typed reading of them."""
