"""Checking what people write: domains, scenes, cases and problems, every mistake of every file at once.

Reading a file tells what cannot be used; `domains.lint` tells what can and is not meant.
"""

from graftwork.checking.checking import check_paths
from graftwork.checking.report import Report

__all__ = ["Report", "check_paths"]
