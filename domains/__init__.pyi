from .errors import (
    Diagnostic as Diagnostic,
    DomainFileError as DomainFileError,
)
from .model import (
    Domain as Domain,
    SceneFile as SceneFile,
)
from .pddl import (
    PddlWriter as PddlWriter,
    ProfileError as ProfileError,
    read_pddl_domain as read_pddl_domain,
    read_pddl_problem as read_pddl_problem,
    read_pddl_reading as read_pddl_reading,
    write_problem as write_problem,
)
from .problem import Problem as Problem
from .reader import (
    available_scenes as available_scenes,
    load_domain as load_domain,
    load_scene as load_scene,
)
from .scaffold import new_world as new_world
from .worlds import available_domains as available_domains
