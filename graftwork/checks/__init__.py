"""Checking what people write: domains, scenes, cases and problems, every mistake of every file at once.

Reading a file tells what cannot be used; `domains.lint` tells what can and is not meant.
"""

from graftwork.checks.check import check_paths
from graftwork.checks.report import Report

__all__ = ["Report", "check_paths"]
