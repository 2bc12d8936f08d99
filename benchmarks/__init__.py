"""Measurements, run from a checkout: ``graftwork bench SUITE``."""

SUITES = {
    "affordances": "benchmarks.affordances.suite",
    "any": "benchmarks.any.suite",
    "copal": "benchmarks.copal.suite",
    "cost": "benchmarks.cost.suite",
    "crossing": "benchmarks.crossing.suite",
    "ladder": "benchmarks.copal_ladder.suite",
    "bins": "benchmarks.bins.suite",
    "blocks": "benchmarks.blocks",
    "cases": "benchmarks.cases",
    "faults": "benchmarks.faults.suite",
    "gallery": "benchmarks.gallery.suite",
    "handling": "benchmarks.handling.suite",
    "killed": "benchmarks.killed.suite",
    "limits": "benchmarks.any.limits",
    "motion": "benchmarks.motion.suite",
    "open-world": "benchmarks.open_world.suite",
    "places": "benchmarks.places.suite",
    "planning": "benchmarks.planning.suite",
    "rules": "benchmarks.rules",
    "session": "benchmarks.long_session",
    "substitution": "benchmarks.substitution.suite",
    "tabletop": "benchmarks.tabletop.suite",
    "trees": "benchmarks.trees.suite",
    "whole": "benchmarks.whole_runs.suite",
}
"""Module of each suite; its `main` takes command-line words and returns the exit code."""
