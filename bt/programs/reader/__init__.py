"""Reads a program from text: checks the size of the text, then reads statements and expressions as values."""

from bt.programs.reader.expressions import identifier
from bt.programs.reader.statements import read_program

__all__ = ["identifier", "read_program"]
