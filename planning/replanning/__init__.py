"""Replanning after a small change, with the parts of the old plan that are still valid."""
