"""Programs: policies in a small subset of Python, read, checked and compiled to trees, never executed by Python."""

from bt.programs.checker import CheckedProgram, check_program
from bt.programs.compiler import compile_program
from bt.programs.nodes.flow import Routine
from bt.programs.reader import read_program
from bt.programs.writer import write_program

__all__ = [
    "CheckedProgram",
    "Routine",
    "check_program",
    "compile_program",
    "read_program",
    "write_program",
]
