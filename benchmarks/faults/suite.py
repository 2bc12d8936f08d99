"""Whole runs with mishaps, judged by the world itself: ``graftwork bench faults``."""
