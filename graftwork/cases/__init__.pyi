from .case_file import (
    CaseWorld as CaseWorld,
    read_cases as read_cases,
)
from .model import Case as Case
from .runner import (
    CaseResult as CaseResult,
    CaseRunner as CaseRunner,
)
from .suites import (
    Suite as Suite,
    load_suites as load_suites,
)
