"""Measurements, run from a checkout."""
