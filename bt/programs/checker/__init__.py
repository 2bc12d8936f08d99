"""The static check of a program against a world: names, types of values, and actions."""

from bt.programs.checker.deeds import agent_given, signature
from bt.programs.checker.names import CheckedProgram, check_program, is_done

__all__ = ["CheckedProgram", "agent_given", "check_program", "is_done", "signature"]
