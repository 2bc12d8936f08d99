"""Whether a program says something in a world: names, sorts of values, and what is done."""

from bt.programs.checker.deeds import agent_given, signature
from bt.programs.checker.names import CheckedProgram, check_program, is_done

__all__ = ["CheckedProgram", "agent_given", "check_program", "is_done", "signature"]
