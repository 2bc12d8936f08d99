"""Checks of files that people write: domains, scenes, cases and problems; all mistakes are reported together.

The readers report what cannot be used. `domains.lint` reports what can be used but is probably a mistake.
"""

from graftwork.checks.check import Report, check_paths

__all__ = ["Report", "check_paths"]
