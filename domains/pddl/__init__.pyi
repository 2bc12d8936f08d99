from .reader import (
    ParsedDomain as ParsedDomain,
    ProblemFile as ProblemFile,
    read_pddl_domain as read_pddl_domain,
    read_pddl_problem as read_pddl_problem,
    read_pddl_reading as read_pddl_reading,
)
from .writer import (
    PROFILES as PROFILES,
    PddlWriter as PddlWriter,
    WrittenProblem as WrittenProblem,
    write_problem as write_problem,
)
from .writer.profiles import (
    ProfileError as ProfileError,
    RefusedPart as RefusedPart,
)
