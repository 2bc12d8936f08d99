from .admission import (
    Admission as Admission,
    admits as admits,
)
from .compilation import (
    decided as decided,
    needed as needed,
    opened as opened,
)
from .like import like_things as like_things
from .reachability import (
    Reached as Reached,
    reach_all as reach_all,
)
from .task import AdlTask as AdlTask
from .written import write_adl as write_adl
