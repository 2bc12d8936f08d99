"""Case files: from YAML to cases, with every mistake in its place."""

from graftwork.cases.reading.case_file import KEYS, read_cases

__all__ = ["KEYS", "read_cases"]
