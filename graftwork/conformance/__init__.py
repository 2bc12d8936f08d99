"""The conformance suites: what a body, a planner, a language model and a skill have to do, and the tests of it.

``graftwork check module:Class`` runs the suite of the protocol that a class of the user's fulfils. The tests of the
shipped bodies, planners and models run the same suites.
"""

from graftwork.conformance.suite import Finding, Requirement, Unmet, judged

__all__ = ["Finding", "Requirement", "Unmet", "judged"]
