"""Programs: policies in a small subset of Python, read, checked and compiled to trees, never executed by Python."""

from bt.programs.checker import CheckedProgram, check_program
from bt.programs.compiler import Routine, compile_program
from bt.programs.documents import program_from_document, program_of
from bt.programs.reader import read_program
from bt.programs.writer import write_program

__all__ = [
    "CheckedProgram",
    "Routine",
    "check_program",
    "compile_program",
    "program_from_document",
    "program_of",
    "read_program",
    "write_program",
]
