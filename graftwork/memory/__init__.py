"""The memory: all episodes, and the subtrees that worked."""

from graftwork.memory.instruction import instruction_key
from graftwork.memory.memory import Experience, Memory, Record
from graftwork.memory.store import default_place
from graftwork.memory.subtree import Subtree

__all__ = ["Experience", "Memory", "Record", "Subtree", "default_place", "instruction_key"]
