"""Corrections of a program in mid-course: what has been done stays done, what runs goes on, the rest is as edited."""

from bt.correction.hot_swap.correct import Midway, MidwayProposed, correct_midway, propose_midway
from bt.correction.hot_swap.swap import exchange_program

__all__ = ["Midway", "MidwayProposed", "correct_midway", "exchange_program", "propose_midway"]
