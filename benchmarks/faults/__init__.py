"""Runs with mishaps: how often the goal is truly reached although things go wrong."""
