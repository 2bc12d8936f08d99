"""Thirty situations in which something is missing, and what would do instead."""
