from .errors import (
    Diagnostic as Diagnostic,
)
from .errors import (
    DomainFileError as DomainFileError,
)
from .model import (
    Domain as Domain,
)
from .model import (
    SceneFile as SceneFile,
)
from .pddl import (
    PddlWriter as PddlWriter,
)
from .pddl import (
    ProfileError as ProfileError,
)
from .pddl import (
    read_pddl_domain as read_pddl_domain,
)
from .pddl import (
    read_pddl_problem as read_pddl_problem,
)
from .pddl import (
    read_pddl_reading as read_pddl_reading,
)
from .pddl import (
    write_problem as write_problem,
)
from .problem import Problem as Problem
from .reader import (
    available_domains as available_domains,
)
from .reader import (
    available_scenes as available_scenes,
)
from .reader import (
    load_domain as load_domain,
)
from .reader import (
    load_scene as load_scene,
)
from .scaffold import new_world as new_world
