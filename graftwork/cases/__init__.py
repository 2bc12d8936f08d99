"""Cases: the expected outcome of an instruction or a goal in a scene, stored as data beside a world.

`read_cases` reads them and `CaseRunner` runs them without a robot. ``graftwork test`` and the pytest plugin use both.
"""

from graftwork.cases.case_file import read_cases
from graftwork.cases.model import Case
from graftwork.cases.runner import CaseResult, CaseRunner
from graftwork.cases.suites import Suite, load_suites
from graftwork.cases.worlds import CaseWorld

__all__ = ["Case", "CaseResult", "CaseRunner", "CaseWorld", "Suite", "load_suites", "read_cases"]
