"""Cases: what should come of a sentence or a goal in a scene, as data beside a world, run without a robot.

`read_cases` reads them, `CaseRunner` runs them; ``graftwork test`` and the pytest plugin are two faces of these.
"""

from graftwork.cases.case_file import read_cases
from graftwork.cases.model import Case
from graftwork.cases.runner import CaseResult, CaseRunner
from graftwork.cases.suites import Suite, load_suites
from graftwork.cases.worlds import CaseWorld

__all__ = ["Case", "CaseResult", "CaseRunner", "CaseWorld", "Suite", "load_suites", "read_cases"]
