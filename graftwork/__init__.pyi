from .memory.memory import Memory as Memory
from .record.episode import (
    Episode as Episode,
    Outcome as Outcome,
)
from .record.reading import (
    follow_record as follow_record,
    read_record as read_record,
)
from .run.run import Run as Run
from .session import Session as Session
from .setup.limits import (
    Weights as Weights,
)
from .setup.settings import (
    Limits as Limits,
    Settings as Settings,
    load_settings as load_settings,
)
