from .instruction import instruction_key as instruction_key
from .memory import (
    Experience as Experience,
    Memory as Memory,
    Record as Record,
)
from .store import default_place as default_place
from .subtree import Subtree as Subtree
