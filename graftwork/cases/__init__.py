"""Cases: what should come of a sentence or a goal in a scene, as data beside a world, run without a robot.

`read_cases` reads them, `CaseRunner` runs them; ``graftwork test`` and the pytest plugin are two faces of these.
"""

from graftwork.cases.case_file import read_cases
from graftwork.cases.model import Case
from graftwork.cases.runner import CaseRunner, Result
from graftwork.cases.suites import Suite, load_suites
from graftwork.cases.worlds import World

__all__ = ["Case", "CaseRunner", "Result", "Suite", "World", "load_suites", "read_cases"]
